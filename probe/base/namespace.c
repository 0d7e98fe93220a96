// SPDX-License-Identifier: Apache-2.0
#include "base/namespace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/sys.h"

/* linux/proc_ns.h; those of net and mnt are fixed since 6.18 only. */
const struct namespace_kind namespace_kinds[] = {
	{ "cgroup", 0xeffffffb },
	{ "ipc", 0xefffffff },
	{ "mnt", 0 },
	{ "net", 0 },
	{ "pid", 0xeffffffc },
	{ "time", 0xeffffffa },
	{ "user", 0xeffffffd },
	{ "uts", 0xeffffffe },
	{ NULL, 0 },
};

#define INODE_LOWEST 0xeffffff0

int namespace_inode(const char *root, const char *name, uint64_t *inode)
{
	char path[64], link[64];
	uint64_t number;
	snprintf(path, sizeof(path), "/proc/self/ns/%s", name);
	int err = sys_readlink(root, path, link, sizeof(link));
	if (err)
		return err;
	char *open = strchr(link, '[');
	link[strcspn(link, "]")] = '\0';
	if (!open || !parse_u64(open + 1, &number))
		return EBADMSG;
	if (number < INODE_LOWEST)
		return EOPNOTSUPP;
	*inode = number;
	return 0;
}

int namespace_is_initial(const char *root, const char *name, bool *initial)
{
	uint64_t inode;
	int err = namespace_inode(root, name, &inode);
	if (err)
		return err;
	for (const struct namespace_kind *kind = namespace_kinds; kind->name; kind++) {
		if (kind->initial && !strcmp(kind->name, name)) {
			*initial = inode == kind->initial;
			return 0;
		}
	}
	return EOPNOTSUPP;
}
