// SPDX-License-Identifier: Apache-2.0
/* Pressure stall information: how long work waits for memory, CPU and I/O; and the room in /dev/shm. */
#include <errno.h>
#include <stdio.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/cleanup.h"
#include "base/fs_type.h"
#include "base/parse_psi.h"
#include "collectors/collector.h"

/*
 * Our own group's pressure says more than the machine's. Only version 2 has it, but there whatever controllers
 * are bound to it. Its root group has the machine's numbers.
 */
static int read_pressure(const char *root, const char *what, struct buf *text, const char **scope,
			 char *path, size_t size)
{
	struct cgroup cgroup;
	char file[32];
	int err = cgroup_find(root, "", &cgroup);

	snprintf(file, sizeof(file), "%s.pressure", what);
	*scope = "cgroup";
	if (!err && cgroup.own && (cgroup.level[1] || !cgroup.whole) &&
	    !cgroup_file(&cgroup, cgroup.level, file, path, size) &&
	    !cgroup_read(&cgroup, cgroup.level, file, text))
		return 0;
	*scope = "system";
	snprintf(path, size, "/proc/pressure/%s", what);
	/* With psi=0 on the kernel's command line it can be opened, and reading gives EOPNOTSUPP. */
	return sys_read(root, path, text);
}

static void speak_pressure(struct sink *sink, const char *root, const char *prefix,
			   const char *what)
{
	static const char *const values[][2] = { { "some", "avg10" },
						 { "some", "avg60" },
						 { "full", "avg10" } };
	cleanup_buf struct buf text = BUF_INIT(4096);
	char path[SYS_PATH_MAX], key[64], value[32];
	const char *scope;
	int err = read_pressure(root, what, &text, &scope, path, sizeof(path));

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		snprintf(key, sizeof(key), "%s.psi.%s_%s", prefix, values[i][0], values[i][1]);
		if (err)
			sink_fail(sink, key, err, path);
		else if (parse_psi(buf_text(&text), values[i][0], values[i][1], value,
				   sizeof(value)))
			sink_text(sink, key, value, path);
		else
			sink_status(sink, key, FACT_ABSENT, 0, path);
	}
	snprintf(key, sizeof(key), "%s.psi.scope", prefix);
	if (err)
		sink_fail(sink, key, err, path);
	else
		sink_text(sink, key, scope, path);
}

static void speak_shm_type(struct sink *sink)
{
	struct statfs fs;
	if (statfs("/dev/shm", &fs)) {
		int err = errno;
		sink_fail(sink, "memory.shm.type", err, "statfs(/dev/shm)");
		return;
	}
	const char *type = fs_type_name((unsigned long)fs.f_type);
	if (type)
		sink_text(sink, "memory.shm.type", type, "statfs(/dev/shm)");
	else
		sink_status(sink, "memory.shm.type", FACT_MALFORMED, 0, "statfs(/dev/shm)");
}

static void speak_shm(struct sink *sink)
{
	static const char *const keys[] = { "memory.shm.size_bytes", "memory.shm.free_bytes",
					    "memory.shm.writable" };
	struct statvfs fs;

	speak_shm_type(sink);
	if (statvfs("/dev/shm", &fs)) {
		int err = errno;
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			sink_fail(sink, keys[i], err, "statvfs(/dev/shm)");
		return;
	}
	sink_int(sink, keys[0], (int64_t)(fs.f_blocks * fs.f_frsize), "statvfs(/dev/shm)");
	sink_int(sink, keys[1], (int64_t)(fs.f_bavail * fs.f_frsize), "statvfs(/dev/shm)");
	int err = access("/dev/shm", W_OK | X_OK) ? errno : 0;
	if (err && err != EACCES && err != EROFS && err != EPERM)
		sink_fail(sink, keys[2], err, "access(/dev/shm)");
	else
		sink_bool(sink, keys[2], !err, "access(/dev/shm)");
}

static void pressure_collect(struct sink *sink, const struct scope *scope)
{
	speak_pressure(sink, scope->root, "memory", "memory");
	speak_pressure(sink, scope->root, "cpu", "cpu");
	speak_shm(sink);
}

const struct collector collector_pressure = {
	.name = "pressure",
	.about = "pressure stall information, shared memory",
	.deadline_ms = 1500,
	.shares = true,
	.collect = pressure_collect,
};
