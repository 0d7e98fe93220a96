// SPDX-License-Identifier: Apache-2.0
/* Resource limits of this process, of its pids cgroup, and of the machine. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cgroup.h"
#include "collectors/collector.h"

/* Not core: the guard sets it to 0 for this child, so what we were given cannot be seen. */
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
	{ "rtprio", RLIMIT_RTPRIO },
	{ "sigpending", RLIMIT_SIGPENDING },
	{ "stack", RLIMIT_STACK },
};

static void speak_rlimit(struct sink *sink, const char *name, const char *property, rlim_t value)
{
	struct key key = key_make("limits.rlimit", name, property);
	if (value == RLIM_INFINITY || value > INT64_MAX)
		sink_text(sink, key.text, "max", "getrlimit");
	else
		sink_int(sink, key.text, (int64_t)value, "getrlimit");
}

static void speak_rlimits(struct sink *sink)
{
	for (size_t i = 0; i < sizeof(rlimits) / sizeof(*rlimits); i++) {
		struct rlimit limit;
		if (getrlimit(rlimits[i].resource, &limit)) {
			int err = errno;
			sink_fail(sink, key_make("limits.rlimit", rlimits[i].name, "soft").text,
				  err, "getrlimit");
			continue;
		}
		speak_rlimit(sink, rlimits[i].name, "soft", limit.rlim_cur);
		speak_rlimit(sink, rlimits[i].name, "hard", limit.rlim_max);
	}
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
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
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
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		sink_status(sink, keys[i], FACT_SKIPPED, err, "no pids cgroup can be seen");
	sink_text(sink, "limits.pids.hierarchy", "none", "/proc/self/mountinfo");
}

/* The level with the fewest left decides, not the one with the lowest limit. */
static void speak_pids(struct sink *sink, const char *root)
{
	struct cgroup cgroup;
	char level[SYS_PATH_MAX], path[SYS_PATH_MAX], best[SYS_PATH_MAX] = "";
	int64_t limit, current, hits, best_limit = INT64_MAX, best_current = 0;
	int err = cgroup_find(root, "pids", &cgroup), depth = 0;
	bool blind = false;

	if (err) {
		speak_no_pids(sink, err);
		return;
	}
	strcpy(level, cgroup.level);
	do {
		err = cgroup_read_limit(&cgroup, level, "pids.max", &limit);
		if (!err)
			err = cgroup_read_limit(&cgroup, level, "pids.current", &current);
		/* The root group has no such files. */
		blind |= err && !(err == ENOENT && !level[1]);
		if (!err && limit != INT64_MAX &&
		    (!*best || limit - current < best_limit - best_current)) {
			best_limit = limit;
			best_current = current;
			cgroup_file(&cgroup, level, "pids.max", best, sizeof(best));
		}
	} while (++depth < 32 && cgroup_up(level));

	bool known = cgroup.whole && !blind;
	sink_text(sink, "limits.pids.hierarchy", known ? "whole" : "partial", cgroup.mount);
	if (*best) {
		int64_t left = best_limit - best_current;
		sink_int(sink, "limits.pids.limit", best_limit, best);
		sink_int(sink, "limits.pids.current", best_current, best);
		sink_int(sink, "limits.pids.left", left > 0 ? left : 0, best);
	} else if (known) {
		sink_text(sink, "limits.pids.limit", "max", cgroup.mount);
	} else {
		sink_status(sink, "limits.pids.limit", FACT_SKIPPED, 0, cgroup.mount);
	}
	cgroup_file(&cgroup, cgroup.level, "pids.events", path, sizeof(path));
	err = cgroup_read_keyed(&cgroup, cgroup.level, "pids.events", "max", &hits);
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
	.collect = limits_collect,
};
