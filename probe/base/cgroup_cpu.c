// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup_cpu.h"

#include <errno.h>
#include <string.h>

#include "base/parse_cgroup.h"

static int quota_v1(const struct cgroup *cgroup, const char *level, int64_t *hundredths)
{
	static const char *const files[] = { "cpu.cfs_quota_us", "cpu.cfs_period_us" };
	int64_t value[2];

	for (int i = 0; i < 2; i++) {
		char path[SYS_PATH_MAX];
		int err = cgroup_file(cgroup, level, files[i], path, sizeof(path));
		if (!err)
			err = sys_read_i64(cgroup->root, path, &value[i]);
		if (err)
			return err;
	}
	return parse_cgroup_quota(value[0], value[1], hundredths) ? 0 : EBADMSG;
}

static int quota_v2(const struct cgroup *cgroup, const char *level, int64_t *hundredths)
{
	char path[SYS_PATH_MAX], line[64];
	int err = cgroup_file(cgroup, level, "cpu.max", path, sizeof(path));
	if (!err)
		err = sys_read_line(cgroup->root, path, line, sizeof(line));
	if (err)
		return err;
	return parse_cgroup_cpu_max(line, hundredths) ? 0 : EBADMSG;
}

int cgroup_cpu_quota(const struct cgroup *cgroup, const char *level, int64_t *hundredths)
{
	return cgroup->version == CGROUP_V1 ? quota_v1(cgroup, level, hundredths)
					    : quota_v2(cgroup, level, hundredths);
}

void cgroup_cpu_walk(const struct cgroup *cgroup, struct cgroup_cpu_tightest *tightest)
{
	bool v1 = cgroup->version == CGROUP_V1;
	char level[SYS_PATH_MAX];
	int depth = 0;

	*tightest = (struct cgroup_cpu_tightest){ .quota = CGROUP_NO_QUOTA };
	strcpy(level, cgroup->level);
	do {
		int64_t quota;
		int err = cgroup_cpu_quota(cgroup, level, &quota);
		tightest->blind |= err && !cgroup_is_root(level, err);
		if (err || quota >= tightest->quota)
			continue;
		tightest->quota = quota;
		cgroup_file(cgroup, level, v1 ? "cpu.cfs_quota_us" : "cpu.max", tightest->path,
			    sizeof(tightest->path));
	} while (++depth < CGROUP_DEPTH_MAX && cgroup_up(level));
}
