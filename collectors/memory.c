// SPDX-License-Identifier: Apache-2.0
/* Memory as it is enforced, at each level of the cgroup hierarchy that can be seen. */
#include <errno.h>
#include <string.h>

#include "base/cgroup_memory.h"
#include "base/cleanup.h"
#include "collectors/collector.h"

/* Stands for the ancestor out of sight that version 1 gives away. No level is called so: they begin with "/". */
#define UNSEEN "[ancestor]"

/* What cannot be said without a limit; "max" where it is known that there is none. */
static const struct {
	const char *key;
	bool max;
} limit_keys[] = {
	{ "memory.limit_bytes", true },	       { "memory.limit_level", false },
	{ "memory.headroom_bytes", true },     { "memory.usage_bytes", false },
	{ "memory.reclaimable_bytes", false },
};

struct tightest {
	int64_t limit; /* INT64_MAX: none seen */
	char level[SYS_PATH_MAX], path[SYS_PATH_MAX];
	bool blind; /* some level's limit could not be read */
};

static void speak_amount(struct sink *sink, const char *key, int err, int64_t value,
			 const char *source)
{
	if (err)
		sink_fail(sink, key, err, source);
	else
		sink_limit(sink, key, value, source);
}

static void speak_level(struct sink *sink, const struct cgroup *cgroup, const char *level,
			struct tightest *tightest)
{
	for (int what = 0; what < CGROUP_MEMORY_LEVEL_COUNT; what++) {
		char path[SYS_PATH_MAX];
		int64_t value = 0;
		int err = cgroup_memory_read(cgroup, level, what, &value, path, sizeof(path));
		if (err == ENODATA || cgroup_is_root(level, err))
			continue;
		struct key key = key_make("memory.level", level, cgroup_memory_name(what));
		speak_amount(sink, key.text, err, value, path);
		if (what != CGROUP_MEMORY_LIMIT)
			continue;
		tightest->blind |= err != 0;
		if (!err && value < tightest->limit) {
			tightest->limit = value;
			strcpy(tightest->level, level);
			strcpy(tightest->path, path);
		}
	}
}

static void walk_levels(struct sink *sink, const struct cgroup *cgroup, struct tightest *tightest)
{
	char level[SYS_PATH_MAX], path[SYS_PATH_MAX];
	int64_t value;
	int depth = 0;

	strcpy(level, cgroup->level);
	do
		speak_level(sink, cgroup, level, tightest);
	while (++depth < CGROUP_DEPTH_MAX && cgroup_up(level));

	if (cgroup_memory_read(cgroup, cgroup->level, CGROUP_MEMORY_ANCESTORS, &value, path,
			       sizeof(path)) ||
	    value >= tightest->limit)
		return;
	tightest->limit = value;
	strcpy(tightest->level, UNSEEN);
	strcpy(tightest->path, path);
	sink_int(sink, key_make("memory.level", UNSEEN, "limit_bytes").text, value, path);
}

static void speak_unknown(struct sink *sink, size_t from, int err, const char *why)
{
	for (size_t i = from; i < ARRAY_SIZE(limit_keys); i++)
		sink_status(sink, limit_keys[i].key, FACT_SKIPPED, err, why);
}

static void speak_unlimited(struct sink *sink, const char *source)
{
	for (size_t i = 0; i < ARRAY_SIZE(limit_keys); i++)
		if (limit_keys[i].max)
			sink_text(sink, limit_keys[i].key, "max", source);
		else
			sink_status(sink, limit_keys[i].key, FACT_ABSENT, 0, source);
}

/*
 * What is left: the kernel drops file pages of the inactive list before it kills anything. Those of the active
 * list are in use, and dirty or mapped ones come back at once: we do not promise them (nor do kubelet's and
 * cAdvisor's "working set").
 */
static void speak_headroom(struct sink *sink, const struct cgroup *cgroup,
			   const struct tightest *tightest)
{
	char path[SYS_PATH_MAX];
	int64_t usage = 0, idle = 0;

	int err = cgroup_memory_read(cgroup, tightest->level, CGROUP_MEMORY_IDLE_CACHE, &idle, path,
				     sizeof(path));
	speak_amount(sink, "memory.reclaimable_bytes", err, idle, path);
	err = cgroup_memory_read(cgroup, tightest->level, CGROUP_MEMORY_USAGE, &usage, path,
				 sizeof(path));
	speak_amount(sink, "memory.usage_bytes", err, usage, path);
	/* Usage is counted in batches per CPU, so that cache may be more than that for a moment. */
	int64_t held = idle < usage ? usage - idle : 0;
	speak_amount(sink, "memory.headroom_bytes", err,
		     held < tightest->limit ? tightest->limit - held : 0, path);
}

static void speak_limits(struct sink *sink, const struct cgroup *cgroup)
{
	struct tightest tightest = { .limit = INT64_MAX };

	walk_levels(sink, cgroup, &tightest);
	bool known = cgroup->whole && !tightest.blind;
	sink_text(sink, "memory.hierarchy", known ? "whole" : "partial", cgroup->mount);
	if (tightest.limit < INT64_MAX) {
		sink_int(sink, "memory.limit_bytes", tightest.limit, tightest.path);
		sink_text(sink, "memory.limit_level", tightest.level, tightest.path);
		if (strcmp(tightest.level, UNSEEN) != 0)
			speak_headroom(sink, cgroup, &tightest);
		else
			speak_unknown(sink, 2, 0, "the limit is that of an ancestor out of sight");
	} else if (known) {
		speak_unlimited(sink, cgroup->mount);
	} else {
		/* A level out of sight may well have one: no limit seen is not no limit. */
		speak_unknown(sink, 0, 0, "no limit in sight");
	}
}

static void speak_oom_kills(struct sink *sink, const struct cgroup *cgroup)
{
	char path[SYS_PATH_MAX] = "own level out of sight";
	int64_t kills = 0;
	int err = EXDEV;
	if (cgroup->own)
		err = cgroup_memory_read(cgroup, cgroup->level, CGROUP_MEMORY_OOM_KILLS, &kills,
					 path, sizeof(path));
	speak_amount(sink, "memory.oom_kills", err, kills, path);
}

static void speak_standing(struct sink *sink, const char *root)
{
	static const char *const layouts[] = { "none", "v1", "v2", "hybrid" };
	enum cgroup_layout layout;
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
}

static void memory_collect(struct sink *sink, const struct scope *scope)
{
	struct cgroup cgroup;
	int err = cgroup_find(scope->root, "memory", &cgroup);

	speak_standing(sink, scope->root);
	if (*cgroup.path)
		sink_text(sink, "memory.cgroup.path", cgroup.path, "/proc/self/cgroup");
	else
		sink_fail(sink, "memory.cgroup.path", err, "/proc/self/cgroup");
	if (!err) {
		speak_limits(sink, &cgroup);
		speak_oom_kills(sink, &cgroup);
		return;
	}
	sink_text(sink, "memory.hierarchy", "none", "/proc/self/mountinfo");
	speak_unknown(sink, 0, err, "no memory cgroup can be seen");
	sink_status(sink, "memory.oom_kills", FACT_SKIPPED, err, "no memory cgroup can be seen");
}

const struct collector collector_memory = {
	.name = "memory",
	.about = "memory as it is enforced, at every cgroup level",
	.deadline_ms = 2000,
	.shares = true,
	.collect = memory_collect,
};
