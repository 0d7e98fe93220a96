// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/sys.h"

#define JOBS_MAX 32

/* A program on its way. Two pipes: its output, and the errno of an exec that failed. */
struct running {
	struct child_program *program; /* NULL: free slot */
	pid_t pid;
	int output, status;
	int64_t deadline_at_ms;
};

/*
 * An order to end comes as SIGTERM from whoever started us, or when it dies. It must reach the programs, which
 * are groups of their own: so it is read from a descriptor while they run, and obeyed afterwards.
 */
struct orders {
	int fd; /* -1: to be had here only as an ordinary signal */
	sigset_t before;
};

static struct orders orders_open(void)
{
	struct orders orders = { .fd = -1 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &orders.before);
	orders.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (orders.fd < 0)
		sigprocmask(SIG_SETMASK, &orders.before, NULL);
	return orders;
}

/* Obeys what has come meanwhile: unblocked, a SIGTERM that is pending takes effect here. */
static void orders_close(struct orders *orders)
{
	if (orders->fd < 0)
		return;
	close(orders->fd);
	sigprocmask(SIG_SETMASK, &orders->before, NULL);
}

static _Noreturn void program_exec(const struct child_program *program, const struct orders *orders,
				   int output, int status)
{
	sigprocmask(SIG_SETMASK, &orders->before, NULL);
	int null = open("/dev/null", O_RDONLY);
	if (null > 0)
		dup2(null, 0);
	else if (null < 0)
		close(0);
	dup2(output, 1);
	dup2(output, 2);
	execve(program->argv[0], (char *const *)program->argv, (char *const *)program->envp);
	int err = errno;
	sys_write_all(status, &err, sizeof(err));
	_exit(127);
}

/* Keeps descriptors off 0-2, so that dup2() onto them never closes one that is still needed. */
static int high_pipe(int ends[2])
{
	int low[2];
	if (pipe2(low, O_CLOEXEC))
		return errno;
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
		close(low[i]);
	}
	if (ends[0] >= 0 && ends[1] >= 0)
		return 0;
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	return EMFILE;
}

static int program_start(struct running *slot, struct child_program *program,
			 const struct orders *orders, int deadline_ms)
{
	int output[2], status[2];
	int err = high_pipe(output);
	if (err)
		return err;
	err = high_pipe(status);
	if (err) {
		close(output[0]);
		close(output[1]);
		return err;
	}
	pid_t pid = child_fork();
	if (pid == 0)
		program_exec(program, orders, output[1], status[1]);
	err = errno;
	close(output[1]);
	close(status[1]);
	if (pid < 0) {
		close(output[0]);
		close(status[0]);
		return err;
	}
	fcntl(output[0], F_SETFL, O_NONBLOCK);
	*slot = (struct running){ program, pid, output[0], status[0], sys_now_ms() + deadline_ms };
	return 0;
}

/* Takes what there is to read. False once the program has closed its output. */
static bool program_read(struct running *slot)
{
	struct child_program *program = slot->program;
	char chunk[4096];
	for (;;) {
		ssize_t n = read(slot->output, chunk, sizeof(chunk));
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (n == 0)
			return false;
		size_t room = program->size - 1 - program->length;
		size_t keep = (size_t)n < room ? (size_t)n : room;
		memcpy(program->output + program->length, chunk, keep);
		program->length += keep;
		program->output[program->length] = '\0';
	}
}

static void program_finish(struct running *slot, bool late)
{
	struct child_program *program = slot->program;
	int err;

	if (late) {
		child_end(slot->pid);
		program->result = (struct child_result){ CHILD_TIMEOUT, 0 };
	} else {
		/* Output closed before exit: a little patience for the exit status itself. */
		program->result = child_wait(slot->pid, sys_now_ms() + 250);
	}
	/* EOF here means that exec worked: the pipe is close-on-exec. */
	if (program->result.end == CHILD_EXITED &&
	    read(slot->status, &err, sizeof(err)) == (ssize_t)sizeof(err))
		program->exec_errno = err;
	close(slot->output);
	close(slot->status);
	slot->program = NULL;
}

/* False when an order to end has come: all programs are ended then. */
static bool programs_poll(struct running *slots, unsigned int jobs, const struct orders *orders)
{
	struct pollfd fds[JOBS_MAX + 1];
	int64_t now = sys_now_ms(), wait = 1000;
	for (unsigned int i = 0; i < jobs; i++) {
		fds[i] = (struct pollfd){ .fd = slots[i].program ? slots[i].output : -1,
					  .events = POLLIN };
		if (slots[i].program && slots[i].deadline_at_ms - now < wait)
			wait = slots[i].deadline_at_ms - now;
	}
	fds[jobs] = (struct pollfd){ .fd = orders->fd, .events = POLLIN };
	poll(fds, jobs + 1, wait > 0 ? (int)wait : 0);
	bool stop = fds[jobs].revents & POLLIN;
	now = sys_now_ms();
	for (unsigned int i = 0; i < jobs; i++) {
		if (!slots[i].program)
			continue;
		bool open = !fds[i].revents || program_read(&slots[i]);
		if (!open || stop || now >= slots[i].deadline_at_ms)
			program_finish(&slots[i], open);
	}
	return !stop;
}

/* Fills free slots. Returns how many are busy; *next advances past what was started or refused. */
static unsigned int programs_start(struct running *slots, unsigned int jobs,
				   struct child_program *programs, size_t count, size_t *next,
				   const struct orders *orders, int deadline_ms)
{
	unsigned int busy = 0;
	for (unsigned int i = 0; i < jobs; i++)
		busy += slots[i].program != NULL;
	for (unsigned int i = 0; i < jobs && *next < count; i++) {
		if (slots[i].program)
			continue;
		int err = program_start(&slots[i], &programs[*next], orders, deadline_ms);
		if (!err)
			busy++;
		else if (busy)
			break; /* pids or descriptors are short: wait for one to end, then again */
		else
			programs[*next].result = (struct child_result){ CHILD_REFUSED, err };
		++*next;
	}
	return busy;
}

void child_run_programs(struct child_program *programs, size_t count, unsigned int jobs,
			int deadline_ms)
{
	struct running slots[JOBS_MAX] = { 0 };
	size_t next = 0;

	if (!jobs || jobs > JOBS_MAX)
		jobs = JOBS_MAX;
	for (size_t i = 0; i < count; i++) {
		programs[i].length = 0;
		programs[i].exec_errno = 0;
		programs[i].output[0] = '\0';
	}
	struct orders orders = orders_open();
	while (programs_start(slots, jobs, programs, count, &next, &orders, deadline_ms) ||
	       next < count)
		if (!programs_poll(slots, jobs, &orders))
			break;
	orders_close(&orders);
}
