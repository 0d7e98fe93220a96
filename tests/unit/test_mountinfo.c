// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mountinfo.h"

#define FIXTURE "tests/unit/fixtures/mounts"

static void read_fixture(struct mount_table *table)
{
	*table = (struct mount_table){ 0 };
	assert_int_equal(mountinfo_read(FIXTURE, table), 0);
}

static void test_fields(void **state)
{
	(void)state;
	cleanup_mounts struct mount_table table;
	read_fixture(&table);
	assert_int_equal(table.count, 9);
	assert_int_equal(table.malformed, 3);

	const struct mount *m = &table.mounts[3];
	assert_int_equal(m->id, 103);
	assert_int_equal(m->parent, 100);
	assert_string_equal(m->root, "/home/me/my project");
	assert_string_equal(m->point, "/work space");
	assert_string_equal(m->options, "ro,relatime");
	assert_string_equal(m->type, "ext4");
	assert_string_equal(m->source, "/dev/sda1");
	assert_string_equal(m->super_options, "rw,errors=remount-ro");
	assert_false(m->deleted);

	m = &table.mounts[6];
	assert_string_equal(m->root, "/gone");
	assert_true(m->deleted);
	m = &table.mounts[7];
	assert_string_equal(m->source, "");
	assert_string_equal(m->super_options, "rw");
}

static const char *type_at(const struct mount_table *table, const char *path)
{
	const struct mount *mount = mountinfo_lookup(table, path);
	return mount ? mount->type : "none";
}

static void test_lookup(void **state)
{
	(void)state;
	cleanup_mounts struct mount_table table;
	read_fixture(&table);
	assert_string_equal(type_at(&table, "/"), "overlay");
	assert_string_equal(type_at(&table, "/usr/bin"), "overlay");
	assert_string_equal(type_at(&table, "/proc"), "proc");
	assert_string_equal(type_at(&table, "/procedure"), "overlay");
	assert_string_equal(type_at(&table, "/work space/a"), "ext4");
	assert_string_equal(type_at(&table, "/work"), "overlay");
	/* Two on one point: the later is on top. */
	assert_string_equal(mountinfo_lookup(&table, "/tmp/x")->source, "second");
	/* A longer point below a later mount is covered with it. */
	assert_string_equal(type_at(&table, "/data/old/x"), "btrfs");
	assert_null(mountinfo_lookup(&table, "relative"));
}

static int parse(const char *text, struct mount_table *table)
{
	return mountinfo_parse(strdup(text), table);
}

/* After a chroot into a plain directory there is no "/", and several mounts without a parent. */
static void test_no_root(void **state)
{
	(void)state;
	cleanup_mounts struct mount_table table;
	assert_int_equal(
		parse("7 2 0:1 / /proc rw - proc p rw\n8 2 0:2 / /tmp rw - tmpfs t rw", &table), 0);
	assert_int_equal(table.count, 2);
	assert_null(mountinfo_lookup(&table, "/"));
	assert_string_equal(type_at(&table, "/tmp/a"), "tmpfs");
}

static void test_hostile(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"\n\n\n",
		" ",
		"1",
		"1 2 0:1 / /a",
		"1 2 0:1 / /a rw tmpfs t rw",
		"1 2 0:1 / /a rw -",
		"1 2 0:1 / /a rw - tmpfs",
		"1 2 0:1 / /a rw - tmpfs t",
		"x 2 0:1 / /a rw - tmpfs t rw",
		"1 99999999999999999999 0:1 / /a rw - t t rw",
		"1 2  / /a rw - tmpfs t rw",
		"1 2 0:1 / a rw - tmpfs t rw",
		"1 2 0:1 / /a rw -  t rw",
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cleanup_mounts struct mount_table table;
		assert_int_equal(parse(bad[i], &table), 0);
		assert_int_equal(table.count, 0);
		assert_true(table.malformed > 0);
		assert_null(mountinfo_lookup(&table, "/a"));
	}
	cleanup_mounts struct mount_table empty;
	assert_int_equal(parse("", &empty), 0);
	assert_int_equal(empty.count + empty.malformed, 0);

	/* Parents in a circle, and one's own parent: it ends. */
	cleanup_mounts struct mount_table circle;
	assert_int_equal(parse("1 1 0:1 / / rw - a a rw\n2 3 0:1 / / rw - b b rw\n"
			       "3 2 0:1 / / rw - c c rw\n4 1 0:1 / / rw - d d rw\n",
			       &circle),
			 0);
	assert_int_equal(circle.count, 4);
	assert_string_equal(type_at(&circle, "/x"), "d");
	cleanup_mounts struct mount_table lost;
	assert_int_equal(parse("2 3 0:1 / / rw - b b rw\n3 2 0:1 / / rw - c c rw\n", &lost), 0);
	assert_null(mountinfo_lookup(&lost, "/x"));
}

/* The table grows with good lines: 300 of them pass its first sizes. */
static void test_many(void **state)
{
	(void)state;
	cleanup_mounts struct mount_table table;
	char *text = malloc(64 * 300), *at = text;
	assert_non_null(text);
	for (int i = 0; i < 300; i++)
		at += sprintf(at, "%d 1 0:%d / /m%d rw - t%d s rw\n", i + 2, i, i, i);
	assert_int_equal(mountinfo_parse(text, &table), 0);
	assert_int_equal(table.count, 300);
	assert_string_equal(type_at(&table, "/m299/x"), "t299");
}

static void test_options(void **state)
{
	(void)state;
	assert_true(mount_has_option("rw,noexec", "noexec"));
	assert_true(mount_has_option("ro", "ro"));
	assert_false(mount_has_option("rw,errors=remount-ro", "ro"));
	assert_false(mount_has_option("rw,size=ro", "ro"));
	assert_false(mount_has_option("", "ro"));
	assert_false(mount_has_option("rox,r", "ro"));
}

static void test_read_fails(void **state)
{
	(void)state;
	cleanup_mounts struct mount_table table = { 0 };
	assert_int_equal(mountinfo_read("tests/unit/fixtures/none", &table), ENOENT);
	assert_int_equal(table.count, 0);
	assert_null(table.text);
	assert_null(mountinfo_lookup(&table, "/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),	   cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_no_root),	   cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_many),	   cmocka_unit_test(test_options),
		cmocka_unit_test(test_read_fails),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
