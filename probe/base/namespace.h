/* SPDX-License-Identifier: Apache-2.0 */
/* Which namespaces we are in, by the inode numbers that /proc gives them. */
#ifndef BASE_NAMESPACE_H
#define BASE_NAMESPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct namespace_kind {
	const char *name;
	uint64_t initial; /* inode of the first one; 0: not fixed in older kernels */
};

/* All kinds, ended by one without a name. */
extern const struct namespace_kind namespace_kinds[];

/*
 * 0 or an errno: EBADMSG when the link is in no form we know, EOPNOTSUPP when its number is none that Linux
 * gives out (gVisor numbers from 1).
 */
int namespace_inode(const char *root, const char *name, uint64_t *inode);

/* Is it the machine's first of its kind? Only for kinds whose initial inode is fixed; errno as above. */
int namespace_is_initial(const char *root, const char *name, bool *initial);

#endif
