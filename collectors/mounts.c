// SPDX-License-Identifier: Apache-2.0
/* The mount table. Only read, never visited: a dead network mount would hang us. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "base/fs_type.h"
#include "base/mountinfo.h"
#include "base/sys.h"
#include "collectors/collector.h"

#define MOUNTS_MAX  200
#define OPTIONS_MAX 256
#define SOURCE	    "/proc/self/mountinfo"

static void speak_options(struct sink *sink, const char *key, const char *options)
{
	const char *items[OPTIONS_MAX + 1] = { NULL };
	size_t count = 0;
	cleanup_free char *copy = strdup(options);
	char *rest = copy;

	for (char *item; rest && count < OPTIONS_MAX && (item = strsep(&rest, ","));)
		if (*item)
			items[count++] = item;
	if (!copy || rest)
		sink_status(sink, key, copy ? FACT_TRUNCATED : FACT_SKIPPED, 0, SOURCE);
	else
		sink_list(sink, key, items, SOURCE);
}

static void speak_mount(struct sink *sink, const struct mount *mount)
{
	const char *point = mount->point, *subject = "filesystem.mount";

	sink_text(sink, key_make(subject, point, "type").text, mount->type, SOURCE);
	speak_options(sink, key_make(subject, point, "options").text, mount->options);
	/* Of the kernel's own filesystems the rest says nothing, and differs from boot to boot. */
	if (fs_type_is_kernel(mount->type))
		return;
	bool readonly = mount_has_option(mount->options, "ro") ||
			mount_has_option(mount->super_options, "ro");
	sink_bool(sink, key_make(subject, point, "readonly").text, readonly, SOURCE);
	speak_options(sink, key_make(subject, point, "super_options").text, mount->super_options);
	struct key key = key_make(subject, point, "source");
	if (*mount->source)
		sink_text(sink, key.text, mount->source, SOURCE);
	else
		sink_status(sink, key.text, FACT_ABSENT, 0, SOURCE);
	sink_text(sink, key_make(subject, point, "root").text, mount->root, SOURCE);
	if (mount->deleted)
		sink_bool(sink, key_make(subject, point, "deleted").text, true, SOURCE);
}

/* Without a table, or in a chroot into a plain directory, the number that statfs gives has to do. */
static void speak_root(struct sink *sink, const char *root, const struct mount_table *table)
{
	const struct mount *mount = mountinfo_lookup(table, "/");
	char path[SYS_PATH_MAX];
	struct statfs fs;

	if (mount) {
		sink_text(sink, "filesystem.root_type", mount->type, SOURCE);
		return;
	}
	int err = sys_path(path, sizeof(path), root, "/");
	if (!err && statfs(path, &fs))
		err = errno;
	const char *type = err ? NULL : fs_type_name((unsigned long)fs.f_type);
	if (type)
		sink_text(sink, "filesystem.root_type", type, "statfs(/)");
	else if (err)
		sink_fail(sink, "filesystem.root_type", err, "statfs(/)");
	else
		sink_status(sink, "filesystem.root_type", FACT_MALFORMED, 0, "statfs(/)");
}

static void mounts_collect(struct sink *sink, const struct scope *scope)
{
	cleanup_mounts struct mount_table table = { 0 };
	size_t spoken = 0, covered = 0;
	int err = mountinfo_read(scope->root, &table);

	if (err)
		sink_fail(sink, "filesystem.mount_count", err, SOURCE);
	else
		sink_int(sink, "filesystem.mount_count", (int64_t)table.count, SOURCE);
	speak_root(sink, scope->root, &table);
	for (size_t i = 0; i < table.count && spoken < MOUNTS_MAX; i++) {
		/* One that a later mount covers cannot be reached by any path. */
		if (mountinfo_lookup(&table, table.mounts[i].point) != &table.mounts[i]) {
			covered++;
			continue;
		}
		speak_mount(sink, &table.mounts[i]);
		spoken++;
	}
	char note[160] = "";
	int n = 0;
	if (spoken + covered < table.count)
		n = snprintf(note, sizeof(note), "%zu of %zu mounts are left out",
			     table.count - spoken - covered, table.count);
	if (table.malformed)
		snprintf(note + n, sizeof(note) - (size_t)n,
			 "%s%zu lines of the mount table could not be read", n ? "; " : "",
			 table.malformed);
	if (*note)
		sink_note(sink, note);
}

const struct collector collector_mounts = {
	.name = "mounts",
	.about = "the mount table",
	.deadline_ms = 2000,
	.shares = true,
	.collect = mounts_collect,
};
