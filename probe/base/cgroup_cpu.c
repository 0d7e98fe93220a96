// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup_cpu.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"

int cgroup_cpu_quota(const struct cgroup *cgroup, const char *level, int64_t *hundredths)
{
	char path[SYS_PATH_MAX], line[64], word[32];
	int64_t quota, period;
	int err;

	if (cgroup->version == CGROUP_V1) {
		err = cgroup_file(cgroup, level, "cpu.cfs_quota_us", path, sizeof(path));
		if (!err)
			err = sys_read_i64(cgroup->root, path, &quota);
		if (!err)
			err = cgroup_read_limit(cgroup, level, "cpu.cfs_period_us", &period);
		if (err)
			return err;
	} else {
		err = cgroup_file(cgroup, level, "cpu.max", path, sizeof(path));
		if (!err)
			err = sys_read_line(cgroup->root, path, line, sizeof(line));
		if (err)
			return err;
		const char *at = line;
		if (!parse_field(&at, word, sizeof(word)))
			return EBADMSG;
		bool none = !strcmp(word, "max");
		if ((!none && !parse_i64(word, &quota)) || !parse_field(&at, word, sizeof(word)) ||
		    !parse_i64(word, &period))
			return EBADMSG;
		quota = none ? -1 : quota;
	}
	if (quota >= 0 && (period <= 0 || quota > INT64_MAX / 100))
		return EBADMSG;
	*hundredths = quota < 0 ? CGROUP_NO_QUOTA : quota * 100 / period;
	return 0;
}
