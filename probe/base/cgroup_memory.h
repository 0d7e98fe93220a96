/* SPDX-License-Identifier: Apache-2.0 */
/* The memory controller's numbers, under one name for both versions. */
#ifndef BASE_CGROUP_MEMORY_H
#define BASE_CGROUP_MEMORY_H

#include "base/cgroup.h"

enum cgroup_memory {
	CGROUP_MEMORY_LIMIT,
	CGROUP_MEMORY_USAGE,
	CGROUP_MEMORY_HIGH, /* version 2: throttled above it, not killed */
	CGROUP_MEMORY_SOFT_LIMIT, /* version 1 */
	CGROUP_MEMORY_SWAP_LIMIT, /* of swap alone, also on version 1, which limits the sum with memory */
	CGROUP_MEMORY_PEAK,
	CGROUP_MEMORY_OOM_KILLS,
	CGROUP_MEMORY_LIMIT_HITS,
	CGROUP_MEMORY_LEVEL_COUNT, /* those above are what a level is described by */
	/* Clean file pages on the inactive list, descendants' included. */
	CGROUP_MEMORY_IDLE_CACHE = CGROUP_MEMORY_LEVEL_COUNT,
	/* Version 1: the tightest limit of this level and all above, also those out of sight. */
	CGROUP_MEMORY_ANCESTORS,
};

/* "limit_bytes", "oom_kills", … for one that describes a level. */
const char *cgroup_memory_name(enum cgroup_memory what);

/*
 * A number at a level (INT64_MAX: no limit) and the path of its file. 0; ENODATA when this version has no
 * such thing; ENOENT also when this kernel's file lacks it; EBADMSG; or errno of reading.
 */
int cgroup_memory_read(const struct cgroup *cgroup, const char *level, enum cgroup_memory what,
		       int64_t *value, char *path, size_t size);

#endif
