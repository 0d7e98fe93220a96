// SPDX-License-Identifier: Apache-2.0
#include "core/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/sys.h"
#include "core/sink_make.h"

/*
 * What one collector may say in all: far above any honest one. Only what is used takes memory; where even the
 * address space is short it is halved down to the least.
 */
#define AREA_MAX   ((size_t)4 << 20)
#define AREA_LEAST ((size_t)64 << 10)

#define GUARD_TASKS_MAX 64

struct run {
	const struct guard_task *task;
	pid_t pid; /* 0: not running */
	int fd; /* closes when the child has ended */
	int64_t started_ms, deadline_at_ms;
	struct sink_area *area; /* mapped; what the child has said */
	size_t mapped, facts, dropped;
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

static _Noreturn void run_child(const struct guard_task *task, struct sink_area *area)
{
	struct sink *sink = sink_new_area(area);
	if (!sink)
		_exit(1);
	task->run(sink, task->arg);
	sink_end(sink);
	_exit(0);
}

static struct sink_area *area_map(size_t *mapped)
{
	for (size_t size = AREA_MAX; size >= AREA_LEAST; size /= 2) {
		struct sink_area *area = mmap(NULL, size, PROT_READ | PROT_WRITE,
					      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (area == MAP_FAILED)
			continue;
		area->size = size - sizeof(*area);
		*mapped = size;
		return area;
	}
	return NULL;
}

static int run_start(struct run *run, const struct guard_task *task)
{
	int ends[2];
	size_t mapped = 0;
	struct sink_area *area = area_map(&mapped);
	if (!area)
		return ENOMEM;
	if (pipe2(ends, O_CLOEXEC)) {
		int err = errno;
		munmap(area, mapped);
		return err;
	}
	int64_t now = sys_now_ms();
	pid_t pid = child_fork();
	if (pid == 0) {
		close(ends[0]);
		run_child(task, area);
	}
	int err = errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		munmap(area, mapped);
		return err;
	}
	*run = (struct run){ .task = task,
			     .pid = pid,
			     .fd = ends[0],
			     .started_ms = now,
			     .deadline_at_ms = now + task->deadline_ms,
			     .area = area,
			     .mapped = mapped };
	return 0;
}

/* What was said, however the child has ended. */
static void run_decode(struct run *run, struct profile *profile)
{
	struct sink_record record;
	size_t at = 0, len = atomic_load(&run->area->used);
	long used = 1;
	while (at < len && (used = sink_decode(run->area->data + at, len - at, &record)) > 0) {
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
	run->corrupt = used <= 0;
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
		snprintf(note, size, "it broke off after %zu facts", run->facts);
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
	run_decode(run, profile);
	enum coverage_status status = run_judge(run, result, late, note, sizeof(note));
	add_coverage(profile, run->task->name, status, sys_now_ms() - run->started_ms, note);
	close(run->fd);
	munmap(run->area, run->mapped);
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
			bool open = !fds[i].revents;
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
