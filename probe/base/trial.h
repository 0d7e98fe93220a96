/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The harmless try-out of a directory: real operations on a file of our own, which is removed again
 * whatever happens, the directory's times put back. Knows operations, speaks no facts.
 */
#ifndef BASE_TRIAL_H
#define BASE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum trial_step {
	TRIAL_CREATE,
	TRIAL_WRITE,
	TRIAL_FSYNC,
	TRIAL_CHMOD,
	TRIAL_RENAME,
	TRIAL_SYMLINK,
	TRIAL_EXEC,
	TRIAL_STEPS,
};

/* "create", "write", … */
const char *trial_step_name(enum trial_step step);

/* How a step went. */
#define TRIAL_DONE    0
#define TRIAL_UNTRIED -1 /* an earlier step it needs had failed, or we lack the means */
/* above 0: the errno that refused it */

struct trial {
	char path[4096]; /* in: the directory */
	bool write; /* in: try operations; else look only */

	int stat_errno; /* out: 0, or why there is nothing below */
	bool directory;
	dev_t device;
	ino_t inode;
	mode_t mode;
	uid_t owner;
	int statfs_errno;
	int64_t size_bytes, free_bytes, inodes, inodes_free;
	bool readonly, noexec, nosuid; /* what the flags say, which on some systems is nothing */
	int step[TRIAL_STEPS]; /* out */
};

/*
 * Runs it in a child with a deadline. 0; ETIMEDOUT when it hung (what was found until then is filled);
 * ECANCELED when a signal ended it. Where fork is refused it runs in this process, without the exec step.
 */
int trial_run(struct trial *trial, int deadline_ms);

#endif
