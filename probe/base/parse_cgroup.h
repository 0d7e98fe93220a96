/* SPDX-License-Identifier: Apache-2.0 */
/* The texts that speak of cgroups (cgroups(7)). Pure text to values, in the manner of parse.h. */
#ifndef BASE_PARSE_CGROUP_H
#define BASE_PARSE_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Own path in the hierarchy of a controller, out of /proc/PID/cgroup; "" is the unified one, 0::/path. */
bool parse_cgroup_path(const char *text, const char *controller, char *path, size_t size);

/* What a mount of a hierarchy lets us see of a cgroup. */
enum cgroup_sight {
	CGROUP_SIGHT_OWN, /* itself, at the level */
	CGROUP_SIGHT_ABOVE, /* only groups above, the nearest at an unknown distance */
	CGROUP_SIGHT_ELSEWHERE, /* other groups, whose limits do not hold for it */
};

/*
 * The level ("/", "/a/b") of the cgroup `own` below the point of a mount whose root, as mountinfo says, is
 * `root`. Both are relative to the cgroup namespace, so that either may begin with "/..".
 */
enum cgroup_sight parse_cgroup_level(const char *own, const char *root, char *level, size_t size);

/*
 * A limit: a number, or "max" as INT64_MAX; so are the stand-ins of version 1 for no limit. False for a
 * negative one.
 */
bool parse_cgroup_limit(const char *text, int64_t *limit);

/* Hundredths of a core, at least one; INT64_MAX without a quota (-1 microseconds). */
bool parse_cgroup_quota(int64_t quota_us, int64_t period_us, int64_t *hundredths);

/* The same out of cpu.max: "max 100000", "150000 100000". */
bool parse_cgroup_cpu_max(const char *text, int64_t *hundredths);

#endif
