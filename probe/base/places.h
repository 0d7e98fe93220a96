/* SPDX-License-Identifier: Apache-2.0 */
/* The directories to look at: each name once, with the reasons why it matters; each place tried once. */
#ifndef BASE_PLACES_H
#define BASE_PLACES_H

#include "base/directory.h"

#define PLACES_MAX 96
#define ROLES_MAX  12

struct place {
	char path[SYS_PATH_MAX]; /* as it is told: without the root of a recorded tree */
	const char *roles[ROLES_MAX + 1]; /* borrowed, NULL-ended */
	struct directory found;
	bool done; /* found is whole */
};

struct places {
	struct place *all; /* owned, mapped, PLACES_MAX of them; NULL until the first */
	size_t count;
	size_t left_out; /* relative without a known cwd, too long, too many, or out of memory */
};

/*
 * Adds a path, or a role to one that is there. A relative path is meant from cwd (may be NULL); doubled and
 * final slashes and lone dots are taken out. NULL and "" are no path and are passed over.
 */
void places_add(struct places *places, const char *cwd, const char *path, const char *role);

/*
 * Looks at all places and tries them, in one child: the quick way, since a fork costs more than the rest. When
 * that child dies or hangs, places_look() has to go on from there, place by place.
 */
void places_survey(struct places *places, const char *root, int deadline_ms);

/* What the survey has not done: looks at place number i at root + path, and tries it unless an earlier one is the same directory. */
void places_look(struct places *places, size_t i, const char *root, int deadline_ms);

/* Appends what could not be looked at, and what may have stayed behind; "; " between. */
void places_note(const struct places *places, struct buf *note);

void places_done(struct places *places);
#define cleanup_places __attribute__((__cleanup__(places_done)))

#endif
