// SPDX-License-Identifier: Apache-2.0
#include "base/parse_cgroup.h"

#include <string.h>

#include "base/mountinfo.h"
#include "base/parse.h"

/*
 * "No limit" of version 1 is PAGE_COUNTER_MAX, INT64_MAX rounded down to the kernel's pages (4 to 64 KiB), or
 * before Linux 3.19 RES_COUNTER_MAX, up to ULLONG_MAX: no real limit comes near.
 */
#define UNLIMITED ((uint64_t)INT64_MAX - (1 << 20))

bool parse_cgroup_path(const char *text, const char *controller, char *path, size_t size)
{
	char line[8192];
	while (parse_line(&text, line, sizeof(line))) {
		char *names = strchr(line, ':');
		char *own = names ? strchr(names + 1, ':') : NULL;
		if (!own || own[1] != '/')
			continue;
		*own++ = '\0';
		names++;
		bool fits = *controller ? mount_has_option(names, controller)
					: !*names && !strncmp(line, "0:", 2);
		if (!fits)
			continue;
		if (strlen(own) >= size)
			return false;
		strcpy(path, own);
		return true;
	}
	return false;
}

/* Length of the first part, "/name"; 0 at the end: "" or "/". */
static size_t part_len(const char *path)
{
	return *path == '/' && path[1] ? 1 + strcspn(path + 1, "/") : 0;
}

static bool part_is_up(const char *path, size_t len)
{
	return len == 3 && !strncmp(path, "/..", 3);
}

enum cgroup_sight parse_cgroup_level(const char *own, const char *root, char *level, size_t size)
{
	size_t len;
	bool above = false;

	while ((len = part_len(root)) && len == part_len(own) && !strncmp(own, root, len)) {
		own += len;
		root += len;
	}
	for (; (len = part_len(root)); root += len, above = true)
		if (!part_is_up(root, len))
			return CGROUP_SIGHT_ELSEWHERE;
	/* Such a root lies above our namespace, where the names of the groups between are not told. */
	if (above)
		own = "/";
	for (const char *at = own; (len = part_len(at)); at += len)
		if (part_is_up(at, len))
			return CGROUP_SIGHT_ELSEWHERE;
	if (strlen(own) >= size || size < 2)
		return CGROUP_SIGHT_ELSEWHERE;
	strcpy(level, part_len(own) ? own : "/");
	return above ? CGROUP_SIGHT_ABOVE : CGROUP_SIGHT_OWN;
}

bool parse_cgroup_limit(const char *text, int64_t *limit)
{
	uint64_t number = UINT64_MAX;
	if (strcmp(text, "max") != 0 && !parse_u64(text, &number))
		return false;
	*limit = number >= UNLIMITED ? INT64_MAX : (int64_t)number;
	return true;
}

bool parse_cgroup_quota(int64_t quota_us, int64_t period_us, int64_t *hundredths)
{
	int64_t scaled;
	if (quota_us == -1) {
		*hundredths = INT64_MAX;
		return true;
	}
	if (quota_us < 0 || period_us <= 0 || __builtin_mul_overflow(quota_us, 100, &scaled))
		return false;
	/* The kernel grants down to 1 ms in 1 s: that is little, but not none. */
	*hundredths = scaled > period_us ? scaled / period_us : 1;
	return true;
}

bool parse_cgroup_cpu_max(const char *text, int64_t *hundredths)
{
	char quota[32], period[32], rest[2];
	int64_t quota_us = -1, period_us;

	if (!parse_field(&text, quota, sizeof(quota)) ||
	    !parse_field(&text, period, sizeof(period)) || parse_field(&text, rest, sizeof(rest)))
		return false;
	if (!parse_i64(period, &period_us) || period_us <= 0)
		return false;
	if (strcmp(quota, "max") != 0 && (!parse_i64(quota, &quota_us) || quota_us < 0))
		return false;
	return parse_cgroup_quota(quota_us, period_us, hundredths);
}
