/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded roots for the tests that look at cgroups, and what is needed to run a collector over one. */
#ifndef TESTS_UNIT_CGROUP_ROOTS_H
#define TESTS_UNIT_CGROUP_ROOTS_H

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "collected.h"
#include "scratch.h"

#define MIB ((int64_t)1 << 20)

#define NS_INITIAL "->cgroup:[4026531835]"
#define NS_OTHER   "->cgroup:[4026532201]"

/* One entry of a root. A text that begins with "->" makes a symbolic link, NULL a directory. */
struct entry {
	const char *path, *text;
};

/* Docker with version 1 and no cgroup namespace: the mount shows our own group as its root. */
static const struct entry v1_docker[] = {
	{ "/proc/self/ns/cgroup", NS_INITIAL },
	{ "/proc/self/cgroup", "12:cpu,cpuacct:/docker/c0ffee\n"
			       "11:memory:/docker/c0ffee\n"
			       "9:pids:/docker/c0ffee\n"
			       "3:cpuset:/docker/c0ffee\n"
			       "1:name=systemd:/docker/c0ffee\n"
			       "0::/system.slice/containerd.service\n" },
	{ "/proc/self/mountinfo",
	  "500 400 0:50 / / rw - overlay overlay rw\n"
	  "501 500 0:51 / /sys/fs/cgroup ro - tmpfs tmpfs rw,mode=755\n"
	  "502 501 0:28 /docker/c0ffee /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
	  "503 501 0:31 /docker/c0ffee /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
	  "504 501 0:35 /docker/c0ffee /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids\n"
	  "505 501 0:36 /docker/c0ffee /sys/fs/cgroup/cpuset ro - cgroup cgroup rw,cpuset\n" },
	{ "/sys/fs/cgroup/memory/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/memory/memory.limit_in_bytes", "67108864\n" },
	{ "/sys/fs/cgroup/memory/memory.soft_limit_in_bytes", "9223372036854771712\n" },
	{ "/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes", "134217728\n" },
	{ "/sys/fs/cgroup/memory/memory.usage_in_bytes", "41943040\n" },
	{ "/sys/fs/cgroup/memory/memory.max_usage_in_bytes", "67108864\n" },
	{ "/sys/fs/cgroup/memory/memory.failcnt", "95\n" },
	{ "/sys/fs/cgroup/memory/memory.oom_control",
	  "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n" },
	{ "/sys/fs/cgroup/memory/memory.stat",
	  "cache 20971520\ninactive_file 1\nhierarchical_memory_limit 67108864\n"
	  "total_inactive_file 10485760\ntotal_active_file 5242880\n" },
	{ "/sys/fs/cgroup/cpu,cpuacct/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n" },
	{ "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n" },
	{ "/sys/fs/cgroup/cpu,cpuacct/cpu.stat",
	  "nr_periods 40\nnr_throttled 7\nthrottled_time 2500000000\n" },
	{ "/sys/fs/cgroup/cpuset/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/cpuset/cpuset.effective_cpus", "0-2,5\n" },
	{ "/sys/fs/cgroup/pids/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/pids/pids.max", "50\n" },
	{ "/sys/fs/cgroup/pids/pids.current", "8\n" },
	{ "/sys/fs/cgroup/pids/pids.events", "max 3\n" },
	{ NULL, NULL },
};

/* Version 2 alone, three levels deep, seen from the machine itself: everything is in sight. */
static const struct entry v2_nested[] = {
	{ "/proc/self/ns/cgroup", NS_INITIAL },
	{ "/proc/self/cgroup", "0::/work.slice/agent.service/task\n" },
	{ "/proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n" },
	{ "/sys/fs/cgroup/cgroup.procs", "2\n" },
	{ "/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n" },
	{ "/sys/fs/cgroup/cpuset.cpus.effective", "0-7\n" },
	{ "/sys/fs/cgroup/work.slice/cgroup.procs", "" },
	{ "/sys/fs/cgroup/work.slice/cgroup.controllers", "cpu memory pids\n" },
	{ "/sys/fs/cgroup/work.slice/memory.max", "1073741824\n" },
	{ "/sys/fs/cgroup/work.slice/memory.current", "314572800\n" },
	{ "/sys/fs/cgroup/work.slice/cpu.max", "400000 100000\n" },
	{ "/sys/fs/cgroup/work.slice/pids.max", "1000\n" },
	{ "/sys/fs/cgroup/work.slice/pids.current", "990\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/cgroup.procs", "" },
	{ "/sys/fs/cgroup/work.slice/agent.service/cgroup.controllers", "cpu memory pids\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/memory.max", "536870912\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/memory.current", "209715200\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/memory.stat",
	  "anon 1\ninactive_file 52428800\nactive_file 20971520\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/cpu.max", "50000 100000\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/pids.max", "100\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/pids.current", "20\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/cgroup.procs", "77\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/cgroup.controllers", "cpu memory pids\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/memory.max", "max\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/memory.high", "805306368\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/memory.current", "104857600\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/memory.swap.max", "0\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/memory.peak", "188743680\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/memory.events",
	  "low 0\nhigh 5\nmax 12\noom 2\noom_kill 2\noom_group_kill 0\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/memory.pressure",
	  "some avg10=1.25 avg60=0.50 avg300=0.00 total=99\n"
	  "full avg10=0.75 avg60=0.25 avg300=0.00 total=42\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/cpu.max", "max 100000\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/cpu.stat",
	  "usage_usec 900\nnr_periods 10\nnr_throttled 4\nthrottled_usec 123456\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/pids.max", "max\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/pids.current", "5\n" },
	{ "/sys/fs/cgroup/work.slice/agent.service/task/pids.events", "max 0\n" },
	{ NULL, NULL },
};

/* Controllers on version 1, version 2 mounted beside it for the processes alone; nothing is limited. */
static const struct entry hybrid[] = {
	{ "/proc/self/ns/cgroup", NS_INITIAL },
	{ "/proc/self/cgroup",
	  "8:pids:/\n4:memory:/api/2121\n3:cpuset:/\n2:cpuacct:/\n1:cpu:/\n0::/\n" },
	{ "/proc/self/mountinfo",
	  "30 22 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
	  "31 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
	  "32 30 0:29 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
	  "34 30 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	  "38 30 0:35 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
	  "40 30 0:37 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" },
	{ "/sys/fs/cgroup/unified/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/unified/cgroup.controllers", "hugetlb\n" },
	{ "/sys/fs/cgroup/cpu/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n" },
	{ "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n" },
	{ "/sys/fs/cgroup/pids/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/memory/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n" },
	{ "/sys/fs/cgroup/memory/memory.usage_in_bytes", "900\n" },
	{ "/sys/fs/cgroup/memory/api/2121/cgroup.procs", "7\n" },
	{ "/sys/fs/cgroup/memory/api/2121/memory.limit_in_bytes", "9223372036854710272\n" },
	{ "/sys/fs/cgroup/memory/api/2121/memory.usage_in_bytes", "800\n" },
	{ "/sys/fs/cgroup/memory/api/2121/memory.oom_control", "oom_kill_disable 0\n" },
	{ "/sys/fs/cgroup/memory/api/2121/memory.stat",
	  "hierarchical_memory_limit 9223372036854771712\n" },
	{ "/sys/fs/cgroup/memory/api/cgroup.procs", "" },
	{ "/sys/fs/cgroup/memory/api/memory.limit_in_bytes", "18446744073709551615\n" },
	{ NULL, NULL },
};

/* Version 2 in a cgroup namespace: our own group looks like the root, and has the files that a root lacks. */
static const struct entry v2_namespace[] = {
	{ "/proc/self/ns/cgroup", NS_OTHER },
	{ "/proc/self/cgroup", "0::/\n" },
	{ "/proc/self/mountinfo", "700 600 0:27 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n" },
	{ "/sys/fs/cgroup/cgroup.procs", "1\n" },
	{ "/sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory pids\n" },
	{ "/sys/fs/cgroup/cpuset.cpus.effective", "1\n" },
	{ "/sys/fs/cgroup/memory.max", "268435456\n" },
	{ "/sys/fs/cgroup/memory.current", "268435456\n" },
	{ "/sys/fs/cgroup/memory.stat", "inactive_file 4096\n" },
	{ "/sys/fs/cgroup/memory.events", "max 0\noom_kill 0\n" },
	{ "/sys/fs/cgroup/memory.pressure", "some avg10=3.00 avg60=2.00 avg300=1.00 total=1\n" },
	{ "/sys/fs/cgroup/cpu.max", "500 1000000\n" },
	{ "/sys/fs/cgroup/pids.max", "max\n" },
	{ "/sys/fs/cgroup/pids.current", "3\n" },
	{ NULL, NULL },
};

/* gVisor without cgroups: the files are there and say nothing, the directory is empty. */
static const struct entry gvisor[] = {
	{ "/proc/self/cgroup", "" },
	{ "/proc/self/mountinfo", "1 0 0:2 / / rw - overlay none rw\n"
				  "2 1 0:3 / /sys rw - sysfs none rw\n" },
	{ "/sys/fs/cgroup", NULL },
	{ NULL, NULL },
};

static inline void make_parents(char *path, size_t from)
{
	for (char *slash = strchr(path + from + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

/* Puts an entry into a root, in place of what is there. */
static inline void put(const char *root, const char *path, const char *text)
{
	char full[SYS_PATH_MAX];
	assert_true((size_t)snprintf(full, sizeof(full), "%s%s", root, path) < sizeof(full));
	make_parents(full, strlen(root));
	remove(full);
	if (!text) {
		assert_int_equal(mkdir(full, 0755), 0);
	} else if (!strncmp(text, "->", 2)) {
		assert_int_equal(symlink(text + 2, full), 0);
	} else {
		FILE *file = fopen(full, "w");
		assert_non_null(file);
		fputs(text, file);
		assert_int_equal(fclose(file), 0);
	}
}

/* A root below TMPDIR; remove it with root_done. */
static inline char *root_make(const struct entry *entries)
{
	const char *base = getenv("TMPDIR");
	char path[256];
	snprintf(path, sizeof(path), "%s/driftprobe-root-XXXXXX", base ? base : "/tmp");
	assert_non_null(mkdtemp(path));
	chmod(path, 0755);
	for (; entries->path; entries++)
		put(path, entries->path, entries->text);
	return strdup(path);
}

static inline void root_done(char **root)
{
	if (*root)
		nftw(*root, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(*root);
}
#define cleanup_root __attribute__((__cleanup__(root_done)))

static inline struct profile *collected(const struct collector *collector, const char *root)
{
	return collected_by(collector, root, NULL);
}

#endif
