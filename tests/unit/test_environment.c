// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "base/signal_set.h"
#include "base/standard_fd.h"
#include "base/time_zone.h"
#include "base/variables.h"
#include "collected.h"
#include "scratch.h"

extern const struct collector collector_environment;

#define FIXTURE "tests/unit/fixtures/started"

static struct profile *collected(const char *root, const char *const *environment, const char *part)
{
	struct scope scope = { .root = root, .environ = environment };
	char note[512];
	struct profile *profile = collected_noting(&collector_environment, &scope, note);
	if (part)
		assert_non_null(strstr(note, part));
	else
		assert_string_equal(note, "");
	return profile;
}

static void test_variables(void **state)
{
	(void)state;
	char long_name[300];
	const char *const environment[] = { "B=two=2", "secretwithoutname", "A=", long_name, "=odd",
					    NULL };
	struct variables v;
	memset(long_name, 'L', sizeof(long_name));
	strcpy(long_name + 250, "=value");
	assert_int_equal(variables_open(&v, environment, 4096), 0);
	assert_int_equal(v.count, 5);
	assert_int_equal(v.bytes, 8 + 18 + 3 + 257 + 5);
	assert_int_equal(v.named, 3);
	assert_string_equal(v.items[0], "A");
	assert_string_equal(v.items[1], "B");
	assert_int_equal(strlen(v.items[2]), VARIABLES_NAME_MAX);
	assert_null(v.items[3]);
	variables_close(&v);
	/* "A" and "B" fill it exactly */
	assert_int_equal(variables_open(&v, environment, 4), 0);
	assert_int_equal(v.named, 2);
	assert_null(v.items[2]);
	variables_close(&v);
	assert_int_equal(variables_open(&v, environment, 3), 0);
	assert_int_equal(v.named, 1);
	variables_close(&v);
	assert_int_equal(variables_open(&v, NULL, 4096), 0);
	assert_int_equal(v.count, 0);
	assert_null(v.items[0]);
	variables_close(&v);
}

static void test_many_variables(void **state)
{
	(void)state;
	static const char *environment[VARIABLES_MAX + 10];
	struct variables v;
	for (size_t i = 0; i < VARIABLES_MAX + 9; i++)
		environment[i] = "X=1";
	assert_int_equal(variables_open(&v, environment, 65536), 0);
	assert_int_equal(v.count, VARIABLES_MAX + 9);
	assert_int_equal(v.named, VARIABLES_MAX);
	variables_close(&v);
}

static void test_time_zone(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	const char *source;
	char name[64] = "kept";
	assert_int_equal(time_zone_name(s.root, NULL, name, sizeof(name), &source), ENOENT);
	assert_int_equal(time_zone_name(s.root, "", name, sizeof(name), &source), ENOENT);
	assert_string_equal(name, "kept");
	assert_int_equal(time_zone_name(s.root, ":Asia/Tokyo", name, sizeof(name), &source), 0);
	assert_string_equal(name, "Asia/Tokyo");
	assert_string_equal(source, "TZ");
	assert_int_equal(
		time_zone_name(s.root, "/usr/share/zoneinfo/UTC", name, sizeof(name), &source), 0);
	assert_string_equal(name, "UTC");
	scratch_text(&s, "etc/localtime", 0644, "TZif");
	assert_int_equal(time_zone_name(s.root, NULL, name, sizeof(name), &source), EBADMSG);
	assert_string_equal(source, "/etc/localtime");
	scratch_text(&s, "etc/timezone", 0644, "Etc/UTC\n");
	assert_int_equal(time_zone_name(s.root, NULL, name, sizeof(name), &source), 0);
	assert_string_equal(name, "Etc/UTC");
	assert_string_equal(source, "/etc/timezone");
	assert_int_equal(unlink(scratch_path(&s, "etc/localtime").root), 0);
	scratch_link(&s, "etc/localtime", "../usr/share/zoneinfo/Europe/Berlin");
	assert_int_equal(time_zone_name(s.root, NULL, name, sizeof(name), &source), 0);
	assert_string_equal(name, "Europe/Berlin");
	assert_int_equal(time_zone_name(s.root, NULL, name, 5, &source), EBADMSG);
	scratch_remove(&s);
}

static void test_signals(void **state)
{
	(void)state;
	struct signal_names names;
	const char *source;
	uint64_t mask = 7;
	signal_set_names(0, &names);
	assert_null(names.items[0]);
	signal_set_names(UINT64_MAX, &names);
	assert_string_equal(names.items[0], "SIGHUP");
	assert_string_equal(names.items[30], "SIGSYS");
	assert_string_equal(names.items[31], "SIG32");
	assert_string_equal(names.items[63], "SIG64");
	assert_null(names.items[64]);
	assert_int_equal(signal_set_get(SIGNAL_SET_IGNORED, false, "", &mask, &source), ENOENT);
	assert_int_equal(signal_set_get(SIGNAL_SET_BLOCKED, false, "SigBlk:\tzz\n", &mask, &source),
			 EBADMSG);
	assert_int_equal(mask, 7);
	assert_int_equal(signal_set_get(SIGNAL_SET_BLOCKED, false,
					"SigIgn:\t1\nSigBlk:\t0000000000004000\n", &mask, &source),
			 0);
	assert_int_equal(mask, 1 << (SIGTERM - 1));
}

/* Without /proc the calls answer the same. */
static void test_signals_by_call(void **state)
{
	(void)state;
	const char *source;
	uint64_t mask = 0;
	sigset_t block, before;
	sigemptyset(&block);
	sigaddset(&block, SIGUSR2);
	struct sigaction old, ignore = { .sa_handler = SIG_IGN };
	assert_int_equal(sigprocmask(SIG_BLOCK, &block, &before), 0);
	assert_int_equal(sigaction(SIGPIPE, &ignore, &old), 0);
	assert_int_equal(signal_set_get(SIGNAL_SET_IGNORED, true, "", &mask, &source), 0);
	assert_true(mask >> (SIGPIPE - 1) & 1);
	assert_false(mask >> (SIGUSR2 - 1) & 1);
	assert_string_equal(source, "sigaction()");
	assert_int_equal(signal_set_get(SIGNAL_SET_BLOCKED, true, "", &mask, &source), 0);
	assert_true(mask >> (SIGUSR2 - 1) & 1);
	assert_false(mask >> (SIGPIPE - 1) & 1);
	assert_string_equal(source, "sigprocmask()");
	sigaction(SIGPIPE, &old, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void assert_kind(int fd, const char *want)
{
	const char *kind = "untouched";
	assert_int_equal(standard_fd_kind(fd, &kind), 0);
	assert_string_equal(kind, want);
}

static void test_kinds(void **state)
{
	(void)state;
	int pipes[2], sockets[2];
	FILE *file = tmpfile();
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC),
	    zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int held = open("/", O_PATH | O_CLOEXEC), dir = open("/", O_RDONLY | O_CLOEXEC);
	int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_non_null(file);
	assert_kind(pipes[0], "pipe");
	assert_kind(sockets[1], "socket");
	assert_kind(fileno(file), "file");
	assert_kind(null, "null");
	assert_kind(zero, "other");
	assert_kind(dir, "other");
	assert_kind(held, "closed");
	if (terminal >= 0)
		assert_kind(terminal, "terminal");
	const int fds[] = { pipes[0], pipes[1], sockets[0], sockets[1], null,
			    zero,     held,	dir,	    terminal };
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		close(fds[i]);
	fclose(file);
	assert_kind(pipes[0], "closed");
}

/* In a session of its own: first without a terminal, then with one as standard input. */
static bool controlled(void)
{
	const char *source;
	int64_t columns = 0;
	bool has = true;
	struct winsize size = { .ws_row = 24, .ws_col = 132 };
	if (setsid() < 0 || standard_fd_controlled(&has, &source) || has)
		return false;
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master) || ioctl(master, TIOCSWINSZ, &size))
		return false;
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || ioctl(slave, TIOCSCTTY, 0) || dup2(slave, 0) != 0)
		return false;
	return !standard_fd_controlled(&has, &source) && has && !standard_fd_columns(&columns) &&
	       columns == 132;
}

static void test_terminal(void **state)
{
	(void)state;
	int status;
	if (access("/dev/ptmx", R_OK | W_OK) || access("/dev/tty", F_OK))
		skip();
	pid_t pid = fork();
	if (pid == 0)
		_exit(!controlled());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_collect(void **state)
{
	(void)state;
	const char *const environment[] = { "LC_ALL=",
					    "LC_CTYPE=de_DE.utf8@euro",
					    "LANG=C",
					    "TERM=xterm-256color",
					    "CI=true",
					    "CLAUDECODE=1",
					    "SECRET=hidden-value",
					    NULL };
	cleanup_profile struct profile *p = collected(FIXTURE, environment, NULL);
	const struct fact *names = profile_find(p, "environment.names");
	assert_int_equal(fact_list_count(names), 7);
	assert_true(fact_list_has(names, "SECRET"));
	assert_int_equal(profile_int(p, "environment.count", -1), 7);
	assert_text(p, "environment.locale", "de_DE.utf8@euro");
	assert_text(p, "environment.locale_source", "LC_CTYPE");
	assert_true(profile_true(p, "environment.utf8"));
	assert_text(p, "environment.lang", "C");
	assert_text(p, "environment.term", "xterm-256color");
	assert_text(p, "environment.timezone", "Europe/Oslo");
	assert_true(profile_true(p, "environment.ci"));
	const struct fact *markers = profile_find(p, "environment.agent_markers");
	assert_int_equal(fact_list_count(markers), 1);
	assert_true(fact_list_has(markers, "CLAUDECODE"));
	const struct fact *ignored = profile_find(p, "environment.ignored_signals");
	assert_int_equal(fact_list_count(ignored), 4);
	assert_true(fact_list_has(ignored, "SIGHUP") && fact_list_has(ignored, "SIGPIPE"));
	assert_true(fact_list_has(ignored, "SIG33") && fact_list_has(ignored, "SIG64"));
	const struct fact *blocked = profile_find(p, "environment.blocked_signals");
	assert_int_equal(fact_list_count(blocked), 2);
	assert_true(fact_list_has(blocked, "SIGHUP") && fact_list_has(blocked, "SIGCHLD"));
	for (size_t i = 0; i < p->fact_count; i++)
		for (size_t at = 0; at + 6 <= p->facts[i].value_len; at++)
			assert_memory_not_equal(p->facts[i].value + at, "hidden", 6);
}

static void test_poor(void **state)
{
	(void)state;
	const char *const environment[] = {
		"loose",      "CI=false",	   "TZ=key = \"password\"",
		"COLUMNS=91", "LANG=en_US.UTF-8x", NULL
	};
	const char *const none[] = { NULL };
	cleanup_profile struct profile *p = collected("/nonexistent", environment, "not named");
	cleanup_profile struct profile *n = collected("/nonexistent", none, NULL);
	assert_false(fact_list_has(profile_find(p, "environment.names"), "loose"));
	assert_int_equal(profile_int(p, "environment.count", -1), 5);
	assert_true(profile_false(p, "environment.ci"));
	assert_true(profile_false(p, "environment.utf8"));
	assert_status(p, "environment.timezone", FACT_MALFORMED, 0);
	assert_status(p, "environment.ignored_signals", FACT_SKIPPED, ENOENT);
	assert_status(n, "environment.timezone", FACT_ABSENT, ENOENT);
	assert_status(n, "environment.locale", FACT_ABSENT, 0);
	assert_status(n, "environment.locale_source", FACT_ABSENT, 0);
	assert_status(n, "environment.lang", FACT_ABSENT, 0);
	assert_status(n, "environment.term", FACT_ABSENT, 0);
	assert_true(profile_false(n, "environment.utf8"));
	assert_int_equal(profile_int(n, "environment.count", -1), 0);
	assert_int_equal(fact_list_count(profile_find(n, "environment.names")), 0);
	if (!isatty(0) && !isatty(1) && !isatty(2)) {
		assert_int_equal(profile_int(p, "environment.columns", -1), 91);
		assert_status(n, "environment.columns", FACT_ABSENT, ENOTTY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_many_variables),
		cmocka_unit_test(test_time_zone),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_signals_by_call),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_collect),
		cmocka_unit_test(test_poor),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
