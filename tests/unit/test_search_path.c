// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>

#include "base/search_path.h"
#include "scratch.h"

#define PROGRAM "#!/bin/sh\n"

static void test_split(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	cleanup_search_path struct search_path path = { 0 };
	scratch_text(&s, "a/x", 0644, "");
	scratch_text(&s, "a/sub/x", 0644, "");
	scratch_link(&s, "same", "a");
	scratch_link(&s, "loop", "loop");
	assert_int_equal(search_path_open(&path, s.root,
					  "/a::/gone:/a/x:/a:rel:/same:/loop:/a/sub/../sub:"),
			 0);
	assert_int_equal(path.count, 10);
	assert_false(path.truncated);
	static const struct {
		const char *path;
		int err;
		bool relative, duplicate, repeated, known;
	} want[] = {
		{ "/a", 0, false, false, true, false },
		{ "", 0, true, false, true, false },
		{ "/gone", ENOENT, false, false, false, false },
		{ "/a/x", ENOTDIR, false, false, false, false },
		{ "/a", 0, false, true, false, true },
		{ "rel", ENOENT, true, false, false, false },
		{ "/same", 0, false, false, false, true },
		{ "/loop", ELOOP, false, false, false, false },
		{ "/a/sub/../sub", 0, false, false, false, false },
		{ "", 0, true, true, false, true },
	};
	for (size_t i = 0; i < path.count; i++) {
		const struct search_entry *entry = &path.entries[i];
		assert_string_equal(entry->path, want[i].path);
		assert_int_equal(entry->err, want[i].err);
		assert_int_equal(entry->relative, want[i].relative);
		assert_int_equal(entry->duplicate, want[i].duplicate);
		assert_int_equal(entry->repeated, want[i].repeated);
		assert_int_equal(entry->known, want[i].known);
	}
	scratch_remove(&s);
}

static void test_empty_text(void **state)
{
	(void)state;
	cleanup_search_path struct search_path path = { 0 };
	assert_int_equal(search_path_open(&path, "", ""), 0);
	assert_int_equal(path.count, 1);
	assert_string_equal(path.entries[0].path, "");
	assert_int_equal(path.entries[0].err, 0);
}

static void test_bounds(void **state)
{
	(void)state;
	static char text[SEARCH_PATH_ENTRIES * 2 + 2 * SYS_PATH_MAX];
	char out[SYS_PATH_MAX];
	size_t at = 0;
	cleanup_search_path struct search_path many = { 0 };
	for (size_t i = 0; i < SEARCH_PATH_ENTRIES; i++)
		strcat(text, "a:");
	assert_int_equal(search_path_open(&many, "", text), 0);
	assert_int_equal(many.count, SEARCH_PATH_ENTRIES);
	assert_true(many.truncated);
	/* What was not looked at may have it. */
	assert_int_equal(search_path_find(&many, "", "tool", &at, out, sizeof(out)), E2BIG);

	text[SEARCH_PATH_ENTRIES * 2 - 1] = '\0';
	cleanup_search_path struct search_path just = { 0 };
	assert_int_equal(search_path_open(&just, "", text), 0);
	assert_int_equal(just.count, SEARCH_PATH_ENTRIES);
	assert_false(just.truncated);

	memset(text, 'x', SYS_PATH_MAX);
	text[0] = '/';
	strcpy(text + SYS_PATH_MAX, ":/");
	cleanup_search_path struct search_path longer = { 0 };
	assert_int_equal(search_path_open(&longer, "", text), 0);
	assert_int_equal(longer.count, 2);
	assert_int_equal(longer.entries[0].err, ENAMETOOLONG);
	assert_int_equal(longer.entries[1].err, 0);
}

static void test_open_to_others(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	static const struct {
		const char *dir;
		mode_t mode;
		bool open;
	} dirs[] = { { "own/", 0755, false },
		     { "group/", 0775, false },
		     { "all/", 0777, true },
		     { "sticky/", 01777, true } };
	cleanup_search_path struct search_path path = { 0 };
	for (size_t i = 0; i < 4; i++) {
		scratch_dirs(&s, dirs[i].dir);
		assert_int_equal(chmod(scratch_path(&s, dirs[i].dir).root, dirs[i].mode), 0);
	}
	assert_int_equal(search_path_open(&path, s.root, "/own:/group:/all:/sticky"), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(path.entries[i].open, dirs[i].open);
	scratch_remove(&s);
}

/* As execvp(3): what cannot be run does not hide what can, further down. */
static void test_find(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	cleanup_search_path struct search_path path = { 0 };
	char out[SYS_PATH_MAX] = "kept", small[4] = "kep";
	size_t at = 0;
	scratch_text(&s, "1/git", 0644, PROGRAM);
	scratch_dirs(&s, "2/git/");
	scratch_link(&s, "3/git", "/nowhere/at-all");
	scratch_text(&s, "4/git", 0755, PROGRAM);
	scratch_link(&s, "5/git", "../4/git");
	scratch_link(&s, "6", "4");
	scratch_text(&s, "1/only", 0600, PROGRAM);
	scratch_link(&s, "1/dangling", "/nowhere/at-all");
	scratch_dirs(&s, "1/folder/");
	assert_int_equal(search_path_open(&path, s.root, "/1:/2:/3:/4/:/gone:/5:/6:/4"), 0);

	assert_int_equal(search_path_find(&path, s.root, "git", &at, out, sizeof(out)), 0);
	assert_string_equal(out, "/4/git");
	assert_int_equal(at, 4);
	assert_int_equal(search_path_find(&path, s.root, "git", &at, out, sizeof(out)), 0);
	assert_string_equal(out, "/5/git");
	assert_int_equal(search_path_find(&path, s.root, "git", &at, out, sizeof(out)), ENOENT);
	assert_int_equal(at, path.count);
	assert_string_equal(out, "/5/git");

	assert_int_equal(search_path_first(&path, s.root, "git", &at, out, sizeof(out)), 0);
	assert_string_equal(out, "/4/git");
	assert_int_equal(at, 4);
	at = 0;
	assert_int_equal(search_path_find(&path, s.root, "only", &at, out, sizeof(out)), ENOENT);
	assert_int_equal(search_path_first(&path, s.root, "only", &at, out, sizeof(out)), 0);
	assert_string_equal(out, "/1/only");
	assert_int_equal(at, 1);
	assert_int_equal(search_path_first(&path, s.root, "dangling", &at, out, sizeof(out)), 0);
	assert_string_equal(out, "/1/dangling");
	assert_int_equal(search_path_first(&path, s.root, "folder", &at, out, sizeof(out)), ENOENT);
	at = 0;
	assert_int_equal(search_path_find(&path, s.root, "git", &at, small, sizeof(small)),
			 ENAMETOOLONG);
	assert_string_equal(small, "kep");
	scratch_remove(&s);
}

/* Absent only when every entry could be searched. */
static void test_blind(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	cleanup_search_path struct search_path path = { 0 };
	char out[SYS_PATH_MAX];
	size_t at = 0;
	scratch_link(&s, "loop", "loop");
	scratch_text(&s, "bin/git", 0755, PROGRAM);
	assert_int_equal(search_path_open(&path, s.root, "/gone:/loop:/bin"), 0);
	assert_int_equal(search_path_find(&path, s.root, "node", &at, out, sizeof(out)), ELOOP);
	assert_int_equal(search_path_first(&path, s.root, "git", &at, out, sizeof(out)), 0);
	assert_string_equal(out, "/bin/git");
	scratch_remove(&s);
}

static bool denied(const struct scratch *s)
{
	cleanup_search_path struct search_path path = { 0 };
	char out[SYS_PATH_MAX];
	size_t at = 0, again = 0;
	if (search_path_open(&path, s->root, "/closed:/open:/readable"))
		return false;
	return path.entries[0].err == EACCES && !path.entries[1].err &&
	       path.entries[2].err == EACCES &&
	       search_path_find(&path, s->root, "node", &at, out, sizeof(out)) == EACCES &&
	       /* found all the same where it can be; the owner's program is none for others */
	       search_path_find(&path, s->root, "git", &again, out, sizeof(out)) == 0 &&
	       !strcmp(out, "/open/git") &&
	       search_path_first(&path, s->root, "private", &at, out, sizeof(out)) == 0 &&
	       search_access(scratch_path(s, "open/private").root) == EACCES &&
	       search_access(scratch_path(s, "open/git").root) == 0;
}

static void test_denied(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	struct scratch s = scratch_make();
	scratch_text(&s, "closed/git", 0755, PROGRAM);
	scratch_text(&s, "open/git", 0755, PROGRAM);
	scratch_text(&s, "open/private", 0700, PROGRAM);
	scratch_dirs(&s, "readable/");
	chmod(scratch_path(&s, "closed").root, 0700);
	chmod(scratch_path(&s, "readable").root, 0744);
	assert_true(scratch_as_nobody(denied, &s));
	scratch_remove(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),  cmocka_unit_test(test_empty_text),
		cmocka_unit_test(test_bounds), cmocka_unit_test(test_open_to_others),
		cmocka_unit_test(test_find),   cmocka_unit_test(test_blind),
		cmocka_unit_test(test_denied),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
