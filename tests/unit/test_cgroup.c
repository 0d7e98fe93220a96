// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cgroup_cpu.h"
#include "base/cgroup_memory.h"
#include "base/parse_cgroup.h"
#include "cgroup_roots.h"

static void test_own_path(void **state)
{
	(void)state;
	static const char text[] = "12:cpu,cpuacct:/a:b\n"
				   "x\n"
				   "7:memory\n"
				   "6:memory:relative\n"
				   "5:pids:/p\n"
				   "1:name=systemd:/s\n"
				   "3::/not the unified one\n"
				   "0::/u\n";
	char path[64] = "";
	assert_true(parse_cgroup_path(text, "cpuacct", path, sizeof(path)));
	assert_string_equal(path, "/a:b");
	assert_true(parse_cgroup_path(text, "pids", path, sizeof(path)));
	assert_string_equal(path, "/p");
	assert_true(parse_cgroup_path(text, "", path, sizeof(path)));
	assert_string_equal(path, "/u");
	assert_true(parse_cgroup_path(text, "name=systemd", path, sizeof(path)));
	assert_string_equal(path, "/s");
	assert_false(parse_cgroup_path(text, "memory", path, sizeof(path)));
	assert_false(parse_cgroup_path(text, "cpua", path, sizeof(path)));
	assert_false(parse_cgroup_path(text, "cpuacct", path, 4));
	assert_false(parse_cgroup_path("", "", path, sizeof(path)));
	assert_string_equal(path, "/s");
}

static void test_level(void **state)
{
	(void)state;
	static const struct {
		const char *own, *root;
		enum cgroup_sight sight;
		const char *level;
	} rows[] = {
		{ "/", "/", CGROUP_SIGHT_OWN, "/" },
		{ "/a/b", "/", CGROUP_SIGHT_OWN, "/a/b" },
		{ "/docker/c", "/docker/c", CGROUP_SIGHT_OWN, "/" },
		{ "/docker/c/d", "/docker/c", CGROUP_SIGHT_OWN, "/d" },
		{ "/docker/cc", "/docker/c", CGROUP_SIGHT_ELSEWHERE, NULL },
		{ "/", "/docker/c", CGROUP_SIGHT_ELSEWHERE, NULL },
		{ "/", "/../..", CGROUP_SIGHT_ABOVE, "/" },
		{ "/a", "/..", CGROUP_SIGHT_ABOVE, "/" },
		{ "/../x", "/..", CGROUP_SIGHT_OWN, "/x" },
		{ "/../x", "/", CGROUP_SIGHT_ELSEWHERE, NULL },
		{ "/../../x", "/..", CGROUP_SIGHT_ELSEWHERE, NULL },
		{ "/", "/../sibling", CGROUP_SIGHT_ELSEWHERE, NULL },
		{ "/a/../../etc", "/", CGROUP_SIGHT_ELSEWHERE, NULL },
		{ "/..a/b..", "/", CGROUP_SIGHT_OWN, "/..a/b.." },
		{ "/a//b", "/a", CGROUP_SIGHT_OWN, "//b" },
		{ "/a/", "/a", CGROUP_SIGHT_OWN, "/" },
		{ "/0123456789/0123456789", "/", CGROUP_SIGHT_ELSEWHERE, NULL }, /* no room */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char level[16] = "";
		assert_int_equal(parse_cgroup_level(rows[i].own, rows[i].root, level,
						    sizeof(level)),
				 rows[i].sight);
		assert_string_equal(level, rows[i].level ? rows[i].level : "");
	}
}

static void test_limits(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t limit; /* -1: refused */
	} rows[] = {
		{ "0", 0 },
		{ "67108864", 67108864 },
		{ "max", INT64_MAX },
		{ "9223372036854771712", INT64_MAX }, /* 4 KiB pages */
		{ "9223372036854710272", INT64_MAX }, /* 64 KiB pages */
		{ "9223372036854775807", INT64_MAX },
		{ "18446744073709551615", INT64_MAX },
		{ "9223372035781033984", 9223372035781033984 },
		{ "18446744073709551616", -1 },
		{ "-1", -1 },
		{ "", -1 },
		{ " 1", -1 },
		{ "1k", -1 },
		{ "maximum", -1 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int64_t limit = -1;
		assert_int_equal(parse_cgroup_limit(rows[i].text, &limit), rows[i].limit >= 0);
		assert_int_equal(limit, rows[i].limit);
	}
}

static void test_quotas(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t hundredths; /* -1: refused */
	} rows[] = {
		{ "max 100000", INT64_MAX },
		{ "150000 100000", 150 },
		{ "33333 100000", 33 },
		{ "1000 1000000", 1 },
		{ "0 100000", 1 },
		{ "150000", -1 },
		{ "150000 0", -1 },
		{ "150000 -1", -1 },
		{ "-1 100000", -1 },
		{ "max x", -1 },
		{ "1 2 3", -1 },
		{ "", -1 },
		{ "9223372036854775807 1", -1 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int64_t hundredths = -1;
		assert_int_equal(parse_cgroup_cpu_max(rows[i].text, &hundredths),
				 rows[i].hundredths >= 0);
		assert_int_equal(hundredths, rows[i].hundredths);
	}
}

static void test_up(void **state)
{
	(void)state;
	char level[] = "/a/b", strange[] = "";
	assert_true(cgroup_up(level));
	assert_string_equal(level, "/a");
	assert_true(cgroup_up(level));
	assert_string_equal(level, "/");
	assert_false(cgroup_up(level));
	assert_string_equal(level, "/");
	assert_false(cgroup_up(strange));
}

static void test_find_recorded(void **state)
{
	(void)state;
	static const struct {
		const struct entry *entries;
		const char *controller;
		int err;
		enum cgroup_version version;
		const char *path, *mount, *level;
		bool whole;
	} rows[] = {
		{ v1_docker, "memory", 0, CGROUP_V1, "/docker/c0ffee", "/sys/fs/cgroup/memory", "/",
		  false },
		{ v1_docker, "cpu", 0, CGROUP_V1, "/docker/c0ffee", "/sys/fs/cgroup/cpu,cpuacct",
		  "/", false },
		/* Its line is there, its mount is not. */
		{ v1_docker, "name=systemd", ENOENT, CGROUP_V1, "/docker/c0ffee", "", "", false },
		{ v1_docker, "", ENOENT, CGROUP_V2, "/system.slice/containerd.service", "", "",
		  false },
		{ v2_nested, "memory", 0, CGROUP_V2, "/work.slice/agent.service/task",
		  "/sys/fs/cgroup", "/work.slice/agent.service/task", true },
		/* The parents keep this one: only the root has it. */
		{ v2_nested, "cpuset", 0, CGROUP_V2, "/work.slice/agent.service/task",
		  "/sys/fs/cgroup", "/", true },
		{ v2_nested, "rdma", ENOENT, CGROUP_V2, "/work.slice/agent.service/task",
		  "/sys/fs/cgroup", "/", true },
		{ hybrid, "memory", 0, CGROUP_V1, "/api/2121", "/sys/fs/cgroup/memory", "/api/2121",
		  true },
		{ hybrid, "cpuset", ENOENT, CGROUP_V1, "/", "", "", false },
		{ hybrid, "", 0, CGROUP_V2, "/", "/sys/fs/cgroup/unified", "/", true },
		{ v2_namespace, "memory", 0, CGROUP_V2, "/", "/sys/fs/cgroup", "/", false },
		{ gvisor, "memory", ENOENT, CGROUP_V2, "", "", "", false },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cleanup_root char *root = root_make(rows[i].entries);
		struct cgroup cgroup;
		assert_int_equal(cgroup_find(root, rows[i].controller, &cgroup), rows[i].err);
		assert_int_equal(cgroup.version, rows[i].version);
		assert_string_equal(cgroup.path, rows[i].path);
		assert_string_equal(cgroup.mount, rows[i].mount);
		assert_string_equal(cgroup.level, rows[i].level);
		assert_int_equal(cgroup.whole, rows[i].whole);
	}
}

static void test_layouts(void **state)
{
	(void)state;
	static const struct {
		const struct entry *entries;
		enum cgroup_layout layout;
	} rows[] = {
		{ v1_docker, CGROUP_PURE_V1 },
		{ v2_nested, CGROUP_PURE_V2 },
		{ hybrid, CGROUP_HYBRID },
		{ gvisor, CGROUP_NONE },
	};
	enum cgroup_layout layout;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cleanup_root char *root = root_make(rows[i].entries);
		assert_int_equal(cgroup_layout(root, &layout), 0);
		assert_int_equal(layout, rows[i].layout);
	}
	assert_int_equal(cgroup_layout("/nonexistent", &layout), ENOENT);
}

/* Two mounts of one hierarchy: a foreign group's, and the machine's at another place, covered or not. */
static void test_several_mounts(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v1_docker);
	struct cgroup cgroup;
	put(root, "/proc/self/mountinfo",
	    "9 1 0:31 / /host/cgroup/memory ro - cgroup cgroup rw,memory\n"
	    "10 1 0:31 /docker/c0ffee /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
	    "11 1 0:31 /docker/another /mnt ro - cgroup cgroup rw,memory\n");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), 0);
	assert_string_equal(cgroup.mount, "/sys/fs/cgroup/memory");
	assert_false(cgroup.whole);

	/* Now the machine's has our level too, and shows all above it. */
	put(root, "/host/cgroup/memory/docker/c0ffee/cgroup.procs", "1\n");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), 0);
	assert_string_equal(cgroup.mount, "/host/cgroup/memory");
	assert_string_equal(cgroup.level, "/docker/c0ffee");
	assert_true(cgroup.own);
	assert_true(cgroup.whole);

	/* The limits of others are none of ours. */
	put(root, "/proc/self/mountinfo",
	    "11 1 0:31 /docker/another /mnt ro - cgroup cgroup rw,memory\n");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), EXDEV);
	assert_string_equal(cgroup.path, "/docker/c0ffee");
}

/* The machine's hierarchy bound into a cgroup namespace: the mount's root is above us, at an unknown distance. */
static void test_above(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	struct cgroup cgroup;
	put(root, "/proc/self/mountinfo",
	    "700 600 0:27 /../.. /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), 0);
	assert_string_equal(cgroup.level, "/");
	assert_false(cgroup.own);
	assert_false(cgroup.whole);
}

static void test_controller_kept_above(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_nested);
	struct cgroup cgroup;
	put(root, "/sys/fs/cgroup/work.slice/agent.service/task/cgroup.controllers", "cpu\n");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), 0);
	assert_string_equal(cgroup.level, "/work.slice/agent.service");
	assert_true(cgroup.own);
	assert_true(cgroup.whole);

	/* A level that is not to be seen may have limits. */
	put(root, "/proc/self/cgroup", "0::/work.slice/agent.service/gone (deleted)\n");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), 0);
	assert_string_equal(cgroup.level, "/work.slice/agent.service");
	assert_false(cgroup.own);
	assert_false(cgroup.whole);
}

/* Too deep to walk: then it must not be called whole. */
static void test_deep(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_nested);
	char line[512] = "0::";
	struct cgroup cgroup;
	for (int i = 0; i < CGROUP_DEPTH_MAX - 1; i++)
		strcat(line, "/d");
	put(root, "/proc/self/cgroup", line);
	assert_int_equal(cgroup_find(root, "", &cgroup), 0);
	assert_true(cgroup.whole);
	strcat(line, "/d");
	put(root, "/proc/self/cgroup", line);
	assert_int_equal(cgroup_find(root, "", &cgroup), 0);
	assert_false(cgroup.whole);
}

static void test_refused(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_nested);
	struct cgroup cgroup;
	bool namespaced = false;
	int64_t value = 5;
	char path[SYS_PATH_MAX];

	/* A controller list that cannot be read does not make the level go away. */
	put(root, "/sys/fs/cgroup/work.slice/agent.service/task/cgroup.controllers",
	    "->cgroup.controllers");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), 0);
	assert_string_equal(cgroup.level, "/work.slice/agent.service/task");
	put(root, "/sys/fs/cgroup/work.slice/agent.service/task/memory.max", NULL);
	assert_int_equal(cgroup_memory_read(&cgroup, cgroup.level, CGROUP_MEMORY_LIMIT, &value,
					    path, sizeof(path)),
			 EISDIR);
	assert_int_equal(value, 5);

	put(root, "/proc/self/mountinfo", "->mountinfo");
	assert_int_equal(cgroup_find(root, "memory", &cgroup), ELOOP);
	assert_string_equal(cgroup.path, "/work.slice/agent.service/task");
	put(root, "/proc/self/cgroup", NULL);
	assert_int_equal(cgroup_find(root, "memory", &cgroup), EISDIR);
	assert_string_equal(cgroup.path, "");
	put(root, "/proc/self/ns/cgroup", "no link");
	assert_int_equal(cgroup_namespaced(root, &namespaced), EINVAL);
}

static void test_keyed(void **state)
{
	(void)state;
	cleanup_root char *root = root_make(v2_namespace);
	cleanup_buf struct buf huge = BUF_INIT(1 << 20);
	struct cgroup cgroup;
	int64_t value = -7, quota;

	assert_int_equal(cgroup_find(root, "memory", &cgroup), 0);
	assert_int_equal(cgroup_read_keyed(&cgroup, "/", "memory.events", "oom", &value), ENODATA);
	put(root, "/sys/fs/cgroup/memory.events", "oom_kill -3\nmax\n");
	assert_int_equal(cgroup_read_keyed(&cgroup, "/", "memory.events", "oom_kill", &value),
			 EBADMSG);
	assert_int_equal(cgroup_read_keyed(&cgroup, "/", "memory.events", "max", &value), ENODATA);
	assert_int_equal(cgroup_read_keyed(&cgroup, "/", "memory.none", "max", &value), ENOENT);
	while (huge.len < (1 << 16) + 10)
		buf_puts(&huge, "anon 1\n");
	put(root, "/sys/fs/cgroup/memory.stat", buf_text(&huge));
	assert_int_equal(cgroup_read_keyed(&cgroup, "/", "memory.stat", "anon", &value), EFBIG);
	put(root, "/sys/fs/cgroup/cpu.max", buf_text(&huge));
	assert_int_equal(cgroup_cpu_quota(&cgroup, "/", &quota), EFBIG);
	assert_int_equal(value, -7);
}

/* Here: found, or not, without harm; and what is found can be read. */
static void test_live(void **state)
{
	(void)state;
	struct cgroup cgroup;
	char path[SYS_PATH_MAX];
	int64_t usage = -1;
	int err = cgroup_find("", "memory", &cgroup);
	if (err || !cgroup.level[1])
		skip();
	assert_int_equal(cgroup_memory_read(&cgroup, cgroup.level, CGROUP_MEMORY_USAGE, &usage,
					    path, sizeof(path)),
			 0);
	assert_true(usage > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_path), cmocka_unit_test(test_level),
		cmocka_unit_test(test_limits),	 cmocka_unit_test(test_quotas),
		cmocka_unit_test(test_up),	 cmocka_unit_test(test_find_recorded),
		cmocka_unit_test(test_layouts),	 cmocka_unit_test(test_several_mounts),
		cmocka_unit_test(test_above),	 cmocka_unit_test(test_controller_kept_above),
		cmocka_unit_test(test_deep),	 cmocka_unit_test(test_refused),
		cmocka_unit_test(test_keyed),	 cmocka_unit_test(test_live),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
