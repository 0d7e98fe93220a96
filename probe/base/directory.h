/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One directory: what stat and statfs say of it, and what can be done in it. Each look runs in a child with a
 * deadline, so a mount that hangs, or a filter that kills, costs that answer only.
 */
#ifndef BASE_DIRECTORY_H
#define BASE_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sys.h"
#include "base/trial.h"

/* Beside errnos: the call was answered by death (SIGSYS). */
#define DIRECTORY_KILLED -1

/* err: EOPNOTSUPP where the filesystem does not count that (it says 0 in all), EOVERFLOW. */
struct directory_number {
	int err;
	int64_t value;
};

struct directory {
	char path[SYS_PATH_MAX]; /* in: absolute */

	int stage; /* of the look, -1 before the first: what a child that died leaves behind */
	char real
		[SYS_PATH_MAX]; /* without symbolic links, where that could be found out; else path */
	int stat_err; /* 0, an errno, DIRECTORY_KILLED; ECANCELED when the child was ended by a signal */
	bool is_directory;
	dev_t device;
	ino_t inode;
	mode_t mode;
	uid_t owner;

	int statfs_err; /* likewise */
	unsigned long magic;
	bool flags_known; /* gVisor, for one, has none to tell */
	bool readonly, noexec, nosuid;
	struct directory_number size_bytes, free_bytes; /* free for us: f_bavail */
	struct directory_number inodes, inodes_free;

	bool fork_refused; /* it was done in this process, without the exec step */
	bool hung; /* the trial did not end in time; what it had found is there */
	int ended_by; /* signal that ended the trial, not as an answer; 0: none */
	struct trial trial;
};

void directory_look(struct directory *directory, int deadline_ms);

/*
 * Tries operations in it: trial.answers. Not in filesystems of the kernel's own and not in /dev itself: there
 * answers[TRIAL_CREATE] is TRIAL_UNTRIED with EINVAL.
 */
void directory_try(struct directory *directory, int deadline_ms);

/* The same two without a child of their own: for who is in one already, where death or a hang may cost all. */
void directory_look_here(struct directory *directory);
void directory_try_here(struct directory *directory);

/* Removes, in a child, what a trial that died in somebody else's child has left. */
void directory_clean(struct directory *directory);

/*
 * Does an owner exist in our user namespace? An unmapped one shows as the overflow id. 0; ENODATA when it
 * could be either; or an errno of reading /proc.
 */
int directory_owner_mapped(const char *root, uid_t owner, bool *mapped);

#endif
