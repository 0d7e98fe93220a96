// SPDX-License-Identifier: Apache-2.0
/* The directories that matter to a task: where files can be made and run, by trying; and how much room there is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/errno_name.h"
#include "base/mountinfo.h"
#include "base/sys.h"
#include "base/trial.h"
#include "collectors/collector.h"

#define DIR_DEADLINE_MS 1500
#define DIRS_MAX	96
#define ROLES_MAX	8

struct dir {
	char path[SYS_PATH_MAX];
	const char *roles[ROLES_MAX + 1]; /* NULL-ended */
	struct trial trial;
	int err; /* of the trial */
};

struct dirs {
	struct dir *all;
	size_t count;
};

/* Places that tasks write to by habit. Those that do not exist are told so. */
static const char *const well_known[] = {
	"/",	"/tmp",	 "/var/tmp", "/dev/shm", "/run",  "/workspace", "/workspaces",
	"/app", "/repo", "/testbed", "/mnt",	 "/data", "/opt",	"/usr/local",
};

static const char *const variables[] = { "HOME",	   "TMPDIR",	      "XDG_RUNTIME_DIR",
					 "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME" };

static void dirs_add(struct dirs *dirs, const char *path, const char *role)
{
	char clean[SYS_PATH_MAX];
	size_t len = strlen(path), i;

	if (path[0] != '/' || len >= sizeof(clean))
		return;
	strcpy(clean, path);
	while (len > 1 && clean[len - 1] == '/')
		clean[--len] = '\0';
	for (i = 0; i < dirs->count && strcmp(dirs->all[i].path, clean) != 0; i++)
		;
	if (i == dirs->count) {
		if (dirs->count == DIRS_MAX)
			return;
		dirs->count++;
		strcpy(dirs->all[i].path, clean);
	}
	for (size_t r = 0; r < ROLES_MAX; r++) {
		if (dirs->all[i].roles[r])
			continue;
		dirs->all[i].roles[r] = role;
		return;
	}
}

static void dirs_gather(struct dirs *dirs, const struct scope *scope)
{
	char path[SYS_PATH_MAX];
	if (scope->cwd)
		dirs_add(dirs, scope->cwd, "cwd");
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *value = scope_getenv(scope, variables[i]);
		if (value)
			dirs_add(dirs, value, variables[i]);
	}
	for (const char *const *dir = scope->dirs; dir && *dir; dir++) {
		/* A relative one is meant from where we were started. */
		if (**dir != '/' && scope->cwd)
			snprintf(path, sizeof(path), "%s/%s", scope->cwd, *dir);
		else
			snprintf(path, sizeof(path), "%s", *dir);
		dirs_add(dirs, path, "--dir");
	}
	for (size_t i = 0; i < ARRAY_SIZE(well_known); i++)
		dirs_add(dirs, well_known[i], "well-known");
}

static void speak_step(struct sink *sink, const struct dir *dir, enum trial_step step)
{
	int how = dir->trial.step[step];
	const char *name = trial_step_name(step), *err = errno_name(how);
	char property[32];
	struct key key = key_make("filesystem.dir", dir->path, name);

	if (how == TRIAL_UNTRIED) {
		sink_status(sink, key.text, dir->err == ETIMEDOUT ? FACT_TIMEOUT : FACT_SKIPPED, 0,
			    "tried");
		return;
	}
	/* Short of means is no answer about the directory. */
	if (how == ETIMEDOUT || how == ENOMEM || how == EMFILE || how == ENFILE || how == EINTR) {
		sink_fail(sink, key.text, how, "tried");
		return;
	}
	sink_bool(sink, key.text, how == TRIAL_DONE, "tried");
	if (how == TRIAL_DONE)
		return;
	snprintf(property, sizeof(property), "%s_errno", name);
	key = key_make("filesystem.dir", dir->path, property);
	if (err)
		sink_text(sink, key.text, err, "tried");
	else
		sink_int(sink, key.text, how, "tried");
}

static void speak_room(struct sink *sink, const struct dir *dir)
{
	const struct trial *t = &dir->trial;
	const struct {
		const char *property;
		int64_t value;
	} numbers[] = {
		{ "size_bytes", t->size_bytes },
		{ "free_bytes", t->free_bytes },
		{ "inodes", t->inodes },
		{ "inodes_free", t->inodes_free },
	};
	const struct {
		const char *property;
		bool value;
	} flags[] = { { "readonly", t->readonly },
		      { "noexec", t->noexec },
		      { "nosuid", t->nosuid } };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct key key = key_make("filesystem.dir", dir->path, numbers[i].property);
		if (t->statfs_errno)
			sink_fail(sink, key.text, t->statfs_errno, "statvfs");
		else if (i >= 2 && !t->inodes)
			/* btrfs, overlay on it, and 9p do not count inodes. */
			sink_status(sink, key.text, FACT_UNSUPPORTED, 0, "statvfs");
		else
			sink_int(sink, key.text, numbers[i].value, "statvfs");
	}
	for (size_t i = 0; i < ARRAY_SIZE(flags) && !t->statfs_errno; i++)
		sink_bool(sink, key_make("filesystem.dir", dir->path, flags[i].property).text,
			  flags[i].value, "statvfs");
}

static void speak_dir(struct sink *sink, const struct dir *dir, const struct mount_table *mounts)
{
	const struct trial *t = &dir->trial;
	struct key exists = key_make("filesystem.dir", dir->path, "exists");
	char mode[16];

	if (dir->roles[0])
		sink_list(sink, key_make("filesystem.dir", dir->path, "role").text, dir->roles, "");
	if (t->stat_errno) {
		if (t->stat_errno == ENOENT || t->stat_errno == ENOTDIR)
			sink_bool(sink, exists.text, false, "stat");
		else
			sink_fail(sink, exists.text, t->stat_errno, "stat");
		return;
	}
	sink_bool(sink, exists.text, true, "stat");
	sink_text(sink, key_make("filesystem.dir", dir->path, "kind").text,
		  t->directory ? "directory" : "other", "stat");
	snprintf(mode, sizeof(mode), "%04o", (unsigned int)t->mode);
	sink_text(sink, key_make("filesystem.dir", dir->path, "mode").text, mode, "stat");
	sink_int(sink, key_make("filesystem.dir", dir->path, "owner").text, t->owner, "stat");
	const struct mount *mount = mountinfo_lookup(mounts, dir->path);
	if (mount) {
		sink_text(sink, key_make("filesystem.dir", dir->path, "mount").text, mount->point,
			  "/proc/self/mountinfo");
		sink_text(sink, key_make("filesystem.dir", dir->path, "type").text, mount->type,
			  "/proc/self/mountinfo");
	}
	speak_room(sink, dir);
	for (int step = 0; t->directory && step < TRIAL_STEPS; step++)
		speak_step(sink, dir, step);
}

/* One place under two names is tried once; the second name gets the same answers. */
static void dir_try(struct dirs *dirs, size_t at)
{
	struct dir *dir = &dirs->all[at];
	strcpy(dir->trial.path, dir->path);
	dir->trial.write = false;
	dir->err = trial_run(&dir->trial, DIR_DEADLINE_MS);
	if (dir->err || dir->trial.stat_errno || !dir->trial.directory)
		return;
	for (size_t i = 0; i < at; i++) {
		const struct trial *other = &dirs->all[i].trial;
		if (!other->stat_errno && other->device == dir->trial.device &&
		    other->inode == dir->trial.inode) {
			memcpy(dir->trial.step, other->step, sizeof(other->step));
			return;
		}
	}
	dir->trial.write = true;
	dir->err = trial_run(&dir->trial, DIR_DEADLINE_MS);
}

static void filesystem_collect(struct sink *sink, const struct scope *scope)
{
	cleanup_mounts struct mount_table mounts = { 0 };
	cleanup_free struct dir *all = calloc(DIRS_MAX, sizeof(*all));
	struct dirs dirs = { .all = all };

	if (!all) {
		sink_note(sink, "out of memory");
		return;
	}
	if (mountinfo_read(scope->root, &mounts))
		sink_note(sink, "the mount table could not be read: no types of filesystems");
	dirs_gather(&dirs, scope);
	for (size_t i = 0; i < dirs.count; i++) {
		dir_try(&dirs, i);
		speak_dir(sink, &dirs.all[i], &mounts);
	}
}

const struct collector collector_filesystem = {
	.name = "filesystem",
	.about = "directories by trying: write, run, room",
	.deadline_ms = 20000,
	.collect = filesystem_collect,
};
