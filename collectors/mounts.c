// SPDX-License-Identifier: Apache-2.0
/* The mount table. Only read, never visited: a dead network mount would hang us. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mountinfo.h"
#include "collectors/collector.h"

#define MOUNTS_MAX  200
#define OPTIONS_MAX 64

/* Filesystems of the kernel itself: their type says all. */
static const char *const kernel_types[] = {
	"proc",	    "sysfs",   "cgroup",      "cgroup2",    "devpts",	"mqueue",    "tracefs",
	"debugfs",  "bpf",     "pstore",      "securityfs", "configfs", "hugetlbfs", "autofs",
	"efivarfs", "fusectl", "binfmt_misc", "rpc_pipefs", "nsfs",
};

static void speak_options(struct sink *sink, const char *key, const char *options)
{
	const char *items[OPTIONS_MAX + 1] = { NULL };
	size_t count = 0;
	cleanup_free char *copy = strdup(options);
	char *rest = copy;

	for (char *item; rest && count < OPTIONS_MAX && (item = strsep(&rest, ","));)
		items[count++] = item;
	sink_list(sink, key, items, "/proc/self/mountinfo");
}

static void speak_mount(struct sink *sink, const struct mount *mount)
{
	const char *source = "/proc/self/mountinfo";
	bool kernel = false;
	for (size_t i = 0; i < ARRAY_SIZE(kernel_types); i++)
		kernel |= !strcmp(kernel_types[i], mount->type);

	sink_text(sink, key_make("filesystem.mount", mount->point, "type").text, mount->type,
		  source);
	speak_options(sink, key_make("filesystem.mount", mount->point, "options").text,
		      mount->options);
	sink_bool(sink, key_make("filesystem.mount", mount->point, "readonly").text,
		  mount_has_option(mount->options, "ro") ||
			  mount_has_option(mount->super_options, "ro"),
		  source);
	if (kernel)
		return;
	sink_text(sink, key_make("filesystem.mount", mount->point, "source").text, mount->source,
		  source);
	sink_text(sink, key_make("filesystem.mount", mount->point, "root").text, mount->root,
		  source);
}

/* Is there a later mount on the same point, which covers this one? */
static bool covered(const struct mount_table *table, size_t at)
{
	for (size_t i = at + 1; i < table->count; i++)
		if (!strcmp(table->mounts[i].point, table->mounts[at].point))
			return true;
	return false;
}

static void mounts_collect(struct sink *sink, const struct scope *scope)
{
	cleanup_mounts struct mount_table table = { 0 };
	size_t spoken = 0;
	int err = mountinfo_read(scope->root, &table);

	if (err) {
		sink_fail(sink, "filesystem.mount_count", err, "/proc/self/mountinfo");
		sink_fail(sink, "filesystem.root_type", err, "/proc/self/mountinfo");
		return;
	}
	sink_int(sink, "filesystem.mount_count", (int64_t)table.count, "/proc/self/mountinfo");
	const struct mount *root = mountinfo_lookup(&table, "/");
	if (root)
		sink_text(sink, "filesystem.root_type", root->type, "/proc/self/mountinfo");
	else
		/* A chroot into a plain directory: what is mounted at its root cannot be seen. */
		sink_status(sink, "filesystem.root_type", FACT_ABSENT, 0, "/proc/self/mountinfo");
	for (size_t i = 0; i < table.count && spoken < MOUNTS_MAX; i++) {
		if (covered(&table, i))
			continue;
		speak_mount(sink, &table.mounts[i]);
		spoken++;
	}
	if (spoken == MOUNTS_MAX)
		sink_note(sink, "only the first 200 mounts are told");
	else if (table.malformed)
		sink_note(sink, "some lines of the mount table could not be read");
}

const struct collector collector_mounts = {
	.name = "mounts",
	.about = "the mount table",
	.deadline_ms = 2000,
	.collect = mounts_collect,
};
