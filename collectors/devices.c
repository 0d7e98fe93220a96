// SPDX-License-Identifier: Apache-2.0
/* What the kernel itself puts into the tree: /proc, /sys, and the device nodes that programs count on. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "base/errno_name.h"
#include "base/fs_type.h"
#include "base/sys.h"
#include "collectors/collector.h"

static void speak_kernel_trees(struct sink *sink, const char *root)
{
	static const struct {
		const char *key, *path;
		unsigned long magic;
	} trees[] = {
		{ "filesystem.proc", "/proc", FS_TYPE_PROC },
		{ "filesystem.sys", "/sys", FS_TYPE_SYSFS },
	};
	for (size_t i = 0; i < ARRAY_SIZE(trees); i++) {
		char path[SYS_PATH_MAX];
		struct statfs fs;
		int err = sys_path(path, sizeof(path), root, trees[i].path);
		if (!err && statfs(path, &fs))
			err = errno;
		if (err && err != ENOENT)
			sink_fail(sink, trees[i].key, err, trees[i].path);
		else
			sink_bool(sink, trees[i].key,
				  !err && ((unsigned long)fs.f_type & 0xffffffffUL) ==
						  trees[i].magic,
				  "statfs");
	}
}

/* Numbers of the kernel's devices.txt. Opened for writing where programs write to them. */
static const struct node {
	const char *name;
	int flags;
	unsigned int major, minor;
} nodes[] = {
	{ "null", O_RDWR, 1, 3 },     { "zero", O_RDWR, 1, 5 },	     { "full", O_RDWR, 1, 7 },
	{ "random", O_RDONLY, 1, 8 }, { "urandom", O_RDONLY, 1, 9 }, { "tty", O_RDWR, 5, 0 },
	{ "ptmx", O_RDWR, 5, 2 },
};

/* 0, an errno, or ENOTTY for something else under that name: often a plain file in place of /dev/null. */
static int node_open(const char *root, const struct node *node)
{
	char path[SYS_PATH_MAX];
	struct stat st;
	if (snprintf(path, sizeof(path), "%s/dev/%s", root, node->name) >= (int)sizeof(path))
		return ENAMETOOLONG;
	if (stat(path, &st))
		return errno;
	if (!S_ISCHR(st.st_mode) || major(st.st_rdev) != node->major ||
	    minor(st.st_rdev) != node->minor)
		return ENOTTY;
	/* Opening ptmx makes a terminal, which goes again with the descriptor. */
	cleanup_fd int fd = open(path, node->flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	/* Of a terminal: the node works, we only have none. gVisor says EIO in place of ENXIO. */
	bool no_terminal = fd < 0 && node->major == 5 && (errno == ENXIO || errno == EIO);
	return fd >= 0 || no_terminal ? 0 : errno;
}

static void speak_devices(struct sink *sink, const char *root)
{
	const char *usable[ARRAY_SIZE(nodes) + 1] = { NULL };
	const char *missing[ARRAY_SIZE(nodes) + 1] = { NULL };
	size_t here = 0, gone = 0;

	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
		int err = node_open(root, &nodes[i]);
		if (!err)
			usable[here++] = nodes[i].name;
		else if (err == ENOENT || err == ENOTDIR)
			missing[gone++] = nodes[i].name;
		else
			/* There, and of no use: neither list would be true. */
			sink_text(sink, key_make("filesystem.dev", nodes[i].name, "unusable").text,
				  err == ENOTTY	    ? "not the device"
				  : errno_name(err) ? errno_name(err)
						    : "unknown error",
				  "open");
	}
	sink_list(sink, "filesystem.dev_nodes", usable, "open(/dev/…)");
	sink_list(sink, "filesystem.dev_missing", missing, "stat(/dev/…)");
}

static void devices_collect(struct sink *sink, const struct scope *scope)
{
	speak_kernel_trees(sink, scope->root);
	speak_devices(sink, scope->root);
}

const struct collector collector_devices = {
	.name = "devices",
	.about = "/proc, /sys and device nodes",
	.deadline_ms = 2000,
	.shares = true,
	.collect = devices_collect,
};
