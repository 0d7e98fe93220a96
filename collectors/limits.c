// SPDX-License-Identifier: Apache-2.0
/* Resource limits of this process, of its pids cgroup, and of the machine. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cgroup.h"
#include "base/cleanup.h"
#include "collectors/collector.h"

static const struct {
	const char *name;
	int resource;
} rlimits[] = {
	{ "as", RLIMIT_AS },
	{ "cpu", RLIMIT_CPU },
	{ "data", RLIMIT_DATA },
	{ "fsize", RLIMIT_FSIZE },
	{ "locks", RLIMIT_LOCKS },
	{ "memlock", RLIMIT_MEMLOCK },
	{ "msgqueue", RLIMIT_MSGQUEUE },
	{ "nice", RLIMIT_NICE },
	{ "nofile", RLIMIT_NOFILE },
	{ "nproc", RLIMIT_NPROC },
	{ "rss", RLIMIT_RSS },
	{ "rtprio", RLIMIT_RTPRIO },
	{ "sigpending", RLIMIT_SIGPENDING },
	{ "stack", RLIMIT_STACK },
};

static void speak_rlimit(struct sink *sink, const char *name, const char *property, int err,
			 rlim_t value)
{
	struct key key = key_make("limits.rlimit", name, property);
	if (err)
		sink_fail(sink, key.text, err, "getrlimit");
	else
		sink_limit(sink, key.text, value > INT64_MAX ? INT64_MAX : (int64_t)value,
			   "getrlimit");
}

static void speak_rlimits(struct sink *sink)
{
	static const char *const core[] = { "limits.rlimit[core].soft",
					    "limits.rlimit[core].hard" };
	for (size_t i = 0; i < ARRAY_SIZE(rlimits); i++) {
		struct rlimit limit = { 0, 0 };
		int err = getrlimit(rlimits[i].resource, &limit) ? errno : 0;
		speak_rlimit(sink, rlimits[i].name, "soft", err, limit.rlim_cur);
		speak_rlimit(sink, rlimits[i].name, "hard", err, limit.rlim_max);
	}
	/* A guarded child gets none, so that it leaves no file: what we were given cannot be seen from here. */
	for (size_t i = 0; i < ARRAY_SIZE(core); i++)
		sink_status(sink, core[i], FACT_SKIPPED, 0, "lowered for the collector's own sake");
}

static void speak_machine(struct sink *sink, const char *root)
{
	static const struct {
		const char *key, *path;
	} files[] = {
		{ "limits.pid_max", "/proc/sys/kernel/pid_max" },
		{ "limits.threads_max", "/proc/sys/kernel/threads-max" },
		{ "limits.inotify_watches", "/proc/sys/fs/inotify/max_user_watches" },
		{ "limits.inotify_instances", "/proc/sys/fs/inotify/max_user_instances" },
		{ "limits.file_max", "/proc/sys/fs/file-max" },
		{ "limits.user_namespaces", "/proc/sys/user/max_user_namespaces" },
		{ "limits.oom_score_adj", "/proc/self/oom_score_adj" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		int64_t value;
		int err = sys_read_i64(root, files[i].path, &value);
		if (err)
			sink_fail(sink, files[i].key, err, files[i].path);
		else
			sink_int(sink, files[i].key, value, files[i].path);
	}
}

static void speak_no_pids(struct sink *sink, int err)
{
	static const char *const keys[] = { "limits.pids.limit", "limits.pids.current",
					    "limits.pids.left", "limits.pids.hits" };
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		sink_status(sink, keys[i], FACT_SKIPPED, err, "no pids cgroup can be seen");
	sink_text(sink, "limits.pids.hierarchy", "none", "/proc/self/mountinfo");
}

struct fewest {
	int64_t limit, current; /* limit INT64_MAX: none seen */
	char path[SYS_PATH_MAX];
	bool blind; /* some level's limit could not be read */
};

/* The level with the fewest left decides, not the one with the lowest limit. */
static void walk_pids(const struct cgroup *cgroup, struct fewest *fewest)
{
	char level[SYS_PATH_MAX];
	int depth = 0;

	*fewest = (struct fewest){ .limit = INT64_MAX };
	strcpy(level, cgroup->level);
	do {
		int64_t limit, current;
		int err = cgroup_read_limit(cgroup, level, "pids.max", &limit);
		if (!err)
			err = cgroup_read_limit(cgroup, level, "pids.current", &current);
		fewest->blind |= err && !cgroup_is_root(level, err);
		if (err || limit == INT64_MAX ||
		    (fewest->limit != INT64_MAX &&
		     limit - current >= fewest->limit - fewest->current))
			continue;
		fewest->limit = limit;
		fewest->current = current;
		cgroup_file(cgroup, level, "pids.max", fewest->path, sizeof(fewest->path));
	} while (++depth < CGROUP_DEPTH_MAX && cgroup_up(level));
}

/* Without a limit: how many there are at our own level is all that can be told. */
static void speak_unlimited(struct sink *sink, const struct cgroup *cgroup, bool known)
{
	static const char *const keys[] = { "limits.pids.limit", "limits.pids.left" };
	char path[SYS_PATH_MAX] = "";
	int64_t current;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (known)
			sink_text(sink, keys[i], "max", cgroup->mount);
		else
			sink_status(sink, keys[i], FACT_SKIPPED, 0, "no limit in sight");
	int err = cgroup_file(cgroup, cgroup->level, "pids.current", path, sizeof(path));
	if (!err)
		err = cgroup->own
			      ? cgroup_read_limit(cgroup, cgroup->level, "pids.current", &current)
			      : EXDEV;
	if (err)
		sink_fail(sink, "limits.pids.current", err, path);
	else
		sink_int(sink, "limits.pids.current", current, path);
}

static void speak_pids(struct sink *sink, const char *root)
{
	struct cgroup cgroup;
	struct fewest fewest;
	char path[SYS_PATH_MAX] = "";
	int64_t hits;
	int err = cgroup_find(root, "pids", &cgroup);

	if (err) {
		speak_no_pids(sink, err);
		return;
	}
	walk_pids(&cgroup, &fewest);
	bool known = cgroup.whole && !fewest.blind;
	sink_text(sink, "limits.pids.hierarchy", known ? "whole" : "partial", cgroup.mount);
	if (fewest.limit != INT64_MAX) {
		int64_t left = fewest.limit - fewest.current;
		sink_int(sink, "limits.pids.limit", fewest.limit, fewest.path);
		sink_int(sink, "limits.pids.current", fewest.current, fewest.path);
		sink_int(sink, "limits.pids.left", left > 0 ? left : 0, fewest.path);
	} else {
		speak_unlimited(sink, &cgroup, known);
	}
	err = cgroup_file(&cgroup, cgroup.level, "pids.events", path, sizeof(path));
	if (!err)
		err = cgroup.own ? cgroup_read_keyed(&cgroup, cgroup.level, "pids.events", "max",
						     &hits)
				 : EXDEV;
	if (err)
		sink_fail(sink, "limits.pids.hits", err == ENODATA ? ENOENT : err, path);
	else
		sink_int(sink, "limits.pids.hits", hits, path);
}

static void limits_collect(struct sink *sink, const struct scope *scope)
{
	speak_rlimits(sink);
	speak_pids(sink, scope->root);
	speak_machine(sink, scope->root);
}

const struct collector collector_limits = {
	.name = "limits",
	.about = "resource limits, processes, machine-wide ceilings",
	.deadline_ms = 2000,
	.shares = true,
	.collect = limits_collect,
};
