// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mountinfo.h"
#include "base/parse.h"
#include "base/parse_cgroup.h"

/* include/linux/proc_ns.h: PROC_CGROUP_INIT_INO */
#define CGROUP_NS_INITIAL "cgroup:[4026531835]"

/* A hierarchy mounted more often than this is a table made to keep us busy. */
#define CANDIDATES_MAX 64

int cgroup_namespaced(const char *root, bool *namespaced)
{
	char target[64];
	int err = sys_readlink(root, "/proc/self/ns/cgroup", target, sizeof(target));
	if (!err)
		*namespaced = strcmp(target, CGROUP_NS_INITIAL) != 0;
	return err;
}

static bool is_hierarchy(const struct mount *mount, const char *type, const char *controller)
{
	return !strcmp(mount->type, type) &&
	       (!*controller || mount_has_option(mount->super_options, controller));
}

/* Is our level really below this mount point? Another mount may cover it. */
static bool level_there(const struct cgroup *cgroup)
{
	char path[SYS_PATH_MAX], full[SYS_PATH_MAX];
	return !cgroup_file(cgroup, cgroup->level, "cgroup.procs", path, sizeof(path)) &&
	       !sys_path(full, sizeof(full), cgroup->root, path) && !access(full, F_OK);
}

static int level_depth(const char *level)
{
	int depth = 0;
	for (; *level; level++)
		depth += *level == '/';
	return depth;
}

/* Takes a mount as the place to look at. */
static void take(struct cgroup *cgroup, const struct mount *mount, enum cgroup_sight sight,
		 const char *level)
{
	bool namespaced = true;
	snprintf(cgroup->mount, sizeof(cgroup->mount), "%s", mount->point);
	strcpy(cgroup->level, level);
	cgroup->own = sight == CGROUP_SIGHT_OWN;
	cgroup->whole = cgroup->own && !cgroup_namespaced(cgroup->root, &namespaced) &&
			!namespaced && !strcmp(mount->root, "/") &&
			level_depth(level) < CGROUP_DEPTH_MAX;
}

/*
 * Of several mounts of a hierarchy the one that shows most: our own level, and the longest way up from it. With
 * the container's own /sys/fs/cgroup there may be the host's, bound to some other place.
 */
static int choose_mount(const struct mount_table *table, const char *type, const char *controller,
			struct cgroup *cgroup)
{
	char level[SYS_PATH_MAX];
	size_t best = 0;
	int err = ENOENT, candidates = 0;

	for (size_t i = table->count; i-- > 0 && candidates < CANDIDATES_MAX;) {
		const struct mount *mount = &table->mounts[i];
		if (!is_hierarchy(mount, type, controller))
			continue;
		candidates++;
		enum cgroup_sight sight =
			parse_cgroup_level(cgroup->path, mount->root, level, sizeof(level));
		if (sight == CGROUP_SIGHT_ELSEWHERE) {
			err = best ? 0 : EXDEV;
			continue;
		}
		struct cgroup tried = *cgroup;
		take(&tried, mount, sight, level);
		size_t score = (size_t)level_there(&tried) * 4 * SYS_PATH_MAX +
			       (size_t)tried.own * 2 * SYS_PATH_MAX + strlen(level);
		if (score > best) {
			best = score;
			*cgroup = tried;
		}
		err = 0;
	}
	return err;
}

/* Is the controller handed to our level? 0, ENODATA, or errno of looking. */
static int look_for_controller(const struct cgroup *cgroup, const char *controller)
{
	cleanup_buf struct buf text = BUF_INIT(4096);
	char word[64];
	int err = cgroup_read(cgroup, cgroup->level, "cgroup.controllers", &text);
	if (err)
		return err;
	const char *at = buf_text(&text);
	while (parse_field(&at, word, sizeof(word)))
		if (!strcmp(word, controller))
			return 0;
	return ENODATA;
}

/*
 * A parent may keep a controller to itself: we are then counted at the nearest level that has it, and only
 * that one and those above carry limits.
 */
static int climb_to_controller(struct cgroup *cgroup, const char *controller)
{
	for (;;) {
		int err = look_for_controller(cgroup, controller);
		/* Refused here is no reason to leave this level out: its limits are unknown, not none. */
		if (err != ENODATA && err != ENOENT)
			return 0;
		if (err == ENOENT)
			cgroup->own = cgroup->whole = false;
		if (!cgroup_up(cgroup->level))
			return ENOENT;
	}
}

int cgroup_find(const char *root, const char *controller, struct cgroup *cgroup)
{
	cleanup_mounts struct mount_table table = { 0 };
	cleanup_buf struct buf own = BUF_INIT(1 << 16);

	*cgroup = (struct cgroup){ .root = root, .version = CGROUP_V1 };
	int err = sys_read(root, "/proc/self/cgroup", &own);
	if (err)
		return err;
	/* A controller is bound to one version at a time: a line of version 1 says that version 2 lacks it. */
	bool v1 = *controller &&
		  parse_cgroup_path(buf_text(&own), controller, cgroup->path, sizeof(cgroup->path));
	if (!v1) {
		cgroup->version = CGROUP_V2;
		if (!parse_cgroup_path(buf_text(&own), "", cgroup->path, sizeof(cgroup->path)))
			return ENOENT;
	}
	err = mountinfo_read(root, &table);
	if (!err)
		err = choose_mount(&table, v1 ? "cgroup" : "cgroup2", v1 ? controller : "", cgroup);
	if (!err && !v1 && *controller)
		err = climb_to_controller(cgroup, controller);
	return err;
}

int cgroup_layout(const char *root, enum cgroup_layout *layout)
{
	cleanup_mounts struct mount_table table = { 0 };
	int err = mountinfo_read(root, &table);
	if (err)
		return err;
	bool one = false, two = false;
	for (size_t i = 0; i < table.count; i++) {
		one |= is_hierarchy(&table.mounts[i], "cgroup", "");
		two |= is_hierarchy(&table.mounts[i], "cgroup2", "");
	}
	*layout = one && two ? CGROUP_HYBRID
		  : one	     ? CGROUP_PURE_V1
		  : two	     ? CGROUP_PURE_V2
			     : CGROUP_NONE;
	return 0;
}

bool cgroup_up(char *level)
{
	char *slash = strrchr(level, '/');
	if (!slash || !level[1])
		return false;
	slash[slash == level] = '\0';
	return true;
}

bool cgroup_is_root(const char *level, int err)
{
	return err == ENOENT && !level[1];
}

int cgroup_file(const struct cgroup *cgroup, const char *level, const char *file, char *out,
		size_t size)
{
	int n = snprintf(out, size, "%s%s/%s", cgroup->mount, level[1] ? level : "", file);
	return n < 0 || (size_t)n >= size ? ENAMETOOLONG : 0;
}

int cgroup_read(const struct cgroup *cgroup, const char *level, const char *file, struct buf *out)
{
	char path[SYS_PATH_MAX];
	int err = cgroup_file(cgroup, level, file, path, sizeof(path));
	return err ? err : sys_read(cgroup->root, path, out);
}

int cgroup_read_limit(const struct cgroup *cgroup, const char *level, const char *file,
		      int64_t *value)
{
	char path[SYS_PATH_MAX], line[64];
	int err = cgroup_file(cgroup, level, file, path, sizeof(path));
	if (!err)
		err = sys_read_line(cgroup->root, path, line, sizeof(line));
	if (err)
		return err;
	return parse_cgroup_limit(line, value) ? 0 : EBADMSG;
}

int cgroup_read_keyed(const struct cgroup *cgroup, const char *level, const char *file,
		      const char *name, int64_t *value)
{
	cleanup_buf struct buf text = BUF_INIT(1 << 16);
	char number[64];
	int err = cgroup_read(cgroup, level, file, &text);
	if (err)
		return err;
	if (!parse_keyed(buf_text(&text), name, number, sizeof(number)))
		return ENODATA;
	return parse_cgroup_limit(number, value) ? 0 : EBADMSG;
}
