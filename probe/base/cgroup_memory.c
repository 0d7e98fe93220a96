// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup_memory.h"

#include <errno.h>

/* File, and the name inside it where it is a keyed one. */
struct place {
	const char *file, *name;
};

/* oom_kill came with Linux 4.13, memory.peak with 5.19. */
static const struct place places[][2] = {
	[CGROUP_MEMORY_LIMIT] = { { "memory.limit_in_bytes", NULL }, { "memory.max", NULL } },
	[CGROUP_MEMORY_USAGE] = { { "memory.usage_in_bytes", NULL }, { "memory.current", NULL } },
	[CGROUP_MEMORY_HIGH] = { { NULL, NULL }, { "memory.high", NULL } },
	[CGROUP_MEMORY_SOFT_LIMIT] = { { "memory.soft_limit_in_bytes", NULL }, { NULL, NULL } },
	[CGROUP_MEMORY_SWAP_LIMIT] = { { "memory.memsw.limit_in_bytes", NULL },
				       { "memory.swap.max", NULL } },
	[CGROUP_MEMORY_PEAK] = { { "memory.max_usage_in_bytes", NULL }, { "memory.peak", NULL } },
	[CGROUP_MEMORY_OOM_KILLS] = { { "memory.oom_control", "oom_kill" },
				      { "memory.events", "oom_kill" } },
	[CGROUP_MEMORY_LIMIT_HITS] = { { "memory.failcnt", NULL }, { "memory.events", "max" } },
	[CGROUP_MEMORY_IDLE_CACHE] = { { "memory.stat", "total_inactive_file" },
				       { "memory.stat", "inactive_file" } },
	[CGROUP_MEMORY_ANCESTORS] = { { "memory.stat", "hierarchical_memory_limit" },
				      { NULL, NULL } },
};

const char *cgroup_memory_name(enum cgroup_memory what)
{
	static const char *const names[CGROUP_MEMORY_LEVEL_COUNT] = {
		[CGROUP_MEMORY_LIMIT] = "limit_bytes",
		[CGROUP_MEMORY_USAGE] = "usage_bytes",
		[CGROUP_MEMORY_HIGH] = "high_bytes",
		[CGROUP_MEMORY_SOFT_LIMIT] = "soft_limit_bytes",
		[CGROUP_MEMORY_SWAP_LIMIT] = "swap_limit_bytes",
		[CGROUP_MEMORY_PEAK] = "peak_bytes",
		[CGROUP_MEMORY_OOM_KILLS] = "oom_kills",
		[CGROUP_MEMORY_LIMIT_HITS] = "limit_hits",
	};
	return names[what];
}

/* The sum's limit less memory's. The kernel keeps the sum's at or above the other; we read one by one. */
static int take_memory_off(const struct cgroup *cgroup, const char *level, int64_t *sum)
{
	int64_t memory;
	int err = cgroup_read_limit(cgroup, level, "memory.limit_in_bytes", &memory);
	if (err || *sum == INT64_MAX)
		return err;
	*sum = *sum > memory ? *sum - memory : 0;
	return 0;
}

int cgroup_memory_read(const struct cgroup *cgroup, const char *level, enum cgroup_memory what,
		       int64_t *value, char *path, size_t size)
{
	const struct place *place = &places[what][cgroup->version == CGROUP_V2];
	int64_t number = 0;
	int err;

	if (!place->file)
		return ENODATA;
	err = cgroup_file(cgroup, level, place->file, path, size);
	if (err)
		return err;
	err = place->name ? cgroup_read_keyed(cgroup, level, place->file, place->name, &number)
			  : cgroup_read_limit(cgroup, level, place->file, &number);
	if (!err && what == CGROUP_MEMORY_SWAP_LIMIT && cgroup->version == CGROUP_V1)
		err = take_memory_off(cgroup, level, &number);
	if (!err)
		*value = number;
	return err == ENODATA ? ENOENT : err;
}
