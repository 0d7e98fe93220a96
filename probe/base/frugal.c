// SPDX-License-Identifier: Apache-2.0
#include "base/frugal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cgroup_memory.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "base/sys.h"

#define ADJUST	   "/proc/self/oom_score_adj"
#define ADJUST_MAX 1000

/* INT64_MAX: no limit, or none to be seen. */
static int64_t level_left(const struct cgroup *cgroup, const char *level)
{
	char path[SYS_PATH_MAX];
	int64_t limit, usage, idle;
	if (cgroup_memory_read(cgroup, level, CGROUP_MEMORY_LIMIT, &limit, path, sizeof(path)) ||
	    limit == INT64_MAX ||
	    cgroup_memory_read(cgroup, level, CGROUP_MEMORY_USAGE, &usage, path, sizeof(path)))
		return INT64_MAX;
	if (cgroup_memory_read(cgroup, level, CGROUP_MEMORY_IDLE_CACHE, &idle, path, sizeof(path)))
		idle = 0;
	usage = idle < usage ? usage - idle : 0;
	return usage < limit ? limit - usage : 0;
}

static int64_t memory_left(const char *root)
{
	cleanup_buf struct buf text = BUF_INIT(1 << 16);
	int64_t left = INT64_MAX;
	if (!sys_read(root, "/proc/meminfo", &text))
		parse_keyed_i64(buf_text(&text), "MemAvailable", &left);

	struct cgroup cgroup;
	char level[SYS_PATH_MAX];
	if (cgroup_find(root, "memory", &cgroup))
		return left;
	strcpy(level, cgroup.level);
	for (int depth = 0; depth < CGROUP_DEPTH_MAX; depth++) {
		int64_t here = level_left(&cgroup, level);
		left = here < left ? here : left;
		if (!cgroup_up(level))
			break;
	}
	return left;
}

unsigned int frugal_jobs(const char *root, unsigned int most, int64_t bytes_each)
{
	int64_t jobs = memory_left(root) / bytes_each;
	return jobs < 1 ? 1 : jobs < most ? (unsigned int)jobs : most;
}

static void adjust(int64_t value)
{
	char text[32];
	cleanup_fd int fd = open(ADJUST, O_WRONLY | O_CLOEXEC);
	int n = snprintf(text, sizeof(text), "%lld", (long long)value);
	if (fd >= 0)
		sys_write_all(fd, text, (size_t)n);
}

void frugal_first_victim(int64_t *before)
{
	*before = ADJUST_MAX;
	if (!sys_read_i64("", ADJUST, before) && *before != ADJUST_MAX)
		adjust(ADJUST_MAX);
}

void frugal_restore(int64_t before)
{
	/* Lowering needs no privilege as far as it was raised without one. */
	if (before != ADJUST_MAX)
		adjust(before);
}
