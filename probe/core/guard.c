// SPDX-License-Identifier: Apache-2.0
#include "core/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/cleanup.h"
#include "base/sys.h"
#include "core/sink_make.h"

/* What one collector may send in all: far above any honest one. */
#define GUARD_STREAM_MAX ((size_t)8 << 20)

#define GUARD_TASKS_MAX 64

struct run {
	const struct guard_task *task;
	pid_t pid; /* 0: not running */
	int fd;
	int64_t started_ms, deadline_at_ms;
	struct buf pending;
	size_t received, facts, dropped;
	bool ended; /* the end record came */
	bool corrupt;
	char *note; /* owned */
};

static int add_coverage(struct profile *profile, const char *name, enum coverage_status status,
			int64_t duration_ms, const char *note)
{
	struct coverage row = { .collector = strdup(name),
				.status = status,
				.duration_ms = duration_ms,
				.note = note && *note ? strdup(note) : NULL };
	return profile_add_coverage(profile, row);
}

static _Noreturn void run_child(const struct guard_task *task, int fd)
{
	struct sink *sink = sink_new_fd(fd);
	if (!sink)
		_exit(1);
	task->run(sink, task->arg);
	sink_end(sink);
	_exit(0);
}

static int run_start(struct run *run, const struct guard_task *task)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return errno;
	int64_t now = sys_now_ms();
	pid_t pid = child_fork();
	if (pid == 0) {
		close(ends[0]);
		run_child(task, ends[1]);
	}
	int err = errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return err;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*run = (struct run){ .task = task,
			     .pid = pid,
			     .fd = ends[0],
			     .started_ms = now,
			     .deadline_at_ms = now + task->deadline_ms,
			     .pending = BUF_INIT(GUARD_STREAM_MAX) };
	return 0;
}

static void run_decode(struct run *run, struct profile *profile)
{
	struct sink_record record;
	size_t at = 0;
	long used;
	while ((used = sink_decode(buf_text(&run->pending) + at, run->pending.len - at, &record)) >
	       0) {
		at += (size_t)used;
		if (record.end) {
			run->ended = true;
			run->dropped += record.dropped;
			free(run->note);
			run->note = record.note;
		} else if (profile_add_fact(profile, record.fact)) {
			run->dropped++;
		} else {
			run->facts++;
		}
	}
	run->corrupt |= used < 0;
	if (at) {
		memmove(run->pending.data, run->pending.data + at, run->pending.len - at);
		run->pending.len -= at;
	}
}

/* Reads what is there. False when the stream is over. */
static bool run_read(struct run *run, struct profile *profile)
{
	for (;;) {
		char *to = buf_reserve(&run->pending, 16384);
		ssize_t n = to ? read(run->fd, to, 16384) : 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		if (n == 0)
			return false;
		run->pending.len += (size_t)n;
		run->received += (size_t)n;
		run_decode(run, profile);
		if (run->corrupt || run->received > GUARD_STREAM_MAX)
			return false;
	}
}

static enum coverage_status run_judge(const struct run *run, struct child_result result, bool late,
				      char *note, size_t size)
{
	if (late) {
		snprintf(note, size, "stopped at its deadline of %d ms with %zu facts",
			 run->task->deadline_ms, run->facts);
		return COVERAGE_TIMEOUT;
	}
	if (result.end == CHILD_SIGNALED) {
		snprintf(note, size, "ended by signal %d (%s) after %zu facts", result.code,
			 strsignal(result.code), run->facts);
		return COVERAGE_CRASHED;
	}
	if (!run->ended || run->corrupt) {
		snprintf(note, size, "its stream of facts broke off after %zu", run->facts);
		return COVERAGE_CRASHED;
	}
	if (run->dropped) {
		snprintf(note, size, "%zu facts dropped: too many, too long, or out of memory%s%s",
			 run->dropped, run->note ? "; " : "", run->note ? run->note : "");
		return COVERAGE_PARTIAL;
	}
	snprintf(note, size, "%s", run->note ? run->note : "");
	return COVERAGE_OK;
}

static void run_finish(struct run *run, bool late, const struct guard_options *options,
		       struct profile *profile)
{
	char note[512];
	struct child_result result =
		late ? child_end(run->pid) : child_wait(run->pid, sys_now_ms() + 500);
	if (late)
		run_read(run, profile);
	enum coverage_status status = run_judge(run, result, late, note, sizeof(note));
	add_coverage(profile, run->task->name, status, sys_now_ms() - run->started_ms, note);
	close(run->fd);
	buf_done(&run->pending);
	free(run->note);
	if (options->progress)
		options->progress(run->task->name, options->data);
	*run = (struct run){ 0 };
}

static void run_unguarded(const struct guard_task *task, int refused,
			  const struct guard_options *options, struct profile *profile)
{
	int64_t started = sys_now_ms();
	char note[512];
	struct sink *sink = sink_new_profile(profile);
	if (!sink) {
		add_coverage(profile, task->name, COVERAGE_SKIPPED, 0, "out of memory");
		return;
	}
	task->run(sink, task->arg);
	const char *own = sink_last_note(sink);
	if (refused)
		snprintf(note, sizeof(note), "ran unguarded, since fork was refused (%s)%s%s",
			 strerror(refused), own ? "; " : "", own ? own : "");
	else
		snprintf(note, sizeof(note), "ran unguarded%s%s", own ? "; " : "", own ? own : "");
	add_coverage(profile, task->name, COVERAGE_PARTIAL, sys_now_ms() - started, note);
	sink_free(sink);
	if (options->progress)
		options->progress(task->name, options->data);
}

/* Serves all runs until at least one has ended. */
static void runs_serve(struct run *runs, size_t count, const struct guard_options *options,
		       struct profile *profile)
{
	struct pollfd fds[GUARD_TASKS_MAX];
	size_t running = 0, before = 0;
	for (size_t i = 0; i < count; i++)
		before += runs[i].pid > 0;
	do {
		int64_t now = sys_now_ms(), wait = 1000;
		for (size_t i = 0; i < count; i++) {
			fds[i] = (struct pollfd){ .fd = runs[i].pid ? runs[i].fd : -1,
						  .events = POLLIN };
			if (runs[i].pid && runs[i].deadline_at_ms - now < wait)
				wait = runs[i].deadline_at_ms - now;
		}
		poll(fds, count, wait > 0 ? (int)wait : 0);
		now = sys_now_ms();
		running = 0;
		for (size_t i = 0; i < count; i++) {
			if (!runs[i].pid)
				continue;
			bool open = !fds[i].revents || run_read(&runs[i], profile);
			if (!open || now >= runs[i].deadline_at_ms)
				run_finish(&runs[i], open, options, profile);
			else
				running++;
		}
	} while (running && running == before);
}

int guard_run(const struct guard_task *tasks, size_t count, const struct guard_options *options,
	      struct profile *profile)
{
	cleanup_free struct run *runs = calloc(count + 1, sizeof(*runs));
	size_t running = 0;
	if (!runs || count > GUARD_TASKS_MAX)
		return runs ? E2BIG : ENOMEM;

	for (size_t i = 0; i < count; i++) {
		int err = options->in_process ? 0 : run_start(&runs[i], &tasks[i]);
		while (err && running) {
			/* Short of pids or descriptors: when one has ended there is room. */
			runs_serve(runs, count, options, profile);
			running = 0;
			for (size_t j = 0; j < i; j++)
				running += runs[j].pid > 0;
			err = run_start(&runs[i], &tasks[i]);
		}
		if (err || options->in_process)
			run_unguarded(&tasks[i], err, options, profile);
		else
			running++;
	}
	for (size_t i = 0; i < count; i++)
		while (runs[i].pid)
			runs_serve(runs, count, options, profile);
	return 0;
}
