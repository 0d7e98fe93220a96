/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where this process stands in the cgroup hierarchy of a controller, version 1 or 2 (cgroups(7)), and the walk
 * from there up to the highest level that can be seen.
 */
#ifndef BASE_CGROUP_H
#define BASE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sys.h"

enum cgroup_version { CGROUP_V1 = 1, CGROUP_V2 = 2 };

/* A walk looks at no more levels than this; whole is false when there are more. */
#define CGROUP_DEPTH_MAX 64

struct cgroup {
	const char *root; /* borrowed: prefix of every file */
	enum cgroup_version version;
	char path[SYS_PATH_MAX]; /* own path, as /proc/self/cgroup says; "" when it says none */
	char mount[SYS_PATH_MAX]; /* mount point of the hierarchy */
	char level[SYS_PATH_MAX]; /* own level below the mount point: "/", "/a/b" */
	bool own; /* level is ours, and not just the nearest in sight above it */
	bool whole; /* every level up to the machine's root can be seen */
};

enum cgroup_layout { CGROUP_NONE, CGROUP_PURE_V1, CGROUP_PURE_V2, CGROUP_HYBRID };

/* Which versions are mounted. 0 or errno of reading the mounts. */
int cgroup_layout(const char *root, enum cgroup_layout *layout);

/*
 * Finds the hierarchy that has the controller ("": the unified one, whatever it has). 0; ENOENT when none is
 * mounted here, EXDEV when what is mounted shows other groups than ours and those above it, or errno of
 * reading /proc. path is filled also on failure, as far as it is known.
 */
int cgroup_find(const char *root, const char *controller, struct cgroup *cgroup);

/* Is the cgroup namespace another than the machine's? 0 or errno. */
int cgroup_namespaced(const char *root, bool *namespaced);

/* Cuts the last part off a level. False when it was the top: "/". */
bool cgroup_up(char *level);

/*
 * Does this errno of a limit's file at this level just say that there is nothing to limit? The machine's root
 * group has no such files.
 */
bool cgroup_is_root(const char *level, int err);

/* Path of a file at a level: MOUNT/LEVEL/FILE. ENAMETOOLONG when it does not fit. */
int cgroup_file(const struct cgroup *cgroup, const char *level, const char *file, char *out,
		size_t size);

/* Reads a file at a level. 0 or errno. */
int cgroup_read(const struct cgroup *cgroup, const char *level, const char *file, struct buf *out);

/* A number or "max" (INT64_MAX; on version 1 also its huge stand-ins for no limit). EBADMSG when neither. */
int cgroup_read_limit(const struct cgroup *cgroup, const char *level, const char *file,
		      int64_t *value);

/*
 * The same behind a name in a keyed file (memory.events, memory.stat, cpu.stat). ENODATA when the name is not
 * there, EBADMSG when what stands behind it is no number.
 */
int cgroup_read_keyed(const struct cgroup *cgroup, const char *level, const char *file,
		      const char *name, int64_t *value);

#endif
