/* SPDX-License-Identifier: Apache-2.0 */
/* The drift catalogue: what a difference in a kind of fact means. One row a kind; the first that fits wins. */
#ifndef RULES_DRIFT_KIND_H
#define RULES_DRIFT_KIND_H

#include <stdbool.h>

#include "core/drift.h"

#define DRIFT_MASK(change) (1u << (change))
#define DRIFT_ANY	   0xfu

/* One difference, for a judge to look at. */
struct drift_case {
	const struct profile *local, *remote;
	const struct fact *here, *there; /* NULL on the side that has none */
	enum drift_change change;
	enum severity severity; /* the kind's; a judge may set it */
};

struct drift_kind {
	const char *id; /* drift.something; NULL: noise, left out unless all is asked for */
	const char *pattern; /* key_matches */
	unsigned int changes; /* DRIFT_MASK of those it speaks of */
	enum severity severity;
	enum who who;
	const char *title, *consequence, *remedy;
	bool firm; /* its word stands also where a finding cites the key */
	bool (*judge)(
		struct drift_case *c); /* false: this kind does not fit after all; may be NULL */
};

/* The kind for a difference; never NULL: the last row fits everything. */
const struct drift_kind *drift_kind_find(struct drift_case *c);

#endif
