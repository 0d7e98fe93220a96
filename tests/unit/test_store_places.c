// SPDX-License-Identifier: Apache-2.0
/* The store on filesystems that are full or read-only: small ones of our own, in a mount namespace. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "core/store.h"

enum { DONE = 42, NO_MOUNTS = 43 };

static const char document[] = "{\"schema\": \"driftprobe.profile/1\", \"id\": \"%s\","
			       " \"taken_at\": \"2024-01-01T00:00:00Z\", \"facts\": [],"
			       " \"padding\": \"%0*d\"}";

static int add(struct store *store, const char *id, int padding, struct store_error *error)
{
	cleanup_free char *text = NULL;
	int len = asprintf(&text, document, id, padding, 0);
	return len < 0 ? -1 : store_add(store, text, (size_t)len, error);
}

static int said(const struct store_error *error, const char *word)
{
	if (!strstr(error->text, word))
		fprintf(stderr, "# \"%s\" instead of \"%s\"\n", error->text, word);
	return strstr(error->text, word) != NULL;
}

/* The document of an id can be had. */
static int has(struct store *store, const char *id)
{
	struct store_error error = { "" };
	cleanup_free char *text = store ? store_document(store, id, &error) : NULL;
	if (!text)
		fprintf(stderr, "# %s: %s\n", id, error.text);
	return text != NULL;
}

/* Runs a step in a child whose current folder is a tmpfs of its own; the step returns DONE. */
static void on_tmpfs(const char *options, int (*step)(const char *dir))
{
	char dir[] = "/tmp/driftprobe-places-XXXXXX";
	assert_non_null(mkdtemp(dir));
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("tmpfs", dir, "tmpfs", 0, options) || chdir(dir))
			_exit(NO_MOUNTS);
		_exit(step(dir));
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(rmdir(dir), 0);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_MOUNTS)
		skip();
	assert_int_equal(WEXITSTATUS(status), DONE);
}

/* It fills up; what was there before is whole, and a small one still fits once there is room. */
static int fill_up(const char *dir)
{
	struct store_error error = { "" };
	(void)dir;
	struct store *store = store_open("s.db", true, &error);
	if (!store || add(store, "aaaa", 10, &error) || !add(store, "bbbb", 2000000, &error) ||
	    !said(&error, "the disk is full; free space or choose --store") || !has(store, "aaaa"))
		return 1;
	store_close(store);
	store = store_open("s.db", true, &error);
	if (!has(store, "aaaa") || add(store, "cccc", 10, &error))
		return 2;
	store_close(store);
	return DONE;
}

static void test_full(void **state)
{
	(void)state;
	on_tmpfs("size=512k", fill_up);
}

/* Not even room for an empty store. */
static int begin_full(const char *dir)
{
	struct store_error error = { "" };
	(void)dir;
	return !store_open("a/s.db", true, &error) && said(&error, "store a/s.db: ") &&
			       said(&error, "; ") && !strchr(error.text, '\n')
		       ? DONE
		       : 1;
}

static void test_begin_full(void **state)
{
	(void)state;
	on_tmpfs("size=4k", begin_full);
	on_tmpfs("nr_inodes=1", begin_full);
	on_tmpfs("nr_inodes=2", begin_full);
}

static int freeze(const char *dir)
{
	return mount(NULL, dir, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL);
}

/* A reader needs no place to write: the store of an image, or of a folder mounted read-only. */
static int read_frozen(const char *dir)
{
	struct store_error error = { "" };
	struct store *store = store_open("odd ?#%41 name.db", true, &error);
	if (!store || add(store, "aaaa", 10, &error))
		return 1;
	store_close(store);
	if (freeze(dir))
		return NO_MOUNTS;
	store = store_open("odd ?#%41 name.db", false, &error);
	if (!has(store, "aaaa"))
		return 2;
	if (!add(store, "bbbb", 10, &error) || !said(&error, "read-only; choose another place"))
		return 3;
	store_close(store);
	return DONE;
}

static void test_read_frozen(void **state)
{
	(void)state;
	on_tmpfs("", read_frozen);
}

static int write_frozen(const char *dir)
{
	struct store_error error = { "" };
	store_close(store_open("old.db", true, &error));
	if (freeze(dir))
		return NO_MOUNTS;
	if (store_open("new.db", true, &error) || !said(&error, "(Read-only file system)") ||
	    store_open("x/new.db", true, &error) ||
	    !said(&error,
		  "folder cannot be made or written to (Read-only file system); choose --store"))
		return 1;
	/* Opened to write: refused at the latest when it is written to. */
	struct store *store = store_open("old.db", true, &error);
	if (store && !add(store, "aaaa", 10, &error))
		return 2;
	return said(&error, "choose another place with --store") ? DONE : 3;
}

static void test_write_frozen(void **state)
{
	(void)state;
	on_tmpfs("", write_frozen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_begin_full),
		cmocka_unit_test(test_read_frozen),
		cmocka_unit_test(test_write_frozen),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
