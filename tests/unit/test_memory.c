// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "cgroup_roots.h"

extern const struct collector collector_memory, collector_meminfo, collector_pressure;

#define C0FFEE "/sys/fs/cgroup/memory/"
#define TASK   "/work.slice/agent.service/task"

static void test_v1_docker(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v1_docker);
	cleanup_profile struct profile *p = collected(&collector_memory, root);

	assert_text(p, "memory.cgroup.version", "v1");
	assert_text(p, "memory.cgroup.path", "/docker/c0ffee");
	assert_true(profile_false(p, "memory.cgroup.namespaced"));
	assert_text(p, "memory.hierarchy", "partial");
	assert_number(p, "memory.limit_bytes", 64 * MIB);
	assert_string_equal(found(p, "memory.limit_bytes")->source, C0FFEE "memory.limit_in_bytes");
	assert_text(p, "memory.limit_level", "/");
	assert_number(p, "memory.usage_bytes", 40 * MIB);
	assert_number(p, "memory.reclaimable_bytes", 10 * MIB);
	assert_number(p, "memory.headroom_bytes", 34 * MIB);
	assert_number(p, "memory.oom_kills", 1);
	assert_number(p, "memory.level[/].limit_bytes", 64 * MIB);
	assert_text(p, "memory.level[/].soft_limit_bytes", "max");
	assert_number(p, "memory.level[/].swap_limit_bytes", 64 * MIB);
	assert_number(p, "memory.level[/].peak_bytes", 64 * MIB);
	assert_number(p, "memory.level[/].limit_hits", 95);
	assert_null(profile_find(p, "memory.level[/].high_bytes"));
	assert_null(profile_find(p, "memory.level[%5Bancestor%5D].limit_bytes"));
}

/* The mount ends at our own group, yet an ancestor that it does not show limits us more. */
static void test_v1_ancestor(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v1_docker);
	put(root, C0FFEE "memory.limit_in_bytes", "9223372036854771712\n");
	put(root, C0FFEE "memory.stat",
	    "hierarchical_memory_limit 33554432\ntotal_inactive_file 5\n");
	cleanup_profile struct profile *p = collected(&collector_memory, root);

	assert_number(p, "memory.limit_bytes", 32 * MIB);
	assert_text(p, "memory.limit_level", "[ancestor]");
	assert_number(p, "memory.level[%5Bancestor%5D].limit_bytes", 32 * MIB);
	assert_text(p, "memory.level[/].limit_bytes", "max");
	assert_status(p, "memory.usage_bytes", FACT_SKIPPED, 0);
	assert_status(p, "memory.headroom_bytes", FACT_SKIPPED, 0);
	assert_status(p, "memory.reclaimable_bytes", FACT_SKIPPED, 0);
}

static void test_v2_nested(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_nested);
	cleanup_profile struct profile *p = collected(&collector_memory, root);

	assert_text(p, "memory.cgroup.version", "v2");
	assert_text(p, "memory.hierarchy", "whole");
	assert_number(p, "memory.limit_bytes", 512 * MIB);
	assert_text(p, "memory.limit_level", "/work.slice/agent.service");
	assert_number(p, "memory.usage_bytes", 200 * MIB);
	assert_number(p, "memory.reclaimable_bytes", 50 * MIB);
	assert_number(p, "memory.headroom_bytes", 362 * MIB);
	assert_number(p, "memory.oom_kills", 2);
	assert_text(p, "memory.level[" TASK "].limit_bytes", "max");
	assert_number(p, "memory.level[" TASK "].high_bytes", 768 * MIB);
	assert_number(p, "memory.level[" TASK "].swap_limit_bytes", 0);
	assert_number(p, "memory.level[" TASK "].peak_bytes", 180 * MIB);
	assert_number(p, "memory.level[" TASK "].limit_hits", 12);
	assert_number(p, "memory.level[/work.slice].limit_bytes", 1024 * MIB);
	/* Linux before 5.19 has no memory.peak; the machine's root has no limits at all. */
	assert_status(p, "memory.level[/work.slice].peak_bytes", FACT_ABSENT, ENOENT);
	assert_null(profile_find(p, "memory.level[/].limit_bytes"));
}

static void test_no_limit(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(hybrid);
	cleanup_profile struct profile *p = collected(&collector_memory, root);

	assert_text(p, "memory.cgroup.version", "hybrid");
	assert_text(p, "memory.hierarchy", "whole");
	assert_text(p, "memory.limit_bytes", "max");
	assert_text(p, "memory.headroom_bytes", "max");
	assert_status(p, "memory.limit_level", FACT_ABSENT, 0);
	assert_text(p, "memory.level[/api/2121].limit_bytes", "max"); /* 64 KiB pages */
	assert_text(p, "memory.level[/api].limit_bytes", "max");
	assert_text(p, "memory.level[/].limit_bytes", "max");
	/* Linux before 4.13 does not count them. */
	assert_status(p, "memory.oom_kills", FACT_ABSENT, ENOENT);
}

/* One level that cannot be read, and "no limit" is no longer known. */
static void test_blind_level(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(hybrid);
	put(root, "/sys/fs/cgroup/memory/api/memory.limit_in_bytes", NULL);
	cleanup_profile struct profile *p = collected(&collector_memory, root);

	assert_text(p, "memory.hierarchy", "partial");
	assert_status(p, "memory.level[/api].limit_bytes", FACT_SKIPPED, EISDIR);
	assert_status(p, "memory.limit_bytes", FACT_SKIPPED, 0);
	assert_status(p, "memory.headroom_bytes", FACT_SKIPPED, 0);
}

static void test_denied(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	cleanup_root char *root = root_make(v2_nested);
	char path[SYS_PATH_MAX];
	snprintf(path, sizeof(path), "%s/sys/fs/cgroup" TASK "/memory.max", root);
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(seteuid(65534), 0);
	cleanup_profile struct profile *p = collected(&collector_memory, root);
	assert_int_equal(seteuid(0), 0);

	assert_text(p, "memory.hierarchy", "partial");
	assert_status(p, "memory.level[" TASK "].limit_bytes", FACT_DENIED, EACCES);
	assert_number(p, "memory.limit_bytes", 512 * MIB);
}

static void test_namespace(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	cleanup_profile struct profile *p = collected(&collector_memory, root);

	assert_true(profile_true(p, "memory.cgroup.namespaced"));
	assert_text(p, "memory.hierarchy", "partial");
	assert_number(p, "memory.limit_bytes", 256 * MIB);
	assert_text(p, "memory.limit_level", "/");
	assert_number(p, "memory.headroom_bytes", 4096);
	assert_number(p, "memory.oom_kills", 0);

	put(root, "/sys/fs/cgroup/memory.max", "max\n");
	cleanup_profile struct profile *unlimited = collected(&collector_memory, root);
	assert_text(unlimited, "memory.level[/].limit_bytes", "max");
	assert_status(unlimited, "memory.limit_bytes", FACT_SKIPPED, 0);
}

/* What is in sight is an ancestor's: its limit holds for us, its count of kills is not ours. */
static void test_above(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	put(root, "/proc/self/mountinfo",
	    "700 600 0:27 /.. /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
	cleanup_profile struct profile *p = collected(&collector_memory, root);

	assert_number(p, "memory.limit_bytes", 256 * MIB);
	assert_status(p, "memory.oom_kills", FACT_SKIPPED, EXDEV);
	assert_text(p, "memory.hierarchy", "partial");
}

static void assert_nothing(const struct profile *p, int err)
{
	assert_text(p, "memory.hierarchy", "none");
	assert_status(p, "memory.limit_bytes", FACT_SKIPPED, err);
	assert_status(p, "memory.limit_level", FACT_SKIPPED, err);
	assert_status(p, "memory.usage_bytes", FACT_SKIPPED, err);
	assert_status(p, "memory.headroom_bytes", FACT_SKIPPED, err);
	assert_status(p, "memory.reclaimable_bytes", FACT_SKIPPED, err);
	assert_status(p, "memory.oom_kills", FACT_SKIPPED, err);
}

static void test_nothing(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(gvisor);
	cleanup_profile struct profile *p = collected(&collector_memory, root);
	assert_nothing(p, ENOENT);
	assert_text(p, "memory.cgroup.version", "none");
	assert_status(p, "memory.cgroup.path", FACT_ABSENT, ENOENT);
	assert_status(p, "memory.cgroup.namespaced", FACT_ABSENT, ENOENT);

	cleanup_profile struct profile *no_proc = collected(&collector_memory, "/nonexistent");
	assert_nothing(no_proc, ENOENT);
	assert_status(no_proc, "memory.cgroup.version", FACT_ABSENT, ENOENT);

	put(root, "/proc/self/cgroup", "0::/ours\n");
	put(root, "/proc/self/mountinfo", "9 1 0:3 /theirs /sys/fs/cgroup rw - cgroup2 none rw\n");
	cleanup_profile struct profile *theirs = collected(&collector_memory, root);
	assert_nothing(theirs, EXDEV);
	assert_text(theirs, "memory.cgroup.path", "/ours");
}

/* Whatever the files say, nothing overflows, and no number is made up. */
static void test_malformed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int err;
	} rows[] = { { "", EBADMSG },
		     { "64M\n", EBADMSG },
		     { "-64\n", EBADMSG },
		     { "6 4", EBADMSG },
		     { "99999999999999999999", EBADMSG } };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cleanup_root char *root = root_make(v1_docker);
		put(root, C0FFEE "memory.limit_in_bytes", rows[i].text);
		cleanup_profile struct profile *p = collected(&collector_memory, root);
		assert_status(p, "memory.level[/].limit_bytes", FACT_MALFORMED, rows[i].err);
		/* The kernel's own sum of all levels is still there. */
		assert_number(p, "memory.limit_bytes", 64 * MIB);
		assert_text(p, "memory.limit_level", "[ancestor]");
	}
}

static void test_extremes(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	put(root, "/sys/fs/cgroup/memory.max", "9000000000000000000\n");
	put(root, "/sys/fs/cgroup/memory.current", "1\n");
	put(root, "/sys/fs/cgroup/memory.stat", "inactive_file 9000000000000000000\n");
	cleanup_profile struct profile *p = collected(&collector_memory, root);
	assert_number(p, "memory.limit_bytes", 9000000000000000000);
	assert_number(p, "memory.headroom_bytes", 9000000000000000000);

	put(root, "/sys/fs/cgroup/memory.max", "0\n");
	put(root, "/sys/fs/cgroup/memory.current", "max\n");
	put(root, "/sys/fs/cgroup/memory.stat", "inactive_file x\n");
	cleanup_profile struct profile *none = collected(&collector_memory, root);
	assert_number(none, "memory.limit_bytes", 0);
	assert_status(none, "memory.reclaimable_bytes", FACT_MALFORMED, EBADMSG);
	assert_number(none, "memory.headroom_bytes", 0);

	put(root, "/sys/fs/cgroup/memory.current", NULL);
	cleanup_profile struct profile *no_usage = collected(&collector_memory, root);
	assert_status(no_usage, "memory.usage_bytes", FACT_SKIPPED, EISDIR);
	assert_status(no_usage, "memory.headroom_bytes", FACT_SKIPPED, EISDIR);
}

static void test_huge_files(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	cleanup_buf struct buf huge = BUF_INIT(1 << 20);
	while (huge.len < 1 << 17)
		buf_puts(&huge, "anon 1\n");
	put(root, "/sys/fs/cgroup/memory.stat", buf_text(&huge));
	put(root, "/sys/fs/cgroup/memory.events", buf_text(&huge));
	put(root, "/sys/fs/cgroup/memory.current", buf_text(&huge));
	cleanup_profile struct profile *p = collected(&collector_memory, root);
	assert_number(p, "memory.limit_bytes", 256 * MIB);
	assert_status(p, "memory.reclaimable_bytes", FACT_TRUNCATED, EFBIG);
	assert_status(p, "memory.usage_bytes", FACT_TRUNCATED, EFBIG);
	assert_status(p, "memory.oom_kills", FACT_TRUNCATED, EFBIG);

	put(root, "/proc/self/cgroup", buf_text(&huge));
	cleanup_profile struct profile *lost = collected(&collector_memory, root);
	assert_nothing(lost, EFBIG);
}

static void test_meminfo(void **state)
{
	(void)state;
	static const struct entry entries[] = {
		{ "/proc/meminfo", "MemTotal:       24633208 kB\n"
				   "MemAvailable:   12 MB\n"
				   "SwapTotal:             0 kB\n"
				   "SwapFree:            bad kB\n"
				   "Committed_AS: 9223372036854775807 kB\n" },
		{ "/proc/sys/vm/overcommit_memory", "2\n" },
		{ NULL, NULL },
	};
	cleanup_root char *root = root_make(entries);
	cleanup_profile struct profile *p = collected(&collector_meminfo, root);
	assert_number(p, "memory.total_bytes", (int64_t)24633208 * 1024);
	assert_status(p, "memory.available_bytes", FACT_MALFORMED, EBADMSG);
	assert_number(p, "memory.swap_total_bytes", 0);
	assert_status(p, "memory.swap_free_bytes", FACT_MALFORMED, EBADMSG);
	assert_status(p, "memory.commit_limit_bytes", FACT_ABSENT, ENOENT);
	assert_status(p, "memory.committed_bytes", FACT_MALFORMED, EBADMSG);
	assert_text(p, "memory.overcommit", "2");

	cleanup_profile struct profile *none = collected(&collector_meminfo, "/nonexistent");
	assert_status(none, "memory.total_bytes", FACT_ABSENT, ENOENT);
	assert_status(none, "memory.overcommit", FACT_ABSENT, ENOENT);
}

static void test_meminfo_live(void **state)
{
	(void)state;
	cleanup_profile struct profile *p = collected(&collector_meminfo, "");
	struct sysinfo info;
	struct rlimit limit;
	assert_int_equal(sysinfo(&info), 0);
	assert_number(p, "memory.total_bytes", (int64_t)info.totalram * info.mem_unit);
	assert_number(p, "memory.swap_total_bytes", (int64_t)info.totalswap * info.mem_unit);
	assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
	if (limit.rlim_cur == RLIM_INFINITY)
		assert_text(p, "memory.rlimit_as_bytes", "max");
	else
		assert_number(p, "memory.rlimit_as_bytes", (int64_t)limit.rlim_cur);
}

static void test_pressure(void **state)
{
	(void)state;
	static const char system[] = "some avg10=9.00 avg60=8.00 avg300=7.00 total=1\n"
				     "full avg10=6.00 avg60=5.00 avg300=4.00 total=1\n";
	static const struct {
		const struct entry *entries;
		const char *scope, *some, *full;
	} rows[] = {
		{ v2_nested, "cgroup", "1.25", "0.75" },
		{ v2_namespace, "cgroup", "3.00", NULL },
		{ v1_docker, "system", "9.00", "6.00" },
		{ hybrid, "system", "9.00", "6.00" }, /* the root group is the machine */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cleanup_root char *root = root_make(rows[i].entries);
		put(root, "/proc/pressure/memory", system);
		put(root, "/sys/fs/cgroup/unified/memory.pressure", "some avg10=4.00 avg60=4.00\n");
		cleanup_profile struct profile *p = collected(&collector_pressure, root);
		assert_text(p, "memory.psi.scope", rows[i].scope);
		assert_text(p, "memory.psi.some_avg10", rows[i].some);
		if (rows[i].full)
			assert_text(p, "memory.psi.full_avg10", rows[i].full);
		else
			assert_status(p, "memory.psi.full_avg10", FACT_ABSENT, 0);
		assert_status(p, "cpu.psi.scope", FACT_ABSENT, ENOENT);
	}
}

/* On a hybrid machine a group of version 2 has its pressure, although memory is bound to version 1. */
static void test_pressure_hybrid(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(hybrid);
	put(root, "/proc/self/cgroup", "4:memory:/api/2121\n0::/ours\n");
	put(root, "/sys/fs/cgroup/unified/ours/cgroup.procs", "1\n");
	put(root, "/sys/fs/cgroup/unified/ours/memory.pressure",
	    "some avg10=0.10 avg60=bad avg300=0.30 total=1\n");
	cleanup_profile struct profile *p = collected(&collector_pressure, root);
	assert_text(p, "memory.psi.scope", "cgroup");
	assert_text(p, "memory.psi.some_avg10", "0.10");
	assert_status(p, "memory.psi.some_avg60", FACT_ABSENT, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v1_docker),   cmocka_unit_test(test_v1_ancestor),
		cmocka_unit_test(test_v2_nested),   cmocka_unit_test(test_no_limit),
		cmocka_unit_test(test_blind_level), cmocka_unit_test(test_denied),
		cmocka_unit_test(test_namespace),   cmocka_unit_test(test_above),
		cmocka_unit_test(test_nothing),	    cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_extremes),    cmocka_unit_test(test_huge_files),
		cmocka_unit_test(test_meminfo),	    cmocka_unit_test(test_meminfo_live),
		cmocka_unit_test(test_pressure),    cmocka_unit_test(test_pressure_hybrid),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
