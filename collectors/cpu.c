// SPDX-License-Identifier: Apache-2.0
/* How many CPUs tools see, and how much time is granted. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/cgroup_cpu.h"
#include "base/parse.h"
#include "collectors/collector.h"

static int64_t speak_affinity(struct sink *sink)
{
	/* The kernel asks for a mask at least as large as its own: 8192 CPUs hold any today. */
	size_t size = CPU_ALLOC_SIZE(8192);
	cpu_set_t *set = CPU_ALLOC(8192);
	int64_t count = -1;
	int err = ENOMEM;

	if (set) {
		CPU_ZERO_S(size, set);
		err = sched_getaffinity(0, size, set) ? errno : 0;
		if (!err)
			count = CPU_COUNT_S(size, set);
		CPU_FREE(set);
	}
	static const char *const keys[] = { "cpu.affinity", "cpu.nproc" };
	for (size_t i = 0; i < 2; i++) {
		if (err)
			sink_fail(sink, keys[i], err, "sched_getaffinity");
		else
			sink_int(sink, keys[i], count, "sched_getaffinity");
	}
	return count;
}

static void speak_list(struct sink *sink, const char *root, const char *key, const char *path)
{
	char line[4096];
	int64_t count;
	int err = sys_read_line(root, path, line, sizeof(line));
	if (!err && !parse_cpu_list(line, &count))
		err = EBADMSG;
	if (err)
		sink_fail(sink, key, err, path);
	else
		sink_int(sink, key, count, path);
}

static void speak_cpuinfo(struct sink *sink, const char *root)
{
	cleanup_buf struct buf text = BUF_INIT((size_t)4 << 20);
	char line[256];
	int64_t count = 0;
	int err = sys_read(root, "/proc/cpuinfo", &text);

	if (err) {
		sink_fail(sink, "cpu.cpuinfo", err, "/proc/cpuinfo");
		sink_fail(sink, "cpu.model", err, "/proc/cpuinfo");
		return;
	}
	for (const char *at = buf_text(&text); parse_line(&at, line, sizeof(line));)
		count += !strncmp(line, "processor", 9);
	sink_int(sink, "cpu.cpuinfo", count, "/proc/cpuinfo");
	/* "model name\t: …": the name itself has a blank, and a tab before the colon. */
	const char *model = strstr(buf_text(&text), "model name\t: ");
	if (!model) {
		sink_status(sink, "cpu.model", FACT_ABSENT, 0, "/proc/cpuinfo");
		return;
	}
	model += strlen("model name\t: ");
	sink_text_n(sink, "cpu.model", model, strcspn(model, "\n"), "/proc/cpuinfo");
}

static void speak_cores(struct sink *sink, const char *key, int64_t hundredths, const char *source)
{
	char text[32];
	snprintf(text, sizeof(text), "%lld.%02lld", (long long)hundredths / 100,
		 (long long)hundredths % 100);
	sink_text(sink, key, text, source);
}

static void speak_throttling(struct sink *sink, const struct cgroup *cgroup)
{
	static const struct {
		const char *key, *name;
	} counters[] = {
		{ "cpu.periods", "nr_periods" },
		{ "cpu.throttled_periods", "nr_throttled" },
	};
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		int64_t value;
		int err = cgroup_read_keyed(cgroup, cgroup->level, "cpu.stat", counters[i].name,
					    &value);
		if (err)
			sink_fail(sink, counters[i].key, err == ENODATA ? ENOENT : err, "cpu.stat");
		else
			sink_int(sink, counters[i].key, value, "cpu.stat");
	}
}

static int64_t speak_quota(struct sink *sink, const char *root)
{
	struct cgroup cgroup;
	char level[SYS_PATH_MAX], path[SYS_PATH_MAX];
	int64_t tightest = CGROUP_NO_QUOTA, cores;
	int err = cgroup_find(root, "cpu", &cgroup), depth = 0;
	bool blind = false;

	if (err) {
		sink_status(sink, "cpu.quota", FACT_SKIPPED, err, "no cpu cgroup can be seen");
		sink_text(sink, "cpu.hierarchy", "none", "/proc/self/mountinfo");
		return CGROUP_NO_QUOTA;
	}
	strcpy(level, cgroup.level);
	snprintf(path, sizeof(path), "%s", cgroup.mount);
	do {
		err = cgroup_cpu_quota(&cgroup, level, &cores);
		blind |= err && !(err == ENOENT && !level[1]);
		if (!err && cores < tightest) {
			tightest = cores;
			cgroup_file(&cgroup, level,
				    cgroup.version == CGROUP_V1 ? "cpu.cfs_quota_us" : "cpu.max",
				    path, sizeof(path));
		}
	} while (++depth < 32 && cgroup_up(level));

	bool known = cgroup.whole && !blind;
	if (tightest != CGROUP_NO_QUOTA)
		speak_cores(sink, "cpu.quota", tightest, path);
	else if (known)
		sink_text(sink, "cpu.quota", "max", path);
	else
		sink_status(sink, "cpu.quota", FACT_SKIPPED, 0, path);
	sink_text(sink, "cpu.hierarchy", known ? "whole" : "partial", cgroup.mount);
	speak_throttling(sink, &cgroup);
	return tightest;
}

static void cpu_collect(struct sink *sink, const struct scope *scope)
{
	char line[128];
	int64_t granted = speak_affinity(sink), quota = speak_quota(sink, scope->root);

	speak_list(sink, scope->root, "cpu.online", "/sys/devices/system/cpu/online");
	speak_cpuinfo(sink, scope->root);
	if (granted > 0)
		granted *= 100;
	if (granted > 0 && quota < granted)
		granted = quota;
	if (granted > 0)
		speak_cores(sink, "cpu.effective", granted, "affinity and quota");
	else
		sink_status(sink, "cpu.effective", FACT_SKIPPED, 0, "affinity and quota");
	int err = sys_read_line(scope->root, "/proc/loadavg", line, sizeof(line));
	if (err)
		sink_fail(sink, "cpu.load1", err, "/proc/loadavg");
	else
		sink_text_n(sink, "cpu.load1", line, strcspn(line, " "), "/proc/loadavg");
}

const struct collector collector_cpu = {
	.name = "cpu",
	.about = "CPUs visible and granted",
	.deadline_ms = 2000,
	.collect = cpu_collect,
};
