// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>

#include "cgroup_roots.h"

extern const struct collector collector_cpu;

static void test_v1_docker(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v1_docker);
	cleanup_profile struct profile *p = collected(&collector_cpu, root);

	assert_text(p, "cpu.quota", "1.50");
	assert_string_equal(found(p, "cpu.quota")->source,
			    "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us");
	assert_text(p, "cpu.hierarchy", "partial");
	assert_number(p, "cpu.cpuset", 4);
	assert_number(p, "cpu.periods", 40);
	assert_number(p, "cpu.throttled_periods", 7);
	assert_number(p, "cpu.throttled_ms", 2500); /* from nanoseconds */
}

static void test_v2_nested(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_nested);
	cleanup_profile struct profile *p = collected(&collector_cpu, root);

	assert_text(p, "cpu.quota", "0.50");
	assert_string_equal(found(p, "cpu.quota")->source,
			    "/sys/fs/cgroup/work.slice/agent.service/cpu.max");
	assert_text(p, "cpu.effective", "0.50");
	assert_text(p, "cpu.hierarchy", "whole");
	assert_number(p, "cpu.cpuset", 8);
	assert_number(p, "cpu.throttled_ms", 123); /* from microseconds */
}

static void test_no_quota(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(hybrid);
	cleanup_profile struct profile *p = collected(&collector_cpu, root);
	char whole[32];

	assert_text(p, "cpu.quota", "max");
	assert_text(p, "cpu.hierarchy", "whole");
	snprintf(whole, sizeof(whole), "%lld.00", (long long)profile_int(p, "cpu.nproc", -1));
	assert_text(p, "cpu.effective", whole);
	assert_status(p, "cpu.cpuset", FACT_SKIPPED, ENOENT);
	assert_status(p, "cpu.periods", FACT_ABSENT, ENOENT);

	/* The same in a cgroup namespace, where higher levels are out of sight: not known to be without. */
	put(root, "/proc/self/ns/cgroup", NS_OTHER);
	cleanup_profile struct profile *unsure = collected(&collector_cpu, root);
	assert_status(unsure, "cpu.quota", FACT_SKIPPED, 0);
	assert_text(unsure, "cpu.hierarchy", "partial");
}

/* Half a millisecond a second is little, and not nothing. */
static void test_tiny_quota(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	cleanup_profile struct profile *p = collected(&collector_cpu, root);
	assert_text(p, "cpu.quota", "0.01");
	assert_text(p, "cpu.effective", "0.01");
	assert_number(p, "cpu.cpuset", 1);
}

static void test_malformed(void **state)
{
	(void)state;
	static const char *const texts[] = { "",	 "max",	      "x 100000",
					     "100000 0", "-5 100000", "9223372036854775807 1" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		cleanup_root char *root = root_make(v2_nested);
		put(root, "/sys/fs/cgroup/work.slice/agent.service/cpu.max", texts[i]);
		cleanup_profile struct profile *p = collected(&collector_cpu, root);
		/* The next level's is known; that it is the tightest is not. */
		assert_text(p, "cpu.quota", "4.00");
		assert_text(p, "cpu.hierarchy", "partial");
	}
	cleanup_root char *root = root_make(v1_docker);
	put(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods many\nnr_throttled -1\n");
	put(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", NULL);
	put(root, "/sys/fs/cgroup/cpuset/cpuset.effective_cpus", "3-1\n");
	cleanup_profile struct profile *p = collected(&collector_cpu, root);
	assert_status(p, "cpu.quota", FACT_SKIPPED, 0);
	assert_status(p, "cpu.periods", FACT_MALFORMED, EBADMSG);
	assert_status(p, "cpu.throttled_periods", FACT_MALFORMED, EBADMSG);
	assert_status(p, "cpu.throttled_ms", FACT_ABSENT, ENOENT);
	assert_status(p, "cpu.cpuset", FACT_MALFORMED, EBADMSG);
}

static void test_nothing(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(gvisor);
	cleanup_profile struct profile *p = collected(&collector_cpu, root);
	assert_status(p, "cpu.quota", FACT_SKIPPED, ENOENT);
	assert_status(p, "cpu.periods", FACT_SKIPPED, ENOENT);
	assert_status(p, "cpu.throttled_ms", FACT_SKIPPED, ENOENT);
	assert_status(p, "cpu.cpuset", FACT_SKIPPED, ENOENT);
	assert_text(p, "cpu.hierarchy", "none");
	assert_status(p, "cpu.online", FACT_ABSENT, ENOENT);
	assert_status(p, "cpu.cpuinfo", FACT_ABSENT, ENOENT);
	assert_status(p, "cpu.model", FACT_ABSENT, ENOENT);
	assert_status(p, "cpu.load1", FACT_ABSENT, ENOENT);
	assert_true(profile_int(p, "cpu.affinity", -1) > 0);
}

static void test_machine(void **state)
{
	(void)state;
	static const struct entry entries[] = {
		{ "/proc/cpuinfo",
		  "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nflags\t: a\n\n"
		  "processor\t: 1\nmodel name\t: Some CPU @ 2.00GHz\n\n" },
		{ "/proc/loadavg", "0.52 0.58 0.59 1/467 9\n" },
		{ "/sys/devices/system/cpu/online", "0-1,4\n" },
		{ "/sys/devices/system/cpu/possible", "0-63\n" },
		{ NULL, NULL },
	};
	cleanup_root char *root = root_make(entries);
	cleanup_profile struct profile *p = collected(&collector_cpu, root);
	assert_number(p, "cpu.cpuinfo", 2);
	assert_text(p, "cpu.model", "Some CPU @ 2.00GHz");
	assert_text(p, "cpu.load1", "0.52");
	assert_number(p, "cpu.online", 3);
	assert_number(p, "cpu.possible", 64);

	put(root, "/proc/cpuinfo",
	    "processor\t: 0\nBogoMIPS\t: 50.00\n"); /* 64-bit ARM names none */
	put(root, "/proc/loadavg", "lots\n");
	put(root, "/sys/devices/system/cpu/online", "all\n");
	cleanup_profile struct profile *other = collected(&collector_cpu, root);
	assert_number(other, "cpu.cpuinfo", 1);
	assert_status(other, "cpu.model", FACT_ABSENT, ENOENT);
	assert_status(other, "cpu.load1", FACT_MALFORMED, EBADMSG);
	assert_status(other, "cpu.online", FACT_MALFORMED, EBADMSG);
}

/* Affinity is asked of the kernel, so it follows what is set. */
static void test_affinity(void **state)
{
	(void)state;
	cpu_set_t all, one;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	int first = 0;
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	cleanup_profile struct profile *before = collected(&collector_cpu, "");
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	cleanup_profile struct profile *after = collected(&collector_cpu, "");
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_number(before, "cpu.nproc", CPU_COUNT(&all));
	assert_number(after, "cpu.nproc", 1);
	assert_number(after, "cpu.affinity", 1);
	assert_int_equal(profile_int(after, "cpu.online", -1),
			 profile_int(before, "cpu.online", -1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v1_docker), cmocka_unit_test(test_v2_nested),
		cmocka_unit_test(test_no_quota),  cmocka_unit_test(test_tiny_quota),
		cmocka_unit_test(test_malformed), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_machine),	  cmocka_unit_test(test_affinity),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
