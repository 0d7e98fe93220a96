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

/* A child and the tasks that it works through, one after the other; mostly it is one. */
struct run {
	const struct guard_task *tasks[GUARD_TASKS_MAX];
	size_t count, at; /* tasks[at] is under way */
	pid_t pid; /* 0: not running */
	int fd; /* closes when the child has ended */
	int64_t started_ms; /* of tasks[at], as far as it can be told from here */
	int64_t deadline_at_ms;
	struct sink_area *area; /* mapped; what the child has said */
	size_t mapped, read;
	size_t facts, dropped; /* of tasks[at] */
	bool corrupt;
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

static _Noreturn void run_child(const struct run *run, struct sink_area *area)
{
	for (size_t i = 0; i < run->count; i++) {
		int64_t started = sys_now_ms();
		struct sink *sink = sink_new_area(area);
		if (!sink)
			_exit(1);
		run->tasks[i]->run(sink, run->tasks[i]->arg);
		sink_end(sink, sys_now_ms() - started);
		sink_free(sink);
	}
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

/* Starts the child of a run whose tasks are set. 0 or errno. */
static int run_start(struct run *run)
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
	pid_t pid = child_fork();
	if (pid == 0) {
		close(ends[0]);
		run_child(run, area);
	}
	int err = errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		munmap(area, mapped);
		return err;
	}
	run->pid = pid;
	run->fd = ends[0];
	run->area = area;
	run->mapped = mapped;
	run->at = run->read = run->facts = run->dropped = 0;
	run->corrupt = false;
	run->started_ms = sys_now_ms();
	run->deadline_at_ms = run->started_ms + run->tasks[0]->deadline_ms;
	return 0;
}

static void task_told(struct run *run, enum coverage_status status, int64_t duration_ms,
		      const char *note, const struct guard_options *options,
		      struct profile *profile)
{
	const char *name = run->tasks[run->at]->name;
	add_coverage(profile, name, status, duration_ms, note);
	if (options->progress)
		options->progress(name, options->data);
	run->at++;
	run->facts = run->dropped = 0;
	run->started_ms = sys_now_ms();
}

/* A task has come to its end by itself. */
static void task_ended(struct run *run, const struct sink_record *record,
		       const struct guard_options *options, struct profile *profile)
{
	char note[512];
	const char *own = record->note ? record->note : "";
	size_t dropped = run->dropped + record->dropped;
	if (dropped)
		snprintf(note, sizeof(note),
			 "%zu facts dropped: too many, too long, or out of memory%s%s", dropped,
			 *own ? "; " : "", own);
	else
		snprintf(note, sizeof(note), "%s", own);
	task_told(run, dropped ? COVERAGE_PARTIAL : COVERAGE_OK, record->duration_ms, note, options,
		  profile);
}

/* What was said since the last time. */
static void run_decode(struct run *run, const struct guard_options *options,
		       struct profile *profile)
{
	struct sink_record record;
	size_t len = atomic_load(&run->area->used);
	long used = 1;
	while (run->read < len && run->at < run->count &&
	       (used = sink_decode(run->area->data + run->read, len - run->read, &record)) > 0) {
		run->read += (size_t)used;
		if (record.end) {
			task_ended(run, &record, options, profile);
			free(record.note);
		} else if (profile_add_fact(profile, record.fact)) {
			run->dropped++;
		} else {
			run->facts++;
		}
	}
	run->corrupt |= used <= 0;
}

/* The task under way has not come to its end: why. */
static void task_cut(struct run *run, struct child_result result, bool late,
		     const struct guard_options *options, struct profile *profile)
{
	char note[512];
	enum coverage_status status = late ? COVERAGE_TIMEOUT : COVERAGE_CRASHED;
	if (late)
		snprintf(note, sizeof(note), "stopped at its deadline of %d ms with %zu facts",
			 run->tasks[run->at]->deadline_ms, run->facts);
	else if (result.end == CHILD_SIGNALED)
		snprintf(note, sizeof(note), "ended by signal %d (%s) after %zu facts", result.code,
			 strsignal(result.code), run->facts);
	else
		snprintf(note, sizeof(note), "it broke off after %zu facts", run->facts);
	task_told(run, status, sys_now_ms() - run->started_ms, note, options, profile);
}

static void run_unguarded(const struct guard_task *task, int refused,
			  const struct guard_options *options, struct profile *profile);

/* The tasks behind one that was cut get a new child; where that is refused, they run here. */
static void run_go_on(struct run *run, const struct guard_options *options, struct profile *profile)
{
	size_t left = run->count - run->at;
	memmove(run->tasks, run->tasks + run->at, left * sizeof(run->tasks[0]));
	run->count = left;
	int err = left ? run_start(run) : 0;
	for (size_t i = 0; i < left && err; i++)
		run_unguarded(run->tasks[i], err, options, profile);
}

static void run_finish(struct run *run, bool late, const struct guard_options *options,
		       struct profile *profile)
{
	struct child_result result =
		late ? child_end(run->pid) : child_wait(run->pid, sys_now_ms() + 500);
	run_decode(run, options, profile);
	if (run->at < run->count)
		task_cut(run, result, late, options, profile);
	close(run->fd);
	munmap(run->area, run->mapped);
	run->pid = 0;
	run_go_on(run, options, profile);
}

/* At a deadline: has another task come up since it was set? Then it is that task's time that counts. */
static bool run_moved(struct run *run, const struct guard_options *options, struct profile *profile)
{
	size_t before = run->at;
	run_decode(run, options, profile);
	if (run->at == before || run->at == run->count || run->corrupt)
		return false;
	run->deadline_at_ms = sys_now_ms() + run->tasks[run->at]->deadline_ms;
	return true;
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

/* Serves all runs until at least one child fewer is at work. */
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
			bool due = now >= runs[i].deadline_at_ms;
			if (!open || (due && !run_moved(&runs[i], options, profile)))
				run_finish(&runs[i], open, options, profile);
			running += runs[i].pid > 0;
		}
	} while (running && running == before);
}

static size_t runs_count(const struct run *runs, size_t count)
{
	size_t running = 0;
	for (size_t i = 0; i < count; i++)
		running += runs[i].pid > 0;
	return running;
}

/* One run for all tasks that may share a child, then one for each other. Returns how many. */
static size_t runs_plan(struct run *runs, const struct guard_task *tasks, size_t count)
{
	struct run *shared = NULL;
	size_t planned = 0;
	for (size_t i = 0; i < count; i++) {
		struct run *run = tasks[i].shares && shared ? shared : &runs[planned++];
		if (tasks[i].shares)
			shared = run;
		run->tasks[run->count++] = &tasks[i];
	}
	return planned;
}

int guard_run(const struct guard_task *tasks, size_t count, const struct guard_options *options,
	      struct profile *profile)
{
	cleanup_free struct run *runs = calloc(count + 1, sizeof(*runs));
	if (!runs || count > GUARD_TASKS_MAX)
		return runs ? E2BIG : ENOMEM;

	size_t planned = runs_plan(runs, tasks, count);
	for (size_t i = 0; i < planned; i++) {
		int err = options->in_process ? 0 : run_start(&runs[i]);
		while (err && runs_count(runs, i)) {
			/* Short of pids or descriptors: when one has ended there is room. */
			runs_serve(runs, i, options, profile);
			err = run_start(&runs[i]);
		}
		for (size_t k = 0; k < runs[i].count && (err || options->in_process); k++)
			run_unguarded(runs[i].tasks[k], err, options, profile);
	}
	while (runs_count(runs, planned))
		runs_serve(runs, planned, options, profile);
	return 0;
}
