// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/sys.h"
#include "base/trial.h"

#define NOBODY 65534

struct place {
	char path[64];
	bool mounted;
};

static int in_own_mounts(void **state)
{
	(void)state;
	/* Without it the tests that mount are skipped. */
	if (!unshare(CLONE_NEWNS))
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return 0;
}

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	strcpy(place->path, "/tmp/test_trial.XXXXXX");
	*state = place;
	return mkdtemp(place->path) ? 0 : -1;
}

static int drop_place(void **state)
{
	struct place *place = *state;
	if (place->mounted)
		umount2(place->path, MNT_DETACH);
	/* Fails when anything has stayed in it. */
	int err = rmdir(place->path);
	free(place);
	return err;
}

static void mount_tmpfs(struct place *place, unsigned long flags, const char *options)
{
	if (geteuid() != 0 || mount("trial", place->path, "tmpfs", flags, options))
		skip();
	place->mounted = true;
}

static int entries(const char *path)
{
	cleanup_dir DIR *dir = opendir(path);
	int count = 0;
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	return count;
}

static int descriptors(void)
{
	int count = 0;
	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void nothing_left(const char *path, const struct trial *trial)
{
	assert_int_equal(entries(path), 0);
	assert_false(trial->littered);
	errno = 0;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void assert_answer(const struct trial *trial, enum trial_step step, enum trial_end end,
			  int err)
{
	if (trial->answers[step].end != end || trial->answers[step].err != err)
		print_error("%s: %d, %d\n", trial_name(step), trial->answers[step].end,
			    trial->answers[step].err);
	assert_int_equal(trial->answers[step].end, end);
	assert_int_equal(trial->answers[step].err, err);
}

static void test_all_works(void **state)
{
	struct place *place = *state;
	struct trial trial = { 0 };
	int before = descriptors();
	struct sigaction old, now;
	sigaction(SIGTERM, NULL, &old);
	trial_run(&trial, place->path);
	for (int step = 0; step < TRIAL_STEPS; step++)
		assert_answer(&trial, step, TRIAL_DONE, 0);
	assert_string_equal(trial_source(&trial, TRIAL_EXEC), "execve");
	nothing_left(place->path, &trial);
	assert_int_equal(descriptors(), before);
	sigaction(SIGTERM, NULL, &now);
	assert_ptr_equal(now.sa_handler, old.sa_handler);
}

static void test_times_stay(void **state)
{
	struct place *place = *state;
	const struct timespec times[2] = { { 981173106, 123456789 }, { 981173107, 987654321 } };
	struct trial trial = { 0 };
	struct stat st;
	assert_int_equal(utimensat(AT_FDCWD, place->path, times, 0), 0);
	trial_run(&trial, place->path);
	assert_answer(&trial, TRIAL_CREATE, TRIAL_DONE, 0);
	assert_int_equal(stat(place->path, &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, times[1].tv_sec);
	assert_int_equal(st.st_mtim.tv_nsec, times[1].tv_nsec);
	assert_int_equal(st.st_atim.tv_sec, times[0].tv_sec);
	assert_int_equal(st.st_atim.tv_nsec, times[0].tv_nsec);
}

static void test_names(void **state)
{
	struct place *place = *state;
	struct trial first = { 0 }, second = { .predictable = true },
		     third = { .predictable = true };
	trial_run(&first, place->path);
	trial_run(&second, place->path);
	trial_run(&third, place->path);
	assert_memory_equal(first.names[0], ".driftprobe-", 12);
	assert_string_not_equal(first.names[0], first.names[1]);
	assert_string_not_equal(second.names[0], third.names[0]);
}

static void test_in_process(void **state)
{
	struct place *place = *state;
	struct trial trial = { .in_process = true };
	trial_run(&trial, place->path);
	assert_answer(&trial, TRIAL_FSYNC, TRIAL_DONE, 0);
	assert_int_equal(trial.answers[TRIAL_EXEC].end, TRIAL_UNTRIED);
	assert_string_equal(trial_source(&trial, TRIAL_EXEC), "fork refused");
	nothing_left(place->path, &trial);
}

static void test_settled_is_not_asked_again(void **state)
{
	struct place *place = *state;
	struct trial trial = { 0 };
	trial.answers[TRIAL_CREATE].end = TRIAL_DONE;
	trial.answers[TRIAL_WRITE].end = TRIAL_DONE;
	trial.answers[TRIAL_RENAME] = (struct trial_answer){ TRIAL_KILLED, SIGSYS };
	trial_run(&trial, place->path);
	assert_answer(&trial, TRIAL_RENAME, TRIAL_KILLED, SIGSYS);
	assert_answer(&trial, TRIAL_EXEC, TRIAL_DONE, 0);
	nothing_left(place->path, &trial);
}

static void test_missing(void **state)
{
	(void)state;
	struct trial trial = { 0 };
	trial_run(&trial, "/nonexistent/directory");
	assert_answer(&trial, TRIAL_CREATE, TRIAL_REFUSED, ENOENT);
	assert_answer(&trial, TRIAL_EXEC, TRIAL_UNTRIED, 0);
	assert_false(trial.littered);
	trial = (struct trial){ 0 };
	trial_run(&trial, "/etc/passwd");
	assert_answer(&trial, TRIAL_CREATE, TRIAL_REFUSED, ENOTDIR);
}

static void test_readonly(void **state)
{
	struct place *place = *state;
	struct trial trial = { 0 };
	mount_tmpfs(place, MS_RDONLY, "size=64k");
	trial_run(&trial, place->path);
	assert_answer(&trial, TRIAL_CREATE, TRIAL_REFUSED, EROFS);
	for (int step = TRIAL_WRITE; step < TRIAL_STEPS; step++)
		assert_answer(&trial, step, TRIAL_UNTRIED, 0);
	nothing_left(place->path, &trial);
}

static void test_noexec(void **state)
{
	struct place *place = *state;
	struct trial trial = { 0 };
	mount_tmpfs(place, MS_NOEXEC, "size=64k");
	trial_run(&trial, place->path);
	assert_answer(&trial, TRIAL_EXEC, TRIAL_REFUSED, EACCES);
	for (int step = 0; step < TRIAL_STEPS; step++)
		if (step != TRIAL_EXEC)
			assert_answer(&trial, step, TRIAL_DONE, 0);
	nothing_left(place->path, &trial);
}

static void test_full(void **state)
{
	struct place *place = *state;
	struct trial trial = { 0 };
	char block[4096] = { 1 }, path[96];
	mount_tmpfs(place, 0, "size=64k");
	snprintf(path, sizeof(path), "%s/filler", place->path);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while (write(fd, block, sizeof(block)) > 0)
		;
	assert_int_equal(errno, ENOSPC);
	close(fd);
	trial_run(&trial, place->path);
	assert_answer(&trial, TRIAL_CREATE, TRIAL_DONE, 0);
	assert_answer(&trial, TRIAL_WRITE, TRIAL_REFUSED, ENOSPC);
	assert_answer(&trial, TRIAL_RENAME, TRIAL_DONE, 0);
	assert_answer(&trial, TRIAL_EXEC, TRIAL_UNTRIED, 0);
	assert_answer(&trial, TRIAL_FSYNC, TRIAL_UNTRIED, 0);
	unlink(path);
	nothing_left(place->path, &trial);
}

static void test_out_of_inodes(void **state)
{
	struct place *place = *state;
	struct trial none = { 0 }, one = { 0 };
	char path[96];
	/* The root and one file. */
	mount_tmpfs(place, 0, "size=64k,nr_inodes=2");
	trial_run(&one, place->path);
	assert_answer(&one, TRIAL_CREATE, TRIAL_DONE, 0);
	assert_answer(&one, TRIAL_SYMLINK, TRIAL_REFUSED, ENOSPC);
	assert_answer(&one, TRIAL_RENAME, TRIAL_DONE, 0);
	assert_answer(&one, TRIAL_EXEC, TRIAL_DONE, 0);
	snprintf(path, sizeof(path), "%s/filler", place->path);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	trial_run(&none, place->path);
	assert_answer(&none, TRIAL_CREATE, TRIAL_REFUSED, ENOSPC);
	unlink(path);
	nothing_left(place->path, &none);
}

struct as_nobody {
	struct trial trial;
	const char *path;
	bool small; /* no file may have any size */
};

static int run_as_nobody(void *shared)
{
	struct as_nobody *job = shared;
	if (job->small)
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 0, 0 });
	else if (setgid(NOBODY) || setuid(NOBODY))
		return 1;
	trial_run(&job->trial, job->path);
	return 0;
}

static void test_not_ours(void **state)
{
	struct place *place = *state;
	struct as_nobody job = { .path = place->path };
	if (geteuid() != 0)
		skip();
	chmod(place->path, 0755);
	assert_int_equal(child_run(run_as_nobody, &job, sizeof(job), 5000).code, 0);
	assert_answer(&job.trial, TRIAL_CREATE, TRIAL_REFUSED, EACCES);
	nothing_left(place->path, &job.trial);

	/* Writable, but neither readable nor ours. */
	job = (struct as_nobody){ .path = place->path };
	chmod(place->path, 0733);
	assert_int_equal(child_run(run_as_nobody, &job, sizeof(job), 5000).code, 0);
	for (int step = 0; step < TRIAL_STEPS; step++)
		assert_answer(&job.trial, step, TRIAL_DONE, 0);
	nothing_left(place->path, &job.trial);
}

static void test_file_size_limit(void **state)
{
	struct place *place = *state;
	struct as_nobody job = { .path = place->path, .small = true };
	struct child_result result = child_run(run_as_nobody, &job, sizeof(job), 5000);
	assert_int_equal(result.end, CHILD_EXITED);
	assert_answer(&job.trial, TRIAL_WRITE, TRIAL_REFUSED, EFBIG);
	nothing_left(place->path, &job.trial);
}

static void test_append_only(void **state)
{
	struct place *place = *state;
	struct trial trial = { 0 };
	int flags = 0;
	cleanup_fd int fd = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(ioctl(fd, FS_IOC_GETFLAGS, &flags), 0);
	int appending = flags | FS_APPEND_FL;
	if (ioctl(fd, FS_IOC_SETFLAGS, &appending))
		skip();
	trial_run(&trial, place->path);
	ioctl(fd, FS_IOC_SETFLAGS, &flags);
	assert_answer(&trial, TRIAL_CREATE, TRIAL_UNTRIED, EPERM);
	nothing_left(place->path, &trial);
}

static int try_for_ever(void *shared)
{
	for (;;) {
		struct trial trial = { 0 };
		trial_run(&trial, shared);
	}
	return 0;
}

/* Whenever the deadline falls: SIGTERM removes the file and puts the time back. */
static void test_signal_half_way(void **state)
{
	struct place *place = *state;
	struct stat before, after;
	assert_int_equal(stat(place->path, &before), 0);
	for (int i = 0; i < 40; i++) {
		struct child_result result =
			child_run(try_for_ever, place->path, sizeof(place->path), 3 + i % 7);
		assert_int_equal(result.end, CHILD_TIMEOUT);
		assert_int_equal(entries(place->path), 0);
		assert_int_equal(stat(place->path, &after), 0);
		assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim));
	}
}

static void test_clean(void **state)
{
	struct place *place = *state;
	struct trial trial = { .littered = true,
			       .names = { ".driftprobe-1.a", ".driftprobe-1.b" } };
	char path[128];
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", place->path, trial.names[i]);
		close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	}
	assert_int_equal(entries(place->path), 2);
	trial_clean(&trial, "/nonexistent");
	assert_true(trial.littered);
	trial_clean(&trial, place->path);
	nothing_left(place->path, &trial);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, drop_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(test_all_works),
		IN_PLACE(test_times_stay),
		IN_PLACE(test_names),
		IN_PLACE(test_in_process),
		IN_PLACE(test_settled_is_not_asked_again),
		cmocka_unit_test(test_missing),
		IN_PLACE(test_readonly),
		IN_PLACE(test_noexec),
		IN_PLACE(test_full),
		IN_PLACE(test_out_of_inodes),
		IN_PLACE(test_not_ours),
		IN_PLACE(test_file_size_limit),
		IN_PLACE(test_append_only),
		IN_PLACE(test_signal_half_way),
		IN_PLACE(test_clean),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, in_own_mounts, NULL);
}
