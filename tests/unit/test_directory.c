// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/fs_type.h"
#include "base/places.h"

static int make_dir(void **state)
{
	char *path = strdup("/tmp/test_directory.XXXXXX");
	*state = path;
	return path && mkdtemp(path) ? 0 : -1;
}

static int drop_dir(void **state)
{
	/* Fails when anything has stayed in it. */
	int err = rmdir(*state);
	free(*state);
	return err;
}

static void assert_answer(const struct directory *d, enum trial_step step, enum trial_end end,
			  int err)
{
	const struct trial_answer *answer = &d->trial.answers[step];
	if (answer->end != end || answer->err != err)
		print_error("%s: %d, %d\n", trial_name(step), answer->end, answer->err);
	assert_int_equal(answer->end, end);
	assert_int_equal(answer->err, err);
}

static void look(struct directory *d, const char *path, int deadline_ms)
{
	*d = (struct directory){ 0 };
	strcpy(d->path, path);
	directory_look(d, deadline_ms);
}

static void test_look(void **state)
{
	struct directory d;
	struct stat st;
	look(&d, *state, 5000);
	assert_int_equal(stat(*state, &st), 0);
	assert_int_equal(d.stat_err, 0);
	assert_true(d.is_directory);
	assert_int_equal(d.device, st.st_dev);
	assert_int_equal(d.inode, st.st_ino);
	assert_int_equal(d.mode, 0700);
	assert_int_equal(d.owner, geteuid());
	assert_string_equal(d.real, *state);
	assert_int_equal(d.statfs_err, 0);
	assert_int_equal(d.size_bytes.err, 0);
	assert_true(d.size_bytes.value >= d.free_bytes.value);

	look(&d, "/nonexistent/x", 5000);
	assert_int_equal(d.stat_err, ENOENT);
	look(&d, "/etc/passwd/x", 5000);
	assert_int_equal(d.stat_err, ENOTDIR);
	look(&d, "/etc/passwd", 5000);
	assert_int_equal(d.stat_err, 0);
	assert_false(d.is_directory);
	/* procfs counts neither blocks nor inodes. */
	look(&d, "/proc", 5000);
	assert_int_equal(d.magic, FS_TYPE_PROC);
	assert_int_equal(d.size_bytes.err, EOPNOTSUPP);
	assert_int_equal(d.inodes_free.err, EOPNOTSUPP);
}

static void test_kernel_trees_are_left_alone(void **state)
{
	(void)state;
	static const char *const trees[] = { "/proc", "/proc/self/fd", "/sys", "/dev", "/dev/pts" };
	for (size_t i = 0; i < ARRAY_SIZE(trees); i++) {
		struct directory d;
		look(&d, trees[i], 5000);
		directory_try(&d, 5000);
		assert_answer(&d, TRIAL_CREATE, TRIAL_UNTRIED, EINVAL);
		assert_answer(&d, TRIAL_WRITE, TRIAL_UNTRIED, 0);
		assert_non_null(strstr(trial_source(&d.trial, TRIAL_CREATE), "not tried"));
	}
}

/* Runs the look and the trial behind a filter that answers some calls. */
struct filtered {
	struct directory d;
	int calls[4]; /* 0: no more */
	uint32_t action;
	int err; /* of setting the filter */
};

static int behind_filter(void *shared)
{
	struct filtered *job = shared;
	struct sock_filter code[16];
	unsigned short n = 0;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	for (int i = 0; i < 4 && job->calls[i] > 0; i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							 (uint32_t)job->calls[i], 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, job->action);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { .len = n, .filter = code };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		job->err = errno;
		return 0;
	}
	directory_look(&job->d, 5000);
	if (!job->d.stat_err)
		directory_try(&job->d, 5000);
	return 0;
}

static void run_filtered(struct filtered *job, const char *path)
{
	strcpy(job->d.path, path);
	struct child_result result = child_run(behind_filter, job, sizeof(*job), 20000);
	assert_int_equal(result.end, CHILD_EXITED);
	if (job->err)
		skip();
}

static void test_killed_step(void **state)
{
	struct filtered job = { .calls = { __NR_symlinkat, __NR_fsync },
				.action = SECCOMP_RET_KILL };
	run_filtered(&job, *state);
	assert_answer(&job.d, TRIAL_SYMLINK, TRIAL_KILLED, SIGSYS);
	assert_answer(&job.d, TRIAL_FSYNC, TRIAL_KILLED, SIGSYS);
	assert_answer(&job.d, TRIAL_CREATE, TRIAL_DONE, 0);
	assert_answer(&job.d, TRIAL_RENAME, TRIAL_DONE, 0);
	assert_answer(&job.d, TRIAL_EXEC, TRIAL_DONE, 0);
	assert_false(job.d.trial.littered);
	assert_false(job.d.hung);
}

static void test_killed_look(void **state)
{
	struct filtered job = { .calls = { __NR_statfs, __NR_getrandom },
				.action = SECCOMP_RET_KILL };
	run_filtered(&job, *state);
	assert_int_equal(job.d.stat_err, 0);
	assert_int_equal(job.d.statfs_err, DIRECTORY_KILLED);
	assert_true(job.d.trial.predictable);
	for (int step = 0; step < TRIAL_STEPS; step++)
		assert_answer(&job.d, step, TRIAL_DONE, 0);
}

static void test_killed_exec(void **state)
{
	struct filtered job = { .calls = { __NR_execve }, .action = SECCOMP_RET_KILL };
	run_filtered(&job, *state);
	assert_answer(&job.d, TRIAL_EXEC, TRIAL_KILLED, SIGSYS);
	assert_answer(&job.d, TRIAL_FSYNC, TRIAL_DONE, 0);
}

static void test_refused_step(void **state)
{
	struct filtered job = { .calls = { __NR_fchmod, __NR_execve },
				.action = SECCOMP_RET_ERRNO | EPERM };
	run_filtered(&job, *state);
	assert_answer(&job.d, TRIAL_CHMOD, TRIAL_REFUSED, EPERM);
	assert_answer(&job.d, TRIAL_EXEC, TRIAL_REFUSED, EPERM);
	assert_answer(&job.d, TRIAL_RENAME, TRIAL_DONE, 0);
}

/* An errno of 0: the calls say yes and do nothing, as on some shared folders. */
static void test_no_effect(void **state)
{
	struct filtered job = { .calls = { __NR_fchmod, __NR_symlinkat,
#ifdef __NR_renameat
					   __NR_renameat,
#endif
					   __NR_renameat2 },
				.action = SECCOMP_RET_ERRNO };
	run_filtered(&job, *state);
	assert_answer(&job.d, TRIAL_CHMOD, TRIAL_NO_EFFECT, 0);
	assert_answer(&job.d, TRIAL_SYMLINK, TRIAL_NO_EFFECT, 0);
	assert_answer(&job.d, TRIAL_RENAME, TRIAL_NO_EFFECT, 0);
	assert_answer(&job.d, TRIAL_EXEC, TRIAL_DONE, 0);
	assert_answer(&job.d, TRIAL_FSYNC, TRIAL_DONE, 0);
}

static void test_fork_refused(void **state)
{
	struct filtered job = { .calls = { __NR_clone,
#ifdef __NR_fork
					   __NR_fork,
#endif
#ifdef __NR_clone3
					   __NR_clone3,
#endif
				},
				.action = SECCOMP_RET_ERRNO | EPERM };
	run_filtered(&job, *state);
	assert_true(job.d.fork_refused);
	assert_int_equal(job.d.stat_err, 0);
	assert_answer(&job.d, TRIAL_CREATE, TRIAL_DONE, 0);
	assert_answer(&job.d, TRIAL_FSYNC, TRIAL_DONE, 0);
	assert_int_equal(job.d.trial.answers[TRIAL_EXEC].end, TRIAL_UNTRIED);
}

static void test_hang(void **state)
{
	struct directory d;
	char options[64];
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (device < 0 || geteuid() != 0)
		skip();
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (mount("hang", *state, "fuse", 0, options)) {
		close(device);
		skip();
	}
	int64_t started = sys_now_ms();
	look(&d, *state, 150);
	bool in_time = sys_now_ms() - started < 5000;
	int stat_err = d.stat_err;
	directory_try(&d, 150);
	close(device);
	umount2(*state, MNT_DETACH);
	/* stat may be answered out of the kernel's memory; statfs never is. */
	assert_true(stat_err == ETIMEDOUT || d.statfs_err == ETIMEDOUT);
	assert_true(in_time);
	assert_true(d.hung);
	assert_int_equal(d.trial.answers[TRIAL_WRITE].end, TRIAL_UNTRIED);
}

static void write_file(const char *root, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", root, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(sys_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static void test_owner_mapped(void **state)
{
	static const char *const dirs[] = { "proc", "proc/self", "proc/sys", "proc/sys/kernel" };
	const char *root = *state;
	char path[256];
	bool mapped = false;
	assert_int_equal(directory_owner_mapped(root, 1000, &mapped), 0);
	assert_true(mapped);
	assert_int_equal(directory_owner_mapped(root, 65534, &mapped), ENOENT);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, dirs[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	write_file(root, "proc/self/uid_map", "         0          0 4294967295\n");
	assert_int_equal(directory_owner_mapped(root, 65534, &mapped), 0);
	assert_true(mapped);
	write_file(root, "proc/self/uid_map", "0 1000 1\n");
	assert_int_equal(directory_owner_mapped(root, 65534, &mapped), 0);
	assert_false(mapped);
	write_file(root, "proc/self/uid_map", "garbage\n0 100000 65536\n");
	assert_int_equal(directory_owner_mapped(root, 65534, &mapped), ENODATA);
	write_file(root, "proc/sys/kernel/overflowuid", "7\n");
	write_file(root, "proc/self/uid_map", "8 1000 1\n");
	assert_int_equal(directory_owner_mapped(root, 7, &mapped), 0);
	assert_false(mapped);
	snprintf(path, sizeof(path), "%s/proc/self/uid_map", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/overflowuid", root);
	unlink(path);
	for (size_t i = ARRAY_SIZE(dirs); i--;) {
		snprintf(path, sizeof(path), "%s/%s", root, dirs[i]);
		rmdir(path);
	}
}

static void test_places(void **state)
{
	(void)state;
	cleanup_places struct places places = { 0 };
	char longer[SYS_PATH_MAX + 10], many[32];

	places_add(&places, "/work", "/work", "cwd");
	places_add(&places, "/work", "/", "HOME");
	places_add(&places, "/work", "tmp/./x//", "TMPDIR");
	places_add(&places, "/work", "//work/", "--dir");
	places_add(&places, "/work", ".", "--dir");
	places_add(&places, "/work", NULL, "none");
	places_add(&places, "/work", "", "none");
	places_add(&places, "/", "a/..b/...", "x");
	assert_int_equal(places.count, 4);
	assert_string_equal(places.all[0].path, "/work");
	assert_string_equal(places.all[0].roles[0], "cwd");
	assert_string_equal(places.all[0].roles[1], "--dir");
	assert_null(places.all[0].roles[2]);
	assert_string_equal(places.all[1].path, "/");
	assert_string_equal(places.all[2].path, "/work/tmp/x");
	assert_string_equal(places.all[3].path, "/a/..b/...");

	assert_int_equal(places.left_out, 0);
	places_add(&places, NULL, "relative", "x");
	memset(longer, 'a', sizeof(longer));
	longer[0] = '/';
	longer[sizeof(longer) - 1] = '\0';
	places_add(&places, NULL, longer, "x");
	assert_int_equal(places.left_out, 2);
	for (int i = 0; i < PLACES_MAX; i++) {
		snprintf(many, sizeof(many), "/many/%d", i);
		places_add(&places, NULL, many, "x");
	}
	assert_int_equal(places.count, PLACES_MAX);
	assert_int_equal(places.left_out, 6);
	cleanup_buf struct buf note = BUF_INIT(1000);
	places_note(&places, &note);
	assert_non_null(strstr(buf_text(&note), "6 directories left out"));
}

/* A link to a directory gets its answers without a second trial. */
static void test_same_place(void **state)
{
	cleanup_places struct places places = { 0 };
	char link[128];
	snprintf(link, sizeof(link), "%s.link", (const char *)*state);
	assert_int_equal(symlink(*state, link), 0);
	places_add(&places, NULL, *state, "a");
	places_add(&places, NULL, link, "b");
	places_look(&places, 0, "", 5000);
	places_look(&places, 1, "", 5000);
	unlink(link);
	assert_string_equal(places.all[1].found.real, *state);
	assert_answer(&places.all[1].found, TRIAL_EXEC, TRIAL_DONE, 0);
	/* The name of the one trial. */
	assert_string_equal(places.all[0].found.trial.names[0], places.all[1].found.trial.names[0]);
}

static void test_types(void **state)
{
	(void)state;
	assert_string_equal(fs_type_name(0xef53), "ext4");
	assert_string_equal(fs_type_name(0xffffffff9123683eUL), "btrfs");
	assert_null(fs_type_name(0));
	assert_null(fs_type_name(12345));
	assert_true(fs_type_is_kernel("cgroup2"));
	assert_false(fs_type_is_kernel("tmpfs"));
	assert_false(fs_type_is_kernel(""));
}

static int in_own_mounts(void **state)
{
	(void)state;
	if (!unshare(CLONE_NEWNS))
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return 0;
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, make_dir, drop_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(test_look),
		cmocka_unit_test(test_kernel_trees_are_left_alone),
		IN_DIR(test_killed_step),
		IN_DIR(test_killed_look),
		IN_DIR(test_killed_exec),
		IN_DIR(test_refused_step),
		IN_DIR(test_no_effect),
		IN_DIR(test_fork_refused),
		IN_DIR(test_hang),
		IN_DIR(test_owner_mapped),
		cmocka_unit_test(test_places),
		IN_DIR(test_same_place),
		cmocka_unit_test(test_types),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, in_own_mounts, NULL);
}
