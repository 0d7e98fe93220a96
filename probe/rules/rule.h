/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules conclude findings from facts. A rule is one row: what it looks at, when it fires, what that does to a
 * task, how to mend it. Unknown facts never fire a rule unless the rule is about not knowing.
 */
#ifndef RULES_RULE_H
#define RULES_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/profile.h"

#define RULE_EVIDENCE_MAX 24

/* What a check found, beyond yes: filled by the check, read by the engine. */
struct verdict {
	const char *evidence[RULE_EVIDENCE_MAX]; /* keys, borrowed from the profile or static */
	size_t evidence_count;
	char detail[512]; /* takes the place of %s in title */
	enum severity severity; /* starts as the rule's; a check may lower or raise it */
	enum confidence confidence; /* likewise */
};

struct rule {
	const char *id; /* stable: subject.problem */
	enum severity severity;
	enum confidence confidence;
	enum who who;
	const char *title; /* one sentence; at most one %s for the detail */
	const char *consequence; /* what it does to a task */
	const char *remedy; /* the imperative, to who can apply it */

	/* Fires when the pattern (key_matches) has a fact that is true / false / absent; or when check says so. */
	const char *when_true;
	const char *when_false;
	const char *when_absent;
	bool (*check)(const struct profile *profile, struct verdict *verdict);

	/* For driftprobe explain. */
	const char *meaning; /* what it is and how it was established */
	const char *docker, *kubernetes, *podman, *bubblewrap,
		*task; /* how to mend it there; NULL: no way */
	const char *ignore; /* when not to care */
};

/* A subject's rules; every subject is one row in rules.c's table. */
struct rule_set {
	const struct rule *rules;
	size_t count;
};

/* Adds a key as evidence; too many are left out. */
void verdict_add(struct verdict *verdict, const char *key);
void verdict_detail(struct verdict *verdict, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds an item to the detail, with a comma between; what does not fit is cut off. */
void verdict_list(struct verdict *verdict, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Runs all rules over a sorted profile; replaces its findings. 0, or -1 when out of memory. */
int rules_run(struct profile *profile);

/* Rule by id, or NULL. And the walk over all: NULL to begin with. */
const struct rule *rules_find(const char *id);
const struct rule *rules_next(const struct rule *prev);

/* The rule id nearest to a mistyped one, or NULL when none is near. */
const char *rules_nearest(const char *id);

#endif
