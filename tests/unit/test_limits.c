// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "cgroup_roots.h"

extern const struct collector collector_limits;

static void test_v1_docker(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v1_docker);
	cleanup_profile struct profile *p = collected(&collector_limits, root);

	assert_number(p, "limits.pids.limit", 50);
	assert_string_equal(found(p, "limits.pids.limit")->source, "/sys/fs/cgroup/pids/pids.max");
	assert_number(p, "limits.pids.current", 8);
	assert_number(p, "limits.pids.left", 42);
	assert_number(p, "limits.pids.hits", 3);
	assert_text(p, "limits.pids.hierarchy", "partial");
}

/* A higher limit that is nearly used up leaves less than a lower one that is not. */
static void test_v2_nested(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_nested);
	cleanup_profile struct profile *p = collected(&collector_limits, root);

	assert_number(p, "limits.pids.limit", 1000);
	assert_number(p, "limits.pids.left", 10);
	assert_string_equal(found(p, "limits.pids.left")->source,
			    "/sys/fs/cgroup/work.slice/pids.max");
	assert_number(p, "limits.pids.hits", 0);
	assert_text(p, "limits.pids.hierarchy", "whole");

	put(root, "/sys/fs/cgroup/work.slice/pids.current", "1001\n"); /* lowered later */
	cleanup_profile struct profile *over = collected(&collector_limits, root);
	assert_number(over, "limits.pids.left", 0);
}

static void test_no_limit(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(hybrid);
	cleanup_profile struct profile *p = collected(&collector_limits, root);
	assert_text(p, "limits.pids.limit", "max");
	assert_text(p, "limits.pids.left", "max");
	assert_status(p, "limits.pids.current", FACT_ABSENT, ENOENT);
	assert_status(p, "limits.pids.hits", FACT_ABSENT, ENOENT);
	assert_text(p, "limits.pids.hierarchy", "whole");

	cleanup_root char *inside = root_make(v2_namespace);
	cleanup_profile struct profile *unsure = collected(&collector_limits, inside);
	assert_status(unsure, "limits.pids.limit", FACT_SKIPPED, 0);
	assert_status(unsure, "limits.pids.left", FACT_SKIPPED, 0);
	assert_number(unsure, "limits.pids.current", 3);
	assert_text(unsure, "limits.pids.hierarchy", "partial");
}

/* Numbers of a group above us are not passed off as ours; its limit holds. */
static void test_above(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	put(root, "/proc/self/mountinfo",
	    "700 600 0:27 /.. /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
	put(root, "/sys/fs/cgroup/pids.events", "max 9\n");
	cleanup_profile struct profile *p = collected(&collector_limits, root);
	assert_status(p, "limits.pids.current", FACT_SKIPPED, EXDEV);
	assert_status(p, "limits.pids.hits", FACT_SKIPPED, EXDEV);

	put(root, "/sys/fs/cgroup/pids.max", "10\n");
	cleanup_profile struct profile *limited = collected(&collector_limits, root);
	assert_number(limited, "limits.pids.left", 7);
}

static void test_malformed(void **state)
{
	(void)state;
	static const char *const texts[] = { "", "-1", "5 ", "99999999999999999999" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		cleanup_root char *root = root_make(v1_docker);
		put(root, "/sys/fs/cgroup/pids/pids.max", texts[i]);
		put(root, "/sys/fs/cgroup/pids/pids.events", "max minus\n");
		cleanup_profile struct profile *p = collected(&collector_limits, root);
		assert_status(p, "limits.pids.limit", FACT_SKIPPED, 0);
		assert_status(p, "limits.pids.left", FACT_SKIPPED, 0);
		assert_status(p, "limits.pids.hits", FACT_MALFORMED, EBADMSG);
	}
	cleanup_root char *root = root_make(v1_docker);
	put(root, "/sys/fs/cgroup/pids/pids.max", "0\n");
	put(root, "/sys/fs/cgroup/pids/pids.current", "9223372036854775807\n");
	cleanup_profile struct profile *p = collected(&collector_limits, root);
	assert_number(p, "limits.pids.left", 0);
}

static void test_nothing(void **state)
{
	(void)state;
	static const char *const keys[] = { "limits.pids.limit", "limits.pids.current",
					    "limits.pids.left", "limits.pids.hits" };
	cleanup_root char *root = root_make(gvisor);
	cleanup_profile struct profile *p = collected(&collector_limits, root);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		assert_status(p, keys[i], FACT_SKIPPED, ENOENT);
	assert_text(p, "limits.pids.hierarchy", "none");
	assert_status(p, "limits.pid_max", FACT_ABSENT, ENOENT);
	assert_status(p, "limits.user_namespaces", FACT_ABSENT, ENOENT);
}

static void test_machine(void **state)
{
	(void)state;
	static const struct entry entries[] = {
		{ "/proc/sys/kernel/pid_max", "4194304\n" },
		{ "/proc/sys/kernel/threads-max", "->threads-max" },
		{ "/proc/sys/fs/inotify/max_user_watches", "8192\n" },
		{ "/proc/sys/fs/inotify/max_user_instances", "many\n" },
		{ "/proc/sys/fs/file-max", "9223372036854775807\n" },
		{ "/proc/sys/user/max_user_namespaces", "0\n" },
		{ "/proc/self/oom_score_adj", "-998\n" },
		{ NULL, NULL },
	};
	cleanup_root char *root = root_make(entries);
	cleanup_profile struct profile *p = collected(&collector_limits, root);
	assert_number(p, "limits.pid_max", 4194304);
	assert_status(p, "limits.threads_max", FACT_SKIPPED, ELOOP);
	assert_number(p, "limits.inotify_watches", 8192);
	assert_status(p, "limits.inotify_instances", FACT_MALFORMED, EBADMSG);
	assert_number(p, "limits.file_max", INT64_MAX);
	assert_number(p, "limits.user_namespaces", 0);
	assert_number(p, "limits.oom_score_adj", -998);
}

static void test_rlimits(void **state)
{
	(void)state;
	struct rlimit before, low;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = before;
	low.rlim_cur = 123;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	cleanup_profile struct profile *p = collected(&collector_limits, "/nonexistent");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);

	assert_number(p, "limits.rlimit[nofile].soft", 123);
	if (before.rlim_max == RLIM_INFINITY)
		assert_text(p, "limits.rlimit[nofile].hard", "max");
	else
		assert_number(p, "limits.rlimit[nofile].hard", (int64_t)before.rlim_max);
	assert_status(p, "limits.rlimit[core].soft", FACT_SKIPPED, 0);
	assert_status(p, "limits.rlimit[core].hard", FACT_SKIPPED, 0);

	static const char *const names[] = { "as",	"cpu",	      "data", "fsize", "locks",
					     "memlock", "msgqueue",   "nice", "nproc", "rss",
					     "rtprio",	"sigpending", "stack" };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_int_equal(found(p, key_make("limits.rlimit", names[i], "soft").text)->status,
				 FACT_OK);
		assert_int_equal(found(p, key_make("limits.rlimit", names[i], "hard").text)->status,
				 FACT_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v1_docker), cmocka_unit_test(test_v2_nested),
		cmocka_unit_test(test_no_limit),  cmocka_unit_test(test_above),
		cmocka_unit_test(test_malformed), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_machine),	  cmocka_unit_test(test_rlimits),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
