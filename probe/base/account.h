/* SPDX-License-Identifier: Apache-2.0 */
/* What the files say about a user. Functions return 0 or a positive errno; ENOENT: no such entry or file. */
#ifndef BASE_ACCOUNT_H
#define BASE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/passwd.h"

#define ACCOUNT_GROUPS_MAX 64

struct account_groups {
	char text[ACCOUNT_GROUPS_MAX][12];
	const char *items[ACCOUNT_GROUPS_MAX + 1]; /* numbers, into text, NULL-ended */
	int left_out;
};

/* The supplementary groups that we are in, as the kernel has them. groups must stay where it is. */
int account_groups_get(struct account_groups *groups);

/* Entries of root + /etc/passwd and /etc/group. EFBIG: not among the first MiB of a longer file. */
int account_user(const char *root, uint32_t uid, struct passwd_entry *entry);
int account_group(const char *root, uint32_t gid, char name[PASSWD_NAME_MAX]);

struct account_home {
	const char *
		state; /* "directory", "missing", "not-a-directory", "denied"; static; NULL: see err */
	int err; /* of stat(2); owner is known when it is 0 */
	int64_t owner;
	bool writable;
	int writable_err; /* writable is known when it is 0 */
};

/* Looks at a home directory, without writing to it. */
void account_home_look(const char *path, struct account_home *home);

#endif
