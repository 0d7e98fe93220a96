/* SPDX-License-Identifier: Apache-2.0 */
/* CPU bandwidth of a cgroup: cpu.cfs_quota_us and cpu.cfs_period_us of version 1, cpu.max of version 2. */
#ifndef BASE_CGROUP_CPU_H
#define BASE_CGROUP_CPU_H

#include "base/cgroup.h"

#define CGROUP_NO_QUOTA INT64_MAX

/* Quota at a level in hundredths of a core (so that "1.50" needs no floating point). 0 or errno. */
int cgroup_cpu_quota(const struct cgroup *cgroup, const char *level, int64_t *hundredths);

struct cgroup_cpu_tightest {
	int64_t quota; /* CGROUP_NO_QUOTA: none seen */
	char path[SYS_PATH_MAX]; /* file that says so; empty without */
	bool blind; /* some level's quota could not be read */
};

/* Looks at every level from our own up. */
void cgroup_cpu_walk(const struct cgroup *cgroup, struct cgroup_cpu_tightest *tightest);

#endif
