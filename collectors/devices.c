// SPDX-License-Identifier: Apache-2.0
/* What the kernel itself puts into the tree: /proc, /sys, and the device nodes that programs count on. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "base/cleanup.h"
#include "collectors/collector.h"

static void speak_kernel_trees(struct sink *sink)
{
	static const struct {
		const char *key, *path;
		unsigned long magic;
	} trees[] = {
		{ "filesystem.proc", "/proc", PROC_SUPER_MAGIC },
		{ "filesystem.sys", "/sys", SYSFS_MAGIC },
	};
	for (size_t i = 0; i < ARRAY_SIZE(trees); i++) {
		struct statfs fs;
		int err = statfs(trees[i].path, &fs) ? errno : 0;
		if (err && err != ENOENT)
			sink_fail(sink, trees[i].key, err, trees[i].path);
		else
			sink_bool(sink, trees[i].key,
				  !err && (unsigned long)fs.f_type == trees[i].magic, "statfs");
	}
}

static void speak_devices(struct sink *sink)
{
	static const char *const nodes[] = { "null",	"zero", "full", "random",
					     "urandom", "tty",	"ptmx" };
	const char *usable[ARRAY_SIZE(nodes) + 1] = { NULL },
					       *missing[ARRAY_SIZE(nodes) + 1] = { NULL };
	size_t here = 0, gone = 0;

	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
		char path[32];
		snprintf(path, sizeof(path), "/dev/%s", nodes[i]);
		int fd = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		/* ENXIO of /dev/tty: the node works, we only have no terminal. */
		if (fd >= 0 || errno == ENXIO)
			usable[here++] = nodes[i];
		else if (errno == ENOENT)
			missing[gone++] = nodes[i];
		if (fd >= 0)
			close(fd);
	}
	sink_list(sink, "filesystem.dev_nodes", usable, "open(/dev/…)");
	sink_list(sink, "filesystem.dev_missing", missing, "open(/dev/…)");
}

static void devices_collect(struct sink *sink, const struct scope *scope)
{
	(void)scope;
	speak_kernel_trees(sink);
	speak_devices(sink);
}

const struct collector collector_devices = {
	.name = "devices",
	.about = "/proc, /sys and device nodes",
	.deadline_ms = 2000,
	.collect = devices_collect,
};
