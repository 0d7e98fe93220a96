// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"

#define TERM_GRACE_MS 100
#define KILL_GRACE_MS 200 /* longer than this after SIGKILL means stuck in the kernel */

static void child_manners(pid_t parent)
{
	struct sigaction now, standard = { .sa_handler = SIG_DFL };

	/* A signal that was ignored when we were started stays ignored: that is a fact to report. */
	for (int signal = 1; signal < 32; signal++)
		if (!sigaction(signal, NULL, &now) && now.sa_handler != SIG_IGN &&
		    now.sa_handler != SIG_DFL)
			sigaction(signal, &standard, NULL);
	setpgid(0, 0);
	/* SIGTERM, not SIGKILL: the child may have a file of its own to remove. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	/* Not setrlimit(3): that is prlimit64 in every C library, and where a filter kills for it we need to live. */
	syscall(SYS_setrlimit, RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

pid_t child_fork(void)
{
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		child_manners(parent);
	else if (pid > 0)
		setpgid(pid, pid); /* on both sides: whoever comes first */
	return pid;
}

/* Reaps pid if it has ended: true and *result filled. */
static bool child_reap(pid_t pid, struct child_result *result)
{
	int status;
	pid_t got;
	do
		got = waitpid(pid, &status, WNOHANG);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return false;
	if (got < 0)
		*result = (struct child_result){ CHILD_TIMEOUT, 0 };
	else if (WIFSIGNALED(status))
		*result = (struct child_result){ CHILD_SIGNALED, WTERMSIG(status) };
	else
		*result = (struct child_result){ CHILD_EXITED, WEXITSTATUS(status) };
	return true;
}

/* Polls with growing pauses; a pidfd would be neater but is refused in many sandboxes. */
static bool child_reap_until(pid_t pid, int64_t until_ms, struct child_result *result)
{
	for (int pause_us = 200;;) {
		if (child_reap(pid, result))
			return true;
		if (sys_now_ms() >= until_ms)
			return false;
		nanosleep(&(struct timespec){ 0, pause_us * 1000L }, NULL);
		if (pause_us < 10000)
			pause_us += pause_us / 2;
	}
}

struct child_result child_end(pid_t pid)
{
	struct child_result result = { CHILD_TIMEOUT, 0 };
	kill(-pid, SIGTERM);
	bool gone = child_reap_until(pid, sys_now_ms() + TERM_GRACE_MS, &result);
	/* Grandchildren may outlive the leader of the group. */
	kill(-pid, SIGKILL);
	if (!gone)
		child_reap_until(pid, sys_now_ms() + KILL_GRACE_MS, &result);
	return result;
}

struct child_result child_wait(pid_t pid, int64_t deadline_at_ms)
{
	struct child_result result;
	if (child_reap_until(pid, deadline_at_ms, &result)) {
		kill(-pid, SIGKILL);
		return result;
	}
	child_end(pid);
	return (struct child_result){ CHILD_TIMEOUT, 0 };
}

struct child_result child_run_shared(int (*step)(void *shared), void *shared, int deadline_ms)
{
	pid_t pid = child_fork();
	if (pid == 0)
		_exit(step(shared));
	if (pid < 0)
		return (struct child_result){ CHILD_REFUSED, errno };
	return child_wait(pid, sys_now_ms() + deadline_ms);
}

struct child_result child_run(int (*step)(void *shared), void *shared, size_t size, int deadline_ms)
{
	size_t mapped = size ? size : 1;
	void *common =
		mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (common == MAP_FAILED)
		return (struct child_result){ CHILD_REFUSED, errno };
	if (size)
		memcpy(common, shared, size);
	struct child_result result = child_run_shared(step, common, deadline_ms);
	if (size)
		memcpy(shared, common, size);
	munmap(common, mapped);
	return result;
}
