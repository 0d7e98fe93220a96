/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/self/mountinfo as a table (proc_pid_mountinfo(5)). */
#ifndef BASE_MOUNTINFO_H
#define BASE_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOUNTINFO_TEXT_MAX ((size_t)4 << 20)

/* Strings are borrowed from the table; the kernel's octal escapes are undone. */
struct mount {
	int64_t id, parent;
	const char *root; /* of the mount inside its filesystem */
	const char *point;
	const char *options; /* of the mount: "rw,nosuid" */
	const char *type;
	const char *source; /* may be empty */
	const char *super_options; /* of the filesystem */
	bool deleted; /* root has been removed from its filesystem since */
};

struct mount_table {
	struct mount *mounts; /* as the kernel lists them */
	size_t count;
	size_t malformed; /* lines that could not be read */
	char *text; /* owned; what the strings point into */
};

/* Takes ownership of text. -1 when out of memory; the table is empty then. */
int mountinfo_parse(char *text, struct mount_table *table);

/* Reads and parses root + /proc/self/mountinfo. 0 or errno. */
int mountinfo_read(const char *root, struct mount_table *table);

void mountinfo_done(struct mount_table *table);
#define cleanup_mounts __attribute__((__cleanup__(mountinfo_done)))

/*
 * The mount that an absolute path without symbolic links lies on, found as the kernel finds it: a mount that
 * a later one covers, on the same point or above, is not seen. NULL when there is none.
 */
const struct mount *mountinfo_lookup(const struct mount_table *table, const char *path);

/* Is a word among comma-separated options? "size=" style values are not looked into. */
bool mount_has_option(const char *options, const char *word);

#endif
