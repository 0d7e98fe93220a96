// SPDX-License-Identifier: Apache-2.0
/* The collectors filesystem, mounts and devices, over recorded and made-up trees. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "collectors/collector.h"
#include "core/sink_make.h"

extern const struct collector collector_filesystem, collector_mounts, collector_devices;

static char note[512];

static struct profile *run(const struct collector *collector, const struct scope *scope)
{
	struct profile *profile = profile_new();
	struct sink *sink = sink_new_profile(profile);
	assert_non_null(sink);
	collector->collect(sink, scope);
	assert_int_equal(sink_dropped(sink), 0);
	const char *last = sink_last_note(sink);
	snprintf(note, sizeof(note), "%s", last ? last : "");
	sink_free(sink);
	profile_sort(profile);
	return profile;
}

static const struct fact *need(const struct profile *profile, const char *key)
{
	const struct fact *fact = profile_find(profile, key);
	if (!fact)
		print_error("no fact %s\n", key);
	assert_non_null(fact);
	return fact;
}

static void assert_text(const struct profile *profile, const char *key, const char *value)
{
	const struct fact *fact = need(profile, key);
	assert_int_equal(fact->status, FACT_OK);
	assert_int_equal(fact->type, FACT_TEXT);
	assert_string_equal(fact->value, value);
}

static void assert_number(const struct profile *profile, const char *key, enum fact_type type,
			  int64_t value)
{
	const struct fact *fact = need(profile, key);
	if (fact->status != FACT_OK || fact->number != value)
		print_error("%s: status %d, number %lld\n", key, (int)fact->status,
			    (long long)fact->number);
	assert_int_equal(fact->status, FACT_OK);
	assert_int_equal(fact->type, type);
	assert_int_equal(fact->number, value);
}

static void assert_status(const struct profile *profile, const char *key, enum fact_status status)
{
	assert_int_equal(need(profile, key)->status, status);
}

static void assert_bool(const struct profile *profile, const char *key, bool value)
{
	assert_number(profile, key, FACT_BOOL, value);
}

static int make_tree(void **state)
{
	char *path = strdup("/tmp/test_filesystem.XXXXXX");
	*state = path;
	return path && mkdtemp(path) ? 0 : -1;
}

static int drop_tree(void **state)
{
	/* Fails when anything has stayed in it. */
	int err = rmdir(*state);
	free(*state);
	return err;
}

static const char *at(const char *root, const char *name)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s%s", root, name);
	return path;
}

static void test_tree(void **state)
{
	const char *root = *state;
	static const char *const dirs[] = { "/home", "/tmp", "/var", "/work" };
	static const char *const environ[] = { "HOME=/home/", "TMPDIR=scratch",
					       "XDG_CACHE_HOME=", NULL };
	static const char *const extra[] = { "../file", "/work/./", NULL };
	struct scope scope = { .root = root, .cwd = "/work", .environ = environ, .dirs = extra };

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		assert_int_equal(mkdir(at(root, dirs[i]), 0755), 0);
	chmod(at(root, "/tmp"), 01777);
	close(open(at(root, "/file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	struct profile *profile = run(&collector_filesystem, &scope);

	assert_bool(profile, "filesystem.dir[/tmp].exists", true);
	assert_text(profile, "filesystem.dir[/tmp].mode", "1777");
	assert_text(profile, "filesystem.dir[/tmp].kind", "directory");
	assert_number(profile, "filesystem.dir[/tmp].owner", FACT_INT, geteuid());
	assert_bool(profile, "filesystem.dir[/tmp].owner_mapped", true);
	static const char *const steps[] = { "create", "write",	  "fsync", "rename",
					     "chmod",  "symlink", "exec" };
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		assert_bool(profile, key_make("filesystem.dir", "/tmp", steps[i]).text, true);
	assert_null(profile_find(profile, "filesystem.dir[/tmp].create_errno"));
	assert_true(profile_int(profile, "filesystem.dir[/tmp].free_bytes", -1) > 0);
	/* No table of mounts: the type by its number, no mount point. */
	assert_status(profile, "filesystem.dir[/tmp].type", FACT_OK);
	assert_status(profile, "filesystem.dir[/tmp].mount", FACT_SKIPPED);
	assert_non_null(strstr(note, "mount table"));

	assert_bool(profile, "filesystem.dir[/var/tmp].exists", false);
	assert_null(profile_find(profile, "filesystem.dir[/var/tmp].create"));
	assert_true(fact_list_has(need(profile, "filesystem.dir[/home].role"), "HOME"));
	/* Relative to where we were started; missing. */
	assert_bool(profile, "filesystem.dir[/work/scratch].exists", false);
	assert_true(fact_list_has(need(profile, "filesystem.dir[/work/scratch].role"), "TMPDIR"));
	assert_true(fact_list_has(need(profile, "filesystem.dir[/work].role"), "cwd"));
	assert_true(fact_list_has(need(profile, "filesystem.dir[/work].role"), "--dir"));
	assert_text(profile, "filesystem.dir[/work/../file].kind", "other");
	assert_null(profile_find(profile, "filesystem.dir[/work/../file].create"));
	profile_free(profile);

	unlink(at(root, "/file"));
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		assert_int_equal(rmdir(at(root, dirs[i])), 0);
}

static void test_mounted(void **state)
{
	static const char *const environ[] = { NULL };
	const char *dirs[] = { *state, NULL };
	struct scope scope = { .root = "", .environ = environ, .dirs = dirs };
	char key[256];

	if (geteuid() != 0 ||
	    mount("small", *state, "tmpfs", MS_NOEXEC | MS_NOSUID, "size=64k,nr_inodes=20"))
		skip();
	struct profile *profile = run(&collector_filesystem, &scope);
	mount("small", *state, "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k");
	struct profile *readonly = run(&collector_filesystem, &scope);
	umount2(*state, MNT_DETACH);

#define KEY(property)                                                                              \
	(snprintf(key, sizeof(key), "filesystem.dir[%s]." property, (char *)*state), key)
	assert_text(profile, KEY("type"), "tmpfs");
	assert_text(profile, KEY("mount"), *state);
	assert_number(profile, KEY("size_bytes"), FACT_INT, 65536);
	assert_number(profile, KEY("free_bytes"), FACT_INT, 65536);
	assert_number(profile, KEY("inodes"), FACT_INT, 20);
	assert_number(profile, KEY("inodes_free"), FACT_INT, 19);
	assert_bool(profile, KEY("readonly"), false);
	assert_bool(profile, KEY("noexec"), true);
	assert_bool(profile, KEY("nosuid"), true);
	assert_bool(profile, KEY("create"), true);
	assert_bool(profile, KEY("exec"), false);
	assert_text(profile, KEY("exec_errno"), "EACCES");
	assert_string_equal(need(profile, KEY("exec"))->source, "execve");

	assert_bool(readonly, KEY("readonly"), true);
	assert_bool(readonly, KEY("create"), false);
	assert_text(readonly, KEY("create_errno"), "EROFS");
	assert_status(readonly, KEY("write"), FACT_SKIPPED);
	assert_status(readonly, KEY("exec"), FACT_SKIPPED);
	profile_free(profile);
	profile_free(readonly);
}

static void test_mounts(void **state)
{
	(void)state;
	struct scope scope = { .root = "tests/unit/fixtures/mounts" };
	struct profile *profile = run(&collector_mounts, &scope);

	assert_number(profile, "filesystem.mount_count", FACT_INT, 9);
	assert_text(profile, "filesystem.root_type", "overlay");
	assert_text(profile, "filesystem.mount[/].source", "overlay");
	assert_text(profile, "filesystem.mount[/].root", "/");
	assert_bool(profile, "filesystem.mount[/].readonly", false);
	assert_true(fact_list_has(need(profile, "filesystem.mount[/].super_options"),
				  "lowerdir=/l/A:/l/B"));
	assert_text(profile, "filesystem.mount[/proc].type", "proc");
	assert_int_equal(fact_list_count(need(profile, "filesystem.mount[/proc].options")), 5);
	assert_null(profile_find(profile, "filesystem.mount[/proc].source"));
	/* The one on top. */
	assert_text(profile, "filesystem.mount[/tmp].source", "second");
	assert_bool(profile, "filesystem.mount[/work%20space].readonly", true);
	assert_text(profile, "filesystem.mount[/work%20space].root", "/home/me/my project");
	assert_null(profile_find(profile, "filesystem.mount[/data/old].type"));
	assert_text(profile, "filesystem.mount[/data].type", "btrfs");
	assert_bool(profile, "filesystem.mount[/bound].deleted", true);
	assert_status(profile, "filesystem.mount[/empty].source", FACT_ABSENT);
	assert_string_equal(note, "3 lines of the mount table could not be read");
	profile_free(profile);
}

static void test_no_mounts(void **state)
{
	struct scope scope = { .root = *state };
	struct profile *profile = run(&collector_mounts, &scope);
	assert_status(profile, "filesystem.mount_count", FACT_ABSENT);
	assert_int_equal(need(profile, "filesystem.mount_count")->err, ENOENT);
	/* statfs answers where the table does not. */
	assert_status(profile, "filesystem.root_type", FACT_OK);
	profile_free(profile);
}

static void test_many_mounts(void **state)
{
	const char *root = *state;
	struct scope scope = { .root = root };
	assert_int_equal(mkdir(at(root, "/proc"), 0700) | mkdir(at(root, "/proc/self"), 0700), 0);
	FILE *file = fopen(at(root, "/proc/self/mountinfo"), "we");
	assert_non_null(file);
	for (int i = 0; i < 250; i++)
		fprintf(file, "%d 1 0:1 / /m%03d rw - xfs s rw\n", i + 2, i);
	fclose(file);
	struct profile *profile = run(&collector_mounts, &scope);
	assert_number(profile, "filesystem.mount_count", FACT_INT, 250);
	assert_text(profile, "filesystem.mount[/m199].type", "xfs");
	assert_null(profile_find(profile, "filesystem.mount[/m200].type"));
	assert_string_equal(note, "50 of 250 mounts are left out");
	profile_free(profile);
	unlink(at(root, "/proc/self/mountinfo"));
	rmdir(at(root, "/proc/self"));
	rmdir(at(root, "/proc"));
}

static void test_devices(void **state)
{
	const char *root = *state;
	struct scope scope = { .root = root };
	assert_int_equal(mkdir(at(root, "/dev"), 0755), 0);
	/* What `mv x /dev/null` leaves. */
	close(open(at(root, "/dev/null"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	bool made = !mknod(at(root, "/dev/zero"), S_IFCHR | 0666, makedev(1, 5)) &&
		    !mknod(at(root, "/dev/full"), S_IFCHR | 0666, makedev(1, 3));
	struct profile *profile = run(&collector_devices, &scope);

	assert_text(profile, "filesystem.dev[null].unusable", "not the device");
	const struct fact *missing = need(profile, "filesystem.dev_missing");
	const struct fact *nodes = need(profile, "filesystem.dev_nodes");
	assert_true(fact_list_has(missing, "urandom"));
	assert_true(fact_list_has(missing, "ptmx"));
	assert_false(fact_list_has(missing, "null"));
	assert_false(fact_list_has(nodes, "null"));
	if (made) {
		assert_true(fact_list_has(nodes, "zero"));
		assert_text(profile, "filesystem.dev[full].unusable", "not the device");
	}
	assert_bool(profile, "filesystem.proc", false);
	assert_bool(profile, "filesystem.sys", false);
	profile_free(profile);
	unlink(at(root, "/dev/null"));
	unlink(at(root, "/dev/zero"));
	unlink(at(root, "/dev/full"));
	rmdir(at(root, "/dev"));

	/* And here, where at least null and urandom are in order. */
	scope.root = "";
	profile = run(&collector_devices, &scope);
	assert_true(fact_list_has(need(profile, "filesystem.dev_nodes"), "null"));
	assert_true(fact_list_has(need(profile, "filesystem.dev_nodes"), "urandom"));
	assert_bool(profile, "filesystem.proc", true);
	profile_free(profile);
}

static int in_own_mounts(void **state)
{
	(void)state;
	if (!unshare(CLONE_NEWNS))
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return 0;
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, drop_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(test_tree),	 IN_TREE(test_mounted),	    cmocka_unit_test(test_mounts),
		IN_TREE(test_no_mounts), IN_TREE(test_many_mounts), IN_TREE(test_devices),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, in_own_mounts, NULL);
}
