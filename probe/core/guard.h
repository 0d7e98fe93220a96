/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs collectors side by side, each in a forked child with its own deadline that speaks its facts into memory
 * we share. Where fork is refused they run one after the other in this process, and the coverage says so.
 */
#ifndef CORE_GUARD_H
#define CORE_GUARD_H

#include <stdbool.h>

#include "core/profile.h"
#include "core/sink.h"

struct guard_task {
	const char *name; /* of the coverage row */
	int deadline_ms;
	bool shares; /* short and harmless: may run in one child with others like it */
	void (*run)(struct sink *sink, const void *arg);
	const void *arg;
};

struct guard_options {
	bool in_process; /* do not fork at all */
	void (*progress)(const char *name, void *data); /* a task has ended; may be NULL */
	void *data;
};

/* Facts and coverage rows go into profile. Returns 0, or an errno when nothing at all could be run. */
int guard_run(const struct guard_task *tasks, size_t count, const struct guard_options *options,
	      struct profile *profile);

#endif
