// SPDX-License-Identifier: Apache-2.0
/* How many CPUs tools see, and how much time is granted. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "base/cgroup_cpu.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "collectors/collector.h"

static void speak_count(struct sink *sink, const char *key, int err, int64_t count,
			const char *source)
{
	if (err)
		sink_fail(sink, key, err, source);
	else
		sink_int(sink, key, count, source);
}

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
	speak_count(sink, "cpu.affinity", err, count, "sched_getaffinity");
	speak_count(sink, "cpu.nproc", err, count, "sched_getaffinity");
	return count;
}

static void speak_list(struct sink *sink, const char *root, const char *key, const char *path)
{
	char line[4096];
	int64_t count = 0;
	int err = sys_read_line(root, path, line, sizeof(line));
	if (!err && !parse_cpu_list(line, &count))
		err = EBADMSG;
	speak_count(sink, key, err, count, path);
}

static void speak_cpuinfo(struct sink *sink, const char *root)
{
	cleanup_buf struct buf text = BUF_INIT((size_t)4 << 20);
	char line[256];
	int64_t count = 0;
	int err = sys_read(root, "/proc/cpuinfo", &text);

	for (const char *at = buf_text(&text); parse_line(&at, line, sizeof(line));)
		count += !strncmp(line, "processor", 9);
	speak_count(sink, "cpu.cpuinfo", err, count, "/proc/cpuinfo");
	/* "model name\t: …": the name itself has a blank, and a tab before the colon. */
	const char *model = strstr(buf_text(&text), "model name\t: ");
	if (!model) {
		sink_fail(sink, "cpu.model", err ? err : ENOENT, "/proc/cpuinfo");
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
	/* Version 1 counts throttled time in nanoseconds, version 2 in microseconds. */
	static const struct {
		const char *key, *name[2];
		int64_t divisor[2];
	} counters[] = {
		{ "cpu.periods", { "nr_periods", "nr_periods" }, { 1, 1 } },
		{ "cpu.throttled_periods", { "nr_throttled", "nr_throttled" }, { 1, 1 } },
		{ "cpu.throttled_ms", { "throttled_time", "throttled_usec" }, { 1000000, 1000 } },
	};
	int v = cgroup->version == CGROUP_V2;
	char path[SYS_PATH_MAX] = "own level out of sight";

	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		int64_t value = 0;
		int err = EXDEV;
		if (cgroup->own)
			err = cgroup_file(cgroup, cgroup->level, "cpu.stat", path, sizeof(path));
		if (!err)
			err = cgroup_read_keyed(cgroup, cgroup->level, "cpu.stat",
						counters[i].name[v], &value);
		speak_count(sink, counters[i].key, err == ENODATA ? ENOENT : err,
			    value / counters[i].divisor[v], path);
	}
}

static void speak_no_cgroup(struct sink *sink, int err)
{
	static const char *const keys[] = { "cpu.quota", "cpu.periods", "cpu.throttled_periods",
					    "cpu.throttled_ms" };
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		sink_status(sink, keys[i], FACT_SKIPPED, err, "no cpu cgroup can be seen");
	sink_text(sink, "cpu.hierarchy", "none", "/proc/self/mountinfo");
}

/* Speaks the tightest quota of all levels, and returns it: hundredths of a core. */
static int64_t speak_quota(struct sink *sink, const char *root)
{
	struct cgroup cgroup;
	struct cgroup_cpu_tightest tightest;
	int err = cgroup_find(root, "cpu", &cgroup);

	if (err) {
		speak_no_cgroup(sink, err);
		return CGROUP_NO_QUOTA;
	}
	cgroup_cpu_walk(&cgroup, &tightest);
	bool known = cgroup.whole && !tightest.blind;
	if (tightest.quota != CGROUP_NO_QUOTA)
		speak_cores(sink, "cpu.quota", tightest.quota, tightest.path);
	else if (known)
		sink_text(sink, "cpu.quota", "max", cgroup.mount);
	else
		sink_status(sink, "cpu.quota", FACT_SKIPPED, 0, "no quota in sight");
	sink_text(sink, "cpu.hierarchy", known ? "whole" : "partial", cgroup.mount);
	speak_throttling(sink, &cgroup);
	return tightest.quota;
}

static void speak_cpuset(struct sink *sink, const char *root)
{
	struct cgroup cgroup;
	char path[SYS_PATH_MAX];
	int err = cgroup_find(root, "cpuset", &cgroup);

	if (!err)
		err = cgroup_file(&cgroup, cgroup.level,
				  cgroup.version == CGROUP_V1 ? "cpuset.effective_cpus"
							      : "cpuset.cpus.effective",
				  path, sizeof(path));
	if (err || !cgroup.own)
		sink_status(sink, "cpu.cpuset", FACT_SKIPPED, err, "no cpuset cgroup can be seen");
	else
		speak_list(sink, root, "cpu.cpuset", path);
}

static void speak_load(struct sink *sink, const char *root)
{
	char line[128];
	struct sysinfo info;
	int err = sys_read_line(root, "/proc/loadavg", line, sizeof(line));

	if (!err && strspn(line, "0123456789."))
		sink_text_n(sink, "cpu.load1", line, strspn(line, "0123456789."), "/proc/loadavg");
	else if (!err)
		sink_fail(sink, "cpu.load1", EBADMSG, "/proc/loadavg");
	else if (!*root && !sysinfo(&info)) /* loads are fixed point, 1 << SI_LOAD_SHIFT */
		speak_cores(sink, "cpu.load1", (int64_t)(info.loads[0] * 100 >> 16), "sysinfo");
	else
		sink_fail(sink, "cpu.load1", err, "/proc/loadavg");
}

static void cpu_collect(struct sink *sink, const struct scope *scope)
{
	const char *root = scope->root;
	int64_t granted = speak_affinity(sink), quota = speak_quota(sink, root);

	speak_list(sink, root, "cpu.online", "/sys/devices/system/cpu/online");
	speak_list(sink, root, "cpu.possible", "/sys/devices/system/cpu/possible");
	speak_cpuset(sink, root);
	speak_cpuinfo(sink, root);
	if (granted > 0) {
		granted *= 100;
		speak_cores(sink, "cpu.effective", quota < granted ? quota : granted,
			    "affinity and quota");
	} else {
		sink_status(sink, "cpu.effective", FACT_SKIPPED, 0, "affinity and quota");
	}
	speak_load(sink, root);
}

const struct collector collector_cpu = {
	.name = "cpu",
	.about = "CPUs visible and granted",
	.deadline_ms = 2000,
	.shares = true,
	.collect = cpu_collect,
};
