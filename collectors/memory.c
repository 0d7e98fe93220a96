// SPDX-License-Identifier: Apache-2.0
/* Memory as it is enforced, at each level of the cgroup hierarchy that can be seen. */
#include <errno.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/parse.h"
#include "collectors/collector.h"

/* The same thing under its name in each version. */
static const struct level_file {
	const char *property, *v1, *v2;
	const char *v1_keyed, *v2_keyed; /* word in the file, where it is a keyed one */
} level_files[] = {
	{ "limit_bytes", "memory.limit_in_bytes", "memory.max", NULL, NULL },
	{ "usage_bytes", "memory.usage_in_bytes", "memory.current", NULL, NULL },
	{ "high_bytes", NULL, "memory.high", NULL, NULL },
	{ "soft_limit_bytes", "memory.soft_limit_in_bytes", NULL, NULL, NULL },
	{ "swap_limit_bytes", "memory.memsw.limit_in_bytes", "memory.swap.max", NULL, NULL },
	{ "peak_bytes", "memory.max_usage_in_bytes", "memory.peak", NULL, NULL },
	{ "oom_kills", "memory.oom_control", "memory.events", "oom_kill", "oom_kill" },
	{ "limit_hits", "memory.failcnt", "memory.events", NULL, "max" },
};

static void speak_limit(struct sink *sink, const char *key, int64_t value, const char *source)
{
	if (value == INT64_MAX)
		sink_text(sink, key, "max", source);
	else
		sink_int(sink, key, value, source);
}

/* One property at one level. Returns its errno, and the value. */
static int level_value(const struct cgroup *cgroup, const char *level,
		       const struct level_file *file, int64_t *value, char *path, size_t size)
{
	bool v1 = cgroup->version == CGROUP_V1;
	const char *name = v1 ? file->v1 : file->v2, *word = v1 ? file->v1_keyed : file->v2_keyed;
	if (!name)
		return ENODATA;
	int err = cgroup_file(cgroup, level, name, path, size);
	if (err)
		return err;
	return word ? cgroup_read_keyed(cgroup, level, name, word, value)
		    : cgroup_read_limit(cgroup, level, name, value);
}

struct tightest {
	int64_t limit; /* INT64_MAX: none seen */
	char level[SYS_PATH_MAX], path[SYS_PATH_MAX];
	bool blind; /* some level's limit could not be read */
};

static void walk_levels(struct sink *sink, const struct cgroup *cgroup, struct tightest *tightest)
{
	char level[SYS_PATH_MAX], path[SYS_PATH_MAX];
	int depth = 0;
	strcpy(level, cgroup->level);
	do {
		for (size_t i = 0; i < sizeof(level_files) / sizeof(*level_files); i++) {
			int64_t value;
			int err = level_value(cgroup, level, &level_files[i], &value, path,
					      sizeof(path));
			/* The root of version 2 has no limit files: nothing limits it. */
			if (err == ENODATA || (err == ENOENT && !level[1]))
				continue;
			struct key key = key_make("memory.level", level, level_files[i].property);
			if (err)
				sink_fail(sink, key.text, err, path);
			else
				speak_limit(sink, key.text, value, path);
			if (i == 0 && err)
				tightest->blind = true;
			if (i == 0 && !err && value < tightest->limit) {
				tightest->limit = value;
				strcpy(tightest->level, level);
				strcpy(tightest->path, path);
			}
		}
	} while (++depth < 32 && cgroup_up(level));
}

/* Version 1 tells the tightest limit of all ancestors, also of those out of sight. */
static void ask_ancestors(const struct cgroup *cgroup, struct tightest *tightest)
{
	int64_t value;
	if (cgroup->version != CGROUP_V1 || cgroup_read_keyed(cgroup, cgroup->level, "memory.stat",
							      "hierarchical_memory_limit", &value))
		return;
	if (value < tightest->limit && value < INT64_MAX - (1 << 20)) {
		tightest->limit = value;
		strcpy(tightest->level, cgroup->level);
		cgroup_file(cgroup, cgroup->level, "memory.stat", tightest->path,
			    sizeof(tightest->path));
	}
}

/* Clean file cache that has not been touched of late is given back before anything is killed. */
static void speak_headroom(struct sink *sink, const struct cgroup *cgroup,
			   const struct tightest *tightest)
{
	bool v1 = cgroup->version == CGROUP_V1;
	int64_t usage, idle = 0;
	int err = cgroup_read_limit(cgroup, tightest->level,
				    v1 ? "memory.usage_in_bytes" : "memory.current", &usage);
	if (err) {
		sink_fail(sink, "memory.usage_bytes", err, tightest->path);
		sink_fail(sink, "memory.headroom_bytes", err, tightest->path);
		return;
	}
	err = cgroup_read_keyed(cgroup, tightest->level, "memory.stat",
				v1 ? "total_inactive_file" : "inactive_file", &idle);
	if (err)
		sink_fail(sink, "memory.reclaimable_bytes", err, "memory.stat");
	else
		sink_int(sink, "memory.reclaimable_bytes", idle, "memory.stat");
	sink_int(sink, "memory.usage_bytes", usage, tightest->path);
	int64_t left = tightest->limit - usage + idle;
	sink_int(sink, "memory.headroom_bytes", left > 0 ? left : 0, tightest->path);
}

static void speak_limits(struct sink *sink, const struct cgroup *cgroup)
{
	struct tightest tightest = { .limit = INT64_MAX };
	int64_t kills;

	walk_levels(sink, cgroup, &tightest);
	ask_ancestors(cgroup, &tightest);
	bool known = cgroup->whole && !tightest.blind;
	if (tightest.limit < INT64_MAX) {
		sink_int(sink, "memory.limit_bytes", tightest.limit, tightest.path);
		sink_text(sink, "memory.limit_level", tightest.level, tightest.path);
		speak_headroom(sink, cgroup, &tightest);
	} else if (known) {
		sink_text(sink, "memory.limit_bytes", "max", cgroup->mount);
	} else {
		/* A level out of sight may well have one: no limit seen is not no limit. */
		sink_status(sink, "memory.limit_bytes", FACT_SKIPPED, 0, cgroup->mount);
	}
	sink_text(sink, "memory.hierarchy", known ? "whole" : "partial", cgroup->mount);
	bool v1 = cgroup->version == CGROUP_V1;
	const char *file = v1 ? "memory.oom_control" : "memory.events";
	int err = cgroup_read_keyed(cgroup, cgroup->level, file, "oom_kill", &kills);
	if (err)
		sink_fail(sink, "memory.oom_kills", err == ENODATA ? ENOENT : err, file);
	else
		sink_int(sink, "memory.oom_kills", kills, file);
}

static void speak_cgroup(struct sink *sink, const char *root)
{
	static const char *const layouts[] = { "none", "v1", "v2", "hybrid" };
	enum cgroup_layout layout;
	struct cgroup cgroup;
	bool namespaced;
	int err = cgroup_layout(root, &layout);

	if (err)
		sink_fail(sink, "memory.cgroup.version", err, "/proc/self/mountinfo");
	else
		sink_text(sink, "memory.cgroup.version", layouts[layout], "/proc/self/mountinfo");
	err = cgroup_namespaced(root, &namespaced);
	if (err)
		sink_fail(sink, "memory.cgroup.namespaced", err, "/proc/self/ns/cgroup");
	else
		sink_bool(sink, "memory.cgroup.namespaced", namespaced, "/proc/self/ns/cgroup");
	err = cgroup_find(root, "memory", &cgroup);
	if (!err) {
		sink_text(sink, "memory.cgroup.path", cgroup.path, "/proc/self/cgroup");
		speak_limits(sink, &cgroup);
		return;
	}
	sink_fail(sink, "memory.cgroup.path", err, "/proc/self/cgroup");
	sink_text(sink, "memory.hierarchy", "none", "/proc/self/mountinfo");
	sink_status(sink, "memory.limit_bytes", FACT_SKIPPED, err, "no memory cgroup can be seen");
	sink_fail(sink, "memory.oom_kills", err, "no memory cgroup can be seen");
}

static void memory_collect(struct sink *sink, const struct scope *scope)
{
	speak_cgroup(sink, scope->root);
}

const struct collector collector_memory = {
	.name = "memory",
	.about = "memory as it is enforced, at every cgroup level",
	.deadline_ms = 2000,
	.collect = memory_collect,
};
