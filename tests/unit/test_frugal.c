// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/wait.h>

#include "base/frugal.h"
#include "cgroup_roots.h"

/* 64 MiB, of which 40 are used, 10 of these by idle cache. */
static void test_group(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v1_docker);
	assert_int_equal(frugal_jobs(root, 8, 10 * MIB), 3);
	assert_int_equal(frugal_jobs(root, 2, 10 * MIB), 2);
	assert_int_equal(frugal_jobs(root, 8, 100 * MIB), 1);
}

static void test_machine(void **state)
{
	(void)state;
	static const struct entry machine[] = {
		{ "/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable:    102400 kB\n" },
		{ NULL, NULL },
	};
	static const struct entry odd[] = {
		{ "/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: -\n" },
		{ NULL, NULL },
	};
	cleanup_root char *root = root_make(machine);
	cleanup_root char *other = root_make(odd);
	assert_int_equal(frugal_jobs(root, 8, 48 * MIB), 2);
	/* Where nothing is known there is no reason to be slow. */
	assert_int_equal(frugal_jobs(other, 8, 48 * MIB), 8);
	assert_int_equal(frugal_jobs("/nonexistent", 8, 48 * MIB), 8);
}

static int64_t adjusted(void)
{
	int64_t value = -1;
	assert_int_equal(sys_read_i64("", "/proc/self/oom_score_adj", &value), 0);
	return value;
}

static void test_victim(void **state)
{
	(void)state;
	int64_t first = adjusted(), before = -5000;
	if (first == 1000)
		skip();
	frugal_first_victim(&before);
	assert_int_equal(before, first);
	assert_int_equal(adjusted(), 1000);
	frugal_restore(before);
	assert_int_equal(adjusted(), first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_victim),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
