// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/sys.h"

static int step_writes(void *shared)
{
	*(int *)shared += 41;
	return 3;
}

static int step_dies(void *shared)
{
	*(int *)shared = 9;
	raise(SIGSYS);
	return 0;
}

static int step_hangs(void *shared)
{
	*(int *)shared = 5;
	while (pause() < 0)
		;
	return 0;
}

static void no_child_left(void)
{
	errno = 0;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_run_ends(void **state)
{
	(void)state;
	int shared = 1;
	struct child_result result = child_run(step_writes, &shared, sizeof(shared), 5000);

	assert_int_equal(result.end, CHILD_EXITED);
	assert_int_equal(result.code, 3);
	assert_int_equal(shared, 42);

	result = child_run(step_dies, &shared, sizeof(shared), 5000);
	assert_int_equal(result.end, CHILD_SIGNALED);
	assert_int_equal(result.code, SIGSYS);
	assert_int_equal(shared, 9);

	result = child_run(step_hangs, &shared, sizeof(shared), 50);
	assert_int_equal(result.end, CHILD_TIMEOUT);
	assert_int_equal(shared, 5);
	no_child_left();
}

/* The grandchild keeps the group alive after its parent has gone: it must go with the deadline. */
static int step_leaves_grandchild(void *shared)
{
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_IGN);
		for (;;)
			pause();
	}
	*(pid_t *)shared = pid;
	while (pause() < 0)
		;
	return 0;
}

static void test_group_dies(void **state)
{
	(void)state;
	pid_t grandchild = 0;
	child_run(step_leaves_grandchild, &grandchild, sizeof(grandchild), 100);
	assert_true(grandchild > 0);
	/* A zombie under a slow init still answers kill(0): give it a moment. */
	for (int i = 0; i < 100 && !kill(grandchild, 0); i++) {
		char path[64], line[512] = "";
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)grandchild);
		if (!sys_read_line("", path, line, sizeof(line)) && strstr(line, ") Z "))
			return;
		usleep(10000);
	}
	assert_int_equal(kill(grandchild, 0), -1);
}

static void test_programs(void **state)
{
	(void)state;
	static const char *const envp[] = { "LC_ALL=C", NULL };
	static const char *const echo[] = { "/bin/sh", "-c", "echo out; echo err >&2; exit 4",
					    NULL };
	static const char *const none[] = { "/nonexistent/tool", NULL };
	static const char *const hang[] = { "/bin/sh", "-c", "echo before; sleep 60", NULL };
	static const char *const loud[] = { "/bin/sh", "-c", "yes x | head -c 100000", NULL };
	static const char *const stdin_null[] = { "/bin/sh", "-c", "cat; echo end", NULL };
	char output[5][64];
	struct child_program programs[] = {
		{ .argv = echo, .envp = envp, .output = output[0], .size = 64 },
		{ .argv = none, .envp = envp, .output = output[1], .size = 64 },
		{ .argv = hang, .envp = envp, .output = output[2], .size = 64 },
		{ .argv = loud, .envp = envp, .output = output[3], .size = 64 },
		{ .argv = stdin_null, .envp = envp, .output = output[4], .size = 64 },
	};
	int64_t started = sys_now_ms();
	child_run_programs(programs, 5, 2, 1500);

	assert_int_equal(programs[0].result.end, CHILD_EXITED);
	assert_int_equal(programs[0].result.code, 4);
	assert_string_equal(output[0], "out\nerr\n");
	assert_int_equal(programs[0].exec_errno, 0);
	assert_int_equal(programs[1].exec_errno, ENOENT);
	assert_int_equal(programs[2].result.end, CHILD_TIMEOUT);
	assert_string_equal(output[2], "before\n");
	assert_int_equal(programs[3].result.end, CHILD_EXITED);
	assert_int_equal(programs[3].length, 63);
	assert_string_equal(output[4], "end\n");
	/* Two at a time: the one that hangs does not hold up the rest. */
	assert_true(sys_now_ms() - started < 30000);
	no_child_left();
}

static int open_descriptors(void)
{
	int count = 0;
	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void test_no_descriptor_left(void **state)
{
	(void)state;
	static const char *const argv[] = { "/bin/true", NULL }, *const envp[] = { NULL };
	char output[8];
	struct child_program program = { .argv = argv, .envp = envp, .output = output, .size = 8 };
	int before = open_descriptors(), shared = 0;

	child_run_programs(&program, 1, 1, 1000);
	child_run(step_writes, &shared, sizeof(shared), 1000);
	assert_int_equal(open_descriptors(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_ends),
		cmocka_unit_test(test_group_dies),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_no_descriptor_left),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
