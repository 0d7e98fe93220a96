// SPDX-License-Identifier: Apache-2.0
#include "base/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/sys.h"
#include "base/tiny_elf.h"

#define EXEC_DEADLINE_MS 1000
#define EXEC_BUSY_TRIES                                                                            \
	20 /* of ETXTBSY: whoever forks while we write holds our descriptor for a while */

/* More than a filesystem hides inside an inode: a full disk would take those. */
#define BLOCK_SIZE ((size_t)8192)

/* No errno: the call said yes, and did nothing. */
#define NO_EFFECT -1
/* No verdict: what it takes was not to be had. */
#define NO_MEANS  -2
/* Above any errno: death by a signal. */
#define KILLED_BY 100000

#ifndef STATX_ATTR_APPEND /* in the kernel's headers, not in every library's */
#define STATX_ATTR_APPEND 0x20
#endif

/*
 * A signal handler gets no argument to find our files by: hence the one object at file scope. It is armed only
 * while the files exist.
 */
static struct {
	volatile sig_atomic_t armed;
	int dir;
	char names[2][TRIAL_NAME_MAX];
	bool times_known;
	struct timespec times[2];
} handler_litter;

static void litter_remove(int dir, const char (*names)[TRIAL_NAME_MAX],
			  const struct timespec *times)
{
	unlinkat(dir, names[0], 0);
	unlinkat(dir, names[1], 0);
	/* Best effort: only the owner may. What others did in the same instant is put back with it. */
	if (times)
		utimensat(dir, ".", times, 0);
}

/* SA_RESETHAND: the signal that is raised again takes its default course when we return. */
static void on_signal(int signal)
{
	if (handler_litter.armed)
		litter_remove(handler_litter.dir, handler_litter.names,
			      handler_litter.times_known ? handler_litter.times : NULL);
	raise(signal);
}

static const int fatal_signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGPIPE };
struct old_signals {
	struct sigaction fatal[ARRAY_SIZE(fatal_signals)], file_size;
};

static void litter_arm(const struct trial *trial, int dir, struct old_signals *old)
{
	handler_litter.dir = dir;
	memcpy(handler_litter.names, trial->names, sizeof(handler_litter.names));
	handler_litter.times_known = trial->times_known;
	memcpy(handler_litter.times, trial->times, sizeof(handler_litter.times));
	handler_litter.armed = 1;
	for (size_t i = 0; i < ARRAY_SIZE(fatal_signals); i++) {
		struct sigaction action = { .sa_handler = on_signal,
					    .sa_flags = (int)SA_RESETHAND };
		sigaction(fatal_signals[i], NULL, &old->fatal[i]);
		/* Ignored as received (nohup): it stays so. */
		if (old->fatal[i].sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &action, NULL);
	}
	/* A file size limit of 0 shall answer with EFBIG, not with death. */
	sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, &old->file_size);
}

static void litter_disarm(const struct old_signals *old)
{
	for (size_t i = 0; i < ARRAY_SIZE(fatal_signals); i++)
		sigaction(fatal_signals[i], &old->fatal[i], NULL);
	sigaction(SIGXFSZ, &old->file_size, NULL);
	handler_litter.armed = 0;
}

struct work {
	const struct trial *trial;
	int dir;
	int fd; /* of our file, or -1 */
	int at; /* which of the names it bears */
};

static int try_create(struct work *work)
{
	/* 0700 at once: where chmod does not work, exec may all the same. */
	work->fd = openat(work->dir, work->trial->names[0],
			  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0700);
	return work->fd < 0 ? errno : 0;
}

static int try_write(struct work *work)
{
	char block[BLOCK_SIZE] = "driftprobe", back[BLOCK_SIZE];
	memcpy(block, tiny_elf, tiny_elf_size);
	int err = sys_write_all(work->fd, block, sizeof(block));
	if (err)
		return err;
	ssize_t n = pread(work->fd, back, sizeof(back), 0);
	if (n < 0)
		return errno;
	return n == (ssize_t)sizeof(back) && !memcmp(block, back, sizeof(back)) ? 0 : NO_EFFECT;
}

/* Shared folders of virtual machines say yes to any mode and keep their own. */
static int try_chmod(struct work *work)
{
	static const mode_t modes[] = { 0640, 0700 };
	struct stat st;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (fchmod(work->fd, modes[i]) || fstat(work->fd, &st))
			return errno;
		if ((st.st_mode & 0777) != modes[i])
			return NO_EFFECT;
	}
	return 0;
}

static int try_symlink(struct work *work)
{
	struct stat st;
	const char *name = work->trial->names[1];
	if (symlinkat("nowhere", work->dir, name))
		return errno;
	bool there = !fstatat(work->dir, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
	unlinkat(work->dir, name, 0);
	return there ? 0 : NO_EFFECT;
}

/* Over a file that is there: how editors and package managers save. */
static int try_rename(struct work *work)
{
	struct stat st;
	const char *const from = work->trial->names[0], *const to = work->trial->names[1];
	/* With the last inode taken there is no target; the rename itself can be tried still. */
	cleanup_fd int target =
		openat(work->dir, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (renameat(work->dir, from, work->dir, to))
		return errno;
	if (!fstatat(work->dir, from, &st, AT_SYMLINK_NOFOLLOW))
		return NO_EFFECT;
	work->at = 1;
	return 0;
}

/*
 * The verdict of one execve: 0, errno, or one of the words above. By vfork(2), since a dozen directories are
 * tried and each fork(2) costs as much as all the other steps together; the child shares our memory until
 * it execs, and so leaves the errno there. What is executed ends at once, and cannot outlive us for long.
 */
static int exec_once(const struct work *work)
{
	const char *name = work->trial->names[work->at];
	char *const argv[] = { (char *)name, NULL }, *const envp[] = { NULL };
	volatile int err = 0;
	/* Only system calls between vfork and exec. */
	/* NOLINTBEGIN(clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork) */
	pid_t pid = vfork();
	if (pid == 0) {
		setpgid(0, 0); /* child_end() ends groups */
		if (!fchdir(work->dir))
			execve(name, argv, envp);
		err = errno;
		_exit(127);
	}
	/* NOLINTEND(clang-analyzer-security.insecureAPI.vfork,clang-analyzer-unix.Vfork) */
	if (pid < 0)
		return NO_MEANS;
	struct child_result result = child_wait(pid, sys_now_ms() + EXEC_DEADLINE_MS);
	if (err)
		return err;
	if (result.end == CHILD_SIGNALED)
		return KILLED_BY + result.code;
	if (result.end == CHILD_TIMEOUT)
		return ETIMEDOUT;
	return result.code ? NO_EFFECT : 0;
}

static int try_exec(struct work *work)
{
	int err = NO_MEANS;
	if (!tiny_elf_size || work->trial->in_process)
		return NO_MEANS;
	/* Open for writing it would be ETXTBSY. */
	close(steal_fd(work->fd));
	for (int i = 0; i < EXEC_BUSY_TRIES; i++) {
		err = exec_once(work);
		if (err != ETXTBSY)
			break;
		nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	}
	return err;
}

static int try_fsync(struct work *work)
{
	cleanup_fd int fd =
		openat(work->dir, work->trial->names[work->at], O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno;
	return fsync(fd) ? errno : 0;
}

static const struct {
	const char *name, *call;
	int (*try)(struct work *work);
	enum trial_step needs;
} steps[TRIAL_STEPS] = {
	[TRIAL_CREATE] = { "create", "openat(O_CREAT)", try_create, TRIAL_CREATE },
	[TRIAL_WRITE] = { "write", "write", try_write, TRIAL_CREATE },
	[TRIAL_CHMOD] = { "chmod", "fchmod", try_chmod, TRIAL_CREATE },
	[TRIAL_SYMLINK] = { "symlink", "symlinkat", try_symlink, TRIAL_CREATE },
	[TRIAL_RENAME] = { "rename", "renameat", try_rename, TRIAL_CREATE },
	[TRIAL_EXEC] = { "exec", "execve", try_exec, TRIAL_WRITE },
	[TRIAL_FSYNC] = { "fsync", "fsync", try_fsync, TRIAL_WRITE },
};

const char *trial_name(enum trial_step step)
{
	return steps[step].name;
}

const char *trial_source(const struct trial *trial, enum trial_step step)
{
	const struct trial_answer *answer = &trial->answers[step];
	if (answer->end == TRIAL_UNTRIED && step == TRIAL_CREATE && answer->err == EINVAL)
		return "not tried among the kernel's own files";
	if (answer->end == TRIAL_UNTRIED && step == TRIAL_CREATE && answer->err == EPERM)
		return "not tried where nothing can be removed (append-only)";
	if (answer->end == TRIAL_UNTRIED && step == TRIAL_EXEC && trial->in_process)
		return "fork refused";
	return steps[step].call;
}

static struct trial_answer answer_of(int err)
{
	/* Short of means is no answer about the directory. */
	if (err == NO_MEANS || err == ENOMEM || err == EMFILE || err == ENFILE || err == EINTR ||
	    err == EAGAIN)
		return (struct trial_answer){ TRIAL_UNTRIED, err == NO_MEANS ? EAGAIN : err };
	if (err == NO_EFFECT)
		return (struct trial_answer){ TRIAL_NO_EFFECT, 0 };
	if (err == ETIMEDOUT)
		return (struct trial_answer){ TRIAL_HUNG, 0 };
	if (err > KILLED_BY)
		return (struct trial_answer){ TRIAL_KILLED, err - KILLED_BY };
	return (struct trial_answer){ err ? TRIAL_REFUSED : TRIAL_DONE, err };
}

static void try_steps(struct trial *trial, int dir)
{
	struct work work = { .trial = trial, .dir = dir, .fd = -1 };
	for (int step = 0; step < TRIAL_STEPS; step++) {
		struct trial_answer *answer = &trial->answers[step];
		bool settled = answer->end != TRIAL_UNTRIED || answer->err;
		/* The file and what is in it is needed again by a second run. */
		bool again = step <= TRIAL_WRITE && answer->end == TRIAL_DONE;
		if ((settled && !again) ||
		    (step != TRIAL_CREATE && trial->answers[steps[step].needs].end != TRIAL_DONE))
			continue;
		trial->now = step;
		int err = steps[step].try(&work);
		if (!settled)
			*answer = answer_of(err);
		if (step == TRIAL_CREATE && err)
			break;
	}
	if (work.fd >= 0)
		close(work.fd);
}

/* Files can be made in an append-only directory, and never be removed. */
static bool append_only(int dir)
{
	struct statx st;
	return !statx(dir, "", AT_EMPTY_PATH, STATX_TYPE, &st) &&
	       (st.stx_attributes & STATX_ATTR_APPEND);
}

static void name_files(struct trial *trial)
{
	uint64_t noise = 0;
	if (trial->predictable ||
	    getrandom(&noise, sizeof(noise), GRND_NONBLOCK) != sizeof(noise)) {
		struct timespec now = { 0 };
		clock_gettime(CLOCK_MONOTONIC, &now);
		noise = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec << 20 ^
			(uint64_t)getpid();
	}
	for (int i = 0; i < 2; i++)
		snprintf(trial->names[i], TRIAL_NAME_MAX, ".driftprobe-%016llx.%c",
			 (unsigned long long)noise, 'a' + i);
}

static int open_dir(const char *path)
{
	/* O_PATH: a directory that may be written to need not be readable. */
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 && (errno == EINVAL || errno == ENOSYS))
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	return dir;
}

/* Removes both names; littered stays when one is still there. */
static void litter_end(struct trial *trial, int dir)
{
	struct stat st;
	litter_remove(dir, trial->names, trial->times_known ? trial->times : NULL);
	trial->littered = !fstatat(dir, trial->names[0], &st, AT_SYMLINK_NOFOLLOW) ||
			  !fstatat(dir, trial->names[1], &st, AT_SYMLINK_NOFOLLOW);
}

void trial_run(struct trial *trial, const char *path)
{
	struct stat st;
	struct old_signals old;

	trial->now = -1;
	name_files(trial);
	trial->now = TRIAL_CREATE;
	cleanup_fd int dir = open_dir(path);
	if (dir < 0) {
		trial->answers[TRIAL_CREATE] = answer_of(errno);
		return;
	}
	if (append_only(dir)) {
		trial->answers[TRIAL_CREATE] = (struct trial_answer){ TRIAL_UNTRIED, EPERM };
		return;
	}
	trial->times_known = !fstat(dir, &st);
	if (trial->times_known) {
		trial->times[0] = st.st_atim;
		trial->times[1] = st.st_mtim;
	}
	trial->littered = true;
	litter_arm(trial, dir, &old);
	try_steps(trial, dir);
	if (trial->answers[TRIAL_CREATE].end == TRIAL_DONE)
		litter_end(trial, dir);
	else
		trial->littered = false;
	litter_disarm(&old);
}

void trial_clean(struct trial *trial, const char *path)
{
	if (!trial->littered)
		return;
	cleanup_fd int dir = open_dir(path);
	if (dir >= 0)
		litter_end(trial, dir);
}
