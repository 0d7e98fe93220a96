/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The harmless try-out of a directory: real operations on a file of our own, which is removed again, the
 * directory's times put back. Knows operations, speaks no facts.
 */
#ifndef BASE_TRIAL_H
#define BASE_TRIAL_H

#include <stdbool.h>
#include <time.h>

#define TRIAL_NAME_MAX 48

/* In the order of their trying: fsync last, since it may take longest. */
enum trial_step {
	TRIAL_CREATE,
	TRIAL_WRITE,
	TRIAL_CHMOD,
	TRIAL_SYMLINK,
	TRIAL_RENAME,
	TRIAL_EXEC,
	TRIAL_FSYNC,
	TRIAL_STEPS,
};

enum trial_end {
	TRIAL_UNTRIED, /* a step it needs had failed (err 0), or we lacked the means (err) */
	TRIAL_DONE,
	TRIAL_REFUSED, /* err: the errno */
	TRIAL_NO_EFFECT, /* the call said yes, yet nothing had changed */
	TRIAL_KILLED, /* err: the signal that answered it */
	TRIAL_HUNG,
};

struct trial_answer {
	enum trial_end end;
	int err;
};

struct trial {
	bool in_process; /* in: not in a child of its own, so no exec step either */
	bool predictable; /* in: getrandom(2) may not be called */
	int now; /* the step under way, -1 before the first: what a child that died leaves behind */
	struct trial_answer answers[TRIAL_STEPS]; /* out; a settled one is not asked again */

	/* What may have stayed behind, for trial_clean(). */
	bool littered;
	char names[2][TRIAL_NAME_MAX];
	bool times_known;
	struct timespec times[2];
};

/* "create", "write", … */
const char *trial_name(enum trial_step step);

/* Where an answer comes from: the call that was tried, or why none was. Static. */
const char *trial_source(const struct trial *trial, enum trial_step step);

/*
 * Tries what is not settled yet. Signals that would end us remove the file first. Nothing is tried where files
 * could not be taken away again (EPERM in answers[TRIAL_CREATE], TRIAL_UNTRIED): an append-only directory.
 */
void trial_run(struct trial *trial, const char *dir);

/* Removes what a trial that died has left, and puts the times back. littered tells whether that worked. */
void trial_clean(struct trial *trial, const char *dir);

#endif
