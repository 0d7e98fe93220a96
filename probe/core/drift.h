/* SPDX-License-Identifier: Apache-2.0 */
/* Drift: what differs between two profiles, fact by fact, typed, each with what it means for a task. */
#ifndef CORE_DRIFT_H
#define CORE_DRIFT_H

#include "core/profile.h"

enum drift_change { DRIFT_LOST, DRIFT_GAINED, DRIFT_CHANGED, DRIFT_NOT_COMPARABLE };

const char *drift_change_name(enum drift_change change);

struct drift_row {
	const char *key; /* borrowed from one of the profiles */
	enum drift_change change;
	const struct fact *local; /* borrowed; NULL when that side has no such fact */
	const struct fact *remote;
	enum severity severity;
	const char *rule; /* id of the rule or drift row that gave the words; borrowed, static */
	char *title; /* owned: one sentence; rows with one rule and title belong together */
	char *consequence; /* owned, may be NULL */
	char *remedy; /* owned, may be NULL */
	enum who who;
};

struct drift {
	struct drift_row *rows; /* worst first, then by key */
	size_t count;
	size_t ignored; /* differences of no consequence (pids, times, counters) left out */
	size_t compared; /* keys looked at */
};

/* Frees what a row holds, not the struct. */
void drift_row_done(struct drift_row *row);

void drift_free(struct drift *drift);
static inline void drift_cleanup(struct drift **drift)
{
	drift_free(*drift);
}
#define cleanup_drift __attribute__((__cleanup__(drift_cleanup)))

#endif
