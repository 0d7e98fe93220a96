// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mountinfo.h"
#include "base/parse.h"

/* include/linux/proc_ns.h: PROC_CGROUP_INIT_INO */
#define CGROUP_NS_INITIAL "cgroup:[4026531835]"

/* PAGE_COUNTER_MAX is INT64_MAX rounded down to pages: no real limit comes near. */
#define V1_UNLIMITED (INT64_MAX - ((int64_t)1 << 20))

int cgroup_namespaced(const char *root, bool *namespaced)
{
	char target[64];
	int err = sys_readlink(root, "/proc/self/ns/cgroup", target, sizeof(target));
	if (!err)
		*namespaced = strcmp(target, CGROUP_NS_INITIAL) != 0;
	return err;
}

/* The path of the line for a controller ("" asks for the unified line, 0::/path). */
static bool own_path(const char *text, const char *controller, char *path, size_t size)
{
	char line[SYS_PATH_MAX + 256];
	while (parse_line(&text, line, sizeof(line))) {
		char *names = strchr(line, ':');
		char *own = names ? strchr(names + 1, ':') : NULL;
		if (!own || own[1] != '/')
			continue;
		*own++ = '\0';
		names++;
		bool fits = *controller ? mount_has_option(names, controller)
					: !*names && !strncmp(line, "0:", 2);
		if (!fits || strlen(own) >= size)
			continue;
		strcpy(path, own);
		return true;
	}
	return false;
}

static const struct mount *find_mount(const struct mount_table *table, const char *type,
				      const char *controller)
{
	/* The last one: it covers earlier ones at the same place. */
	for (size_t i = table->count; i-- > 0;) {
		const struct mount *mount = &table->mounts[i];
		if (!strcmp(mount->type, type) &&
		    (!controller || mount_has_option(mount->super_options, controller)))
			return mount;
	}
	return NULL;
}

/* Own level below the mount: own path less the mount's root. A root outside our path shows only itself. */
static void place(const struct mount *mount, struct cgroup *cgroup)
{
	size_t len = strcmp(mount->root, "/") ? strlen(mount->root) : 0;
	bool below = !strncmp(cgroup->path, mount->root, len) &&
		     (cgroup->path[len] == '/' || !cgroup->path[len]);
	bool strays = strstr(cgroup->path, "/..") != NULL;
	bool namespaced = true;

	snprintf(cgroup->mount, sizeof(cgroup->mount), "%s", mount->point);
	snprintf(cgroup->level, sizeof(cgroup->level), "%s",
		 below && !strays && cgroup->path[len] ? cgroup->path + len : "/");
	cgroup->whole =
		!cgroup_namespaced(cgroup->root, &namespaced) && !namespaced && !len && !strays;
}

/* Does the unified hierarchy hand this controller to our level (or have it, at its root)? */
static bool has_controller(const struct cgroup *cgroup, const char *controller)
{
	cleanup_buf struct buf text = BUF_INIT(4096);
	char word[64];
	if (cgroup_read(cgroup, cgroup->level, "cgroup.controllers", &text))
		return false;
	const char *at = buf_text(&text);
	while (parse_field(&at, word, sizeof(word)))
		if (!strcmp(word, controller))
			return true;
	return false;
}

int cgroup_find(const char *root, const char *controller, struct cgroup *cgroup)
{
	cleanup_mounts struct mount_table table = { 0 };
	cleanup_buf struct buf own = BUF_INIT(1 << 16);
	int err = mountinfo_read(root, &table);
	if (!err)
		err = sys_read(root, "/proc/self/cgroup", &own);
	if (err)
		return err;

	*cgroup = (struct cgroup){ .root = root, .version = CGROUP_V1 };
	const struct mount *mount = find_mount(&table, "cgroup", controller);
	if (mount && own_path(buf_text(&own), controller, cgroup->path, sizeof(cgroup->path))) {
		place(mount, cgroup);
		return 0;
	}
	cgroup->version = CGROUP_V2;
	mount = find_mount(&table, "cgroup2", NULL);
	if (!mount || !own_path(buf_text(&own), "", cgroup->path, sizeof(cgroup->path)))
		return ENOENT;
	place(mount, cgroup);
	/* A parent may keep a controller to itself: the levels above still carry its limits. */
	char level[SYS_PATH_MAX];
	strcpy(level, cgroup->level);
	while (!has_controller(cgroup, controller)) {
		if (!cgroup_up(cgroup->level)) {
			strcpy(cgroup->level, level);
			return ENOENT;
		}
	}
	return 0;
}

int cgroup_layout(const char *root, enum cgroup_layout *layout)
{
	cleanup_mounts struct mount_table table = { 0 };
	int err = mountinfo_read(root, &table);
	if (err)
		return err;
	bool one = find_mount(&table, "cgroup", NULL), two = find_mount(&table, "cgroup2", NULL);
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
	int64_t number;
	int err = cgroup_file(cgroup, level, file, path, sizeof(path));
	if (!err)
		err = sys_read_line(cgroup->root, path, line, sizeof(line));
	if (err)
		return err;
	if (!strcmp(line, "max"))
		number = INT64_MAX;
	else if (!parse_i64(line, &number))
		return EBADMSG;
	else if (cgroup->version == CGROUP_V1 && number >= V1_UNLIMITED)
		number = INT64_MAX;
	*value = number;
	return 0;
}

int cgroup_read_keyed(const struct cgroup *cgroup, const char *level, const char *file,
		      const char *name, int64_t *value)
{
	cleanup_buf struct buf text = BUF_INIT(1 << 16);
	int err = cgroup_read(cgroup, level, file, &text);
	if (err)
		return err;
	return parse_keyed_i64(buf_text(&text), name, value) ? 0 : ENODATA;
}
