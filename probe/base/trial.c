// SPDX-License-Identifier: Apache-2.0
#include "base/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/sys.h"
#include "base/tiny_elf.h"

#define EXEC_DEADLINE_MS 1000
#define BUSY_TRIES                                                                                 \
	20 /* of ETXTBSY: another process forked while we had the file open for writing */

const char *trial_step_name(enum trial_step step)
{
	static const char *const names[] = { "create", "write",	  "fsync", "chmod",
					     "rename", "symlink", "exec" };
	return names[step];
}

/*
 * What must not stay behind. A signal handler has no argument to find it by: this is the one file-scope
 * state, it lives in the trial's own child, and only while the files exist.
 */
static struct {
	volatile sig_atomic_t armed;
	int dir;
	char first[64], second[64];
} litter;

static void litter_remove(void)
{
	unlinkat(litter.dir, litter.first, 0);
	unlinkat(litter.dir, litter.second, 0);
}

static void on_signal(int signal)
{
	(void)signal;
	if (litter.armed)
		litter_remove();
	_exit(1);
}

static void litter_arm(int dir)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGXFSZ, SIGXCPU };
	uint64_t noise = 0;
	struct sigaction action = { .sa_handler = on_signal };

	if (getrandom(&noise, sizeof(noise), GRND_NONBLOCK) != sizeof(noise))
		noise = (uint64_t)sys_now_ms() << 24 ^ (uint64_t)getpid();
	litter.dir = dir;
	snprintf(litter.first, sizeof(litter.first), ".driftprobe-%016llx.a",
		 (unsigned long long)noise);
	snprintf(litter.second, sizeof(litter.second), ".driftprobe-%016llx.b",
		 (unsigned long long)noise);
	litter.armed = 1;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

static int errno_of(int failed)
{
	return failed ? errno : TRIAL_DONE;
}

static int exec_once(const char *path)
{
	int report[2];
	if (pipe2(report, O_CLOEXEC))
		return TRIAL_UNTRIED;
	pid_t pid = child_fork();
	if (pid == 0) {
		char *const argv[] = { (char *)path, NULL }, *const envp[] = { NULL };
		execve(path, argv, envp);
		int err = errno;
		sys_write_all(report[1], &err, sizeof(err));
		_exit(127);
	}
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		return TRIAL_UNTRIED;
	}
	struct child_result result = child_wait(pid, sys_now_ms() + EXEC_DEADLINE_MS);
	int err = 0;
	/* Nothing to read: the pipe closed on exec, which so has worked. */
	bool told = read(report[0], &err, sizeof(err)) == (ssize_t)sizeof(err);
	close(report[0]);
	if (told)
		return err;
	if (result.end == CHILD_EXITED && result.code == 0)
		return TRIAL_DONE;
	return result.end == CHILD_TIMEOUT ? ETIMEDOUT : ENOEXEC;
}

static int try_exec(const struct trial *trial, const char *name)
{
	char path[sizeof(trial->path) + 80];
	int err = TRIAL_UNTRIED;
	if (!tiny_elf_size)
		return TRIAL_UNTRIED;
	snprintf(path, sizeof(path), "%s/%s", trial->path, name);
	for (int i = 0; i < BUSY_TRIES; i++) {
		err = exec_once(path);
		if (err != ETXTBSY)
			break;
		nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	}
	return err;
}

/* The steps on our own file, each only when those it needs have worked. */
static void try_file(struct trial *trial, int dir, bool may_exec)
{
	int *step = trial->step;
	cleanup_fd int fd = openat(dir, litter.first,
				   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	step[TRIAL_CREATE] = errno_of(fd < 0);
	if (fd < 0)
		return;
	const void *data = tiny_elf_size ? (const void *)tiny_elf : "driftprobe";
	size_t len = tiny_elf_size ? tiny_elf_size : 10;
	step[TRIAL_WRITE] = sys_write_all(fd, data, len);
	step[TRIAL_FSYNC] = errno_of(fsync(fd));
	step[TRIAL_CHMOD] = errno_of(fchmod(fd, 0700));
	close(steal_fd(fd));
	step[TRIAL_RENAME] = errno_of(renameat(dir, litter.first, dir, litter.second));
	const char *name = step[TRIAL_RENAME] ? litter.first : litter.second;
	if (may_exec && !step[TRIAL_WRITE] && !step[TRIAL_CHMOD])
		step[TRIAL_EXEC] = try_exec(trial, name);
	unlinkat(dir, name, 0);
	step[TRIAL_SYMLINK] = errno_of(symlinkat("nowhere", dir, litter.first));
}

static void try_steps(struct trial *trial, bool may_exec)
{
	struct stat before;
	cleanup_fd int dir = open(trial->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	/* A directory that may be written to but not listed: O_PATH needs no read permission. */
	if (dir < 0)
		dir = open(trial->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		trial->step[TRIAL_CREATE] = errno;
		return;
	}
	bool known = !fstat(dir, &before);
	litter_arm(dir);
	try_file(trial, dir, may_exec);
	litter_remove();
	litter.armed = 0;
	/* Best effort: only the owner may set times. */
	if (known)
		futimens(dir, (struct timespec[]){ before.st_atim, before.st_mtim });
}

static void look(struct trial *trial)
{
	struct stat st;
	struct statvfs fs;
	trial->stat_errno = errno_of(stat(trial->path, &st));
	if (trial->stat_errno)
		return;
	trial->directory = S_ISDIR(st.st_mode);
	trial->device = st.st_dev;
	trial->inode = st.st_ino;
	trial->mode = st.st_mode & 07777;
	trial->owner = st.st_uid;
	trial->statfs_errno = errno_of(statvfs(trial->path, &fs));
	if (trial->statfs_errno)
		return;
	trial->size_bytes = (int64_t)(fs.f_blocks * fs.f_frsize);
	trial->free_bytes = (int64_t)(fs.f_bavail * fs.f_frsize);
	trial->inodes = (int64_t)fs.f_files;
	trial->inodes_free = (int64_t)fs.f_favail;
	trial->readonly = fs.f_flag & ST_RDONLY;
	trial->noexec = fs.f_flag & ST_NOEXEC;
	trial->nosuid = fs.f_flag & ST_NOSUID;
}

static int trial_step(void *shared)
{
	struct trial *trial = shared;
	look(trial);
	if (trial->write && !trial->stat_errno && trial->directory)
		try_steps(trial, true);
	return 0;
}

int trial_run(struct trial *trial, int deadline_ms)
{
	for (int i = 0; i < TRIAL_STEPS; i++)
		trial->step[i] = TRIAL_UNTRIED;
	trial->stat_errno = ETIMEDOUT; /* what it stays when even stat hangs */
	struct child_result result = child_run(trial_step, trial, sizeof(*trial), deadline_ms);
	if (result.end == CHILD_EXITED)
		return 0;
	if (result.end == CHILD_REFUSED) {
		look(trial);
		if (trial->write && !trial->stat_errno && trial->directory)
			try_steps(trial, false);
		return 0;
	}
	return result.end == CHILD_TIMEOUT ? ETIMEDOUT : ECANCELED;
}
