// SPDX-License-Identifier: Apache-2.0
/* The directories that matter to a task: where files can be made and run, by trying; and how much room there is. */
#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/errno_name.h"
#include "base/fs_type.h"
#include "base/mountinfo.h"
#include "base/places.h"
#include "collectors/collector.h"

#define MOUNTS		"/proc/self/mountinfo"
#define DIR_DEADLINE_MS 1500

/* Places that tasks write to by habit. Those that do not exist are told so. */
static const char *const well_known[] = {
	"/",	"/tmp",	 "/var/tmp", "/dev/shm", "/run",  "/workspace", "/workspaces",
	"/app", "/repo", "/testbed", "/mnt",	 "/data", "/opt",	"/usr/local",
};

static const char *const variables[] = { "HOME",	   "TMPDIR",	      "XDG_RUNTIME_DIR",
					 "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME" };

static void gather(struct places *places, const struct scope *scope)
{
	places_add(places, scope->cwd, scope->cwd, "cwd");
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		places_add(places, scope->cwd, scope_getenv(scope, variables[i]), variables[i]);
	for (const char *const *dir = scope->dirs; dir && *dir; dir++)
		places_add(places, scope->cwd, *dir, "--dir");
	for (size_t i = 0; i < ARRAY_SIZE(well_known); i++)
		places_add(places, NULL, well_known[i], "well-known");
}

static struct key key_of(const struct place *place, const char *property)
{
	return key_make("filesystem.dir", place->path, property);
}

/* The child's end, or the kernel's no, in place of a value. */
static void speak_failure(struct sink *sink, const char *key, int err, const char *source)
{
	if (err == DIRECTORY_KILLED)
		sink_status(sink, key, FACT_DENIED, 0, "answered by SIGSYS");
	else
		sink_fail(sink, key, err, source);
}

static void speak_step(struct sink *sink, const struct place *dir, enum trial_step step)
{
	const struct trial_answer *answer = &dir->found.trial.answers[step];
	struct key key = key_of(dir, trial_name(step));
	const char *source = trial_source(&dir->found.trial, step);
	const char *name = errno_name(answer->err);
	bool killed = answer->end == TRIAL_KILLED;
	char property[32];

	if (answer->end == TRIAL_HUNG || (answer->end == TRIAL_UNTRIED && dir->found.hung)) {
		sink_status(sink, key.text, FACT_TIMEOUT, 0, source);
		return;
	}
	if (answer->end == TRIAL_UNTRIED) {
		sink_status(sink, key.text, FACT_SKIPPED, 0, source);
		return;
	}
	sink_bool(sink, key.text, answer->end == TRIAL_DONE, source);
	if (answer->end != TRIAL_REFUSED && !killed)
		return;
	snprintf(property, sizeof(property), killed ? "%s_signal" : "%s_errno", trial_name(step));
	key = key_of(dir, property);
	if (name && !killed)
		sink_text(sink, key.text, name, source);
	else
		sink_int(sink, key.text, answer->err, source);
}

static void speak_room(struct sink *sink, const struct place *dir)
{
	const struct directory *d = &dir->found;
	const struct {
		const char *property, *source;
		const struct directory_number *number;
	} rows[] = { { "size_bytes", "statfs f_blocks", &d->size_bytes },
		     { "free_bytes", "statfs f_bavail", &d->free_bytes },
		     { "inodes", "statfs f_files", &d->inodes },
		     { "inodes_free", "statfs f_ffree", &d->inodes_free } };
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct key key = key_of(dir, rows[i].property);
		if (d->statfs_err || rows[i].number->err)
			speak_failure(sink, key.text,
				      d->statfs_err ? d->statfs_err : rows[i].number->err,
				      rows[i].source);
		else
			sink_int(sink, key.text, rows[i].number->value, rows[i].source);
	}
}

static void speak_mount(struct sink *sink, const struct place *dir, const struct mount *mount)
{
	const struct directory *d = &dir->found;
	const struct {
		const char *property, *option;
		bool value;
	} flags[] = { { "readonly", "ro", d->readonly },
		      { "noexec", "noexec", d->noexec },
		      { "nosuid", "nosuid", d->nosuid } };
	const char *type = d->statfs_err ? NULL : fs_type_name(d->magic);
	if (mount)
		type = mount->type;
	struct key key = key_of(dir, "type");

	if (type)
		sink_text(sink, key.text, type, mount ? MOUNTS : "statfs f_type");
	else
		speak_failure(sink, key.text, d->statfs_err ? d->statfs_err : EBADMSG,
			      "statfs f_type");
	key = key_of(dir, "mount");
	if (mount)
		sink_text(sink, key.text, mount->point, MOUNTS);
	else
		sink_status(sink, key.text, FACT_SKIPPED, 0, MOUNTS);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		key = key_of(dir, flags[i].property);
		if (!d->statfs_err && d->flags_known)
			sink_bool(sink, key.text, flags[i].value, "statfs f_flags");
		else if (mount)
			sink_bool(sink, key.text, mount_has_option(mount->options, flags[i].option),
				  MOUNTS);
		else
			speak_failure(sink, key.text, d->statfs_err ? d->statfs_err : ENOSYS,
				      "statfs");
	}
}

static void speak_owner(struct sink *sink, const struct place *dir, const char *root)
{
	bool mapped;
	char mode[16];
	struct key key = key_of(dir, "owner_mapped");
	int err = directory_owner_mapped(root, dir->found.owner, &mapped);

	if (err)
		sink_status(sink, key.text, FACT_SKIPPED, err, "/proc/self/uid_map");
	else
		sink_bool(sink, key.text, mapped, "/proc/self/uid_map");
	snprintf(mode, sizeof(mode), "%04o", (unsigned int)dir->found.mode);
	sink_text(sink, key_of(dir, "mode").text, mode, "stat");
	sink_int(sink, key_of(dir, "owner").text, dir->found.owner, "stat");
}

static void speak_dir(struct sink *sink, const struct place *dir, const char *root,
		      const struct mount_table *mounts)
{
	const struct directory *d = &dir->found;
	struct key exists = key_of(dir, "exists");

	sink_list(sink, key_of(dir, "role").text, dir->roles, "");
	if (d->stat_err && d->stat_err != ENOENT && d->stat_err != ENOTDIR)
		speak_failure(sink, exists.text, d->stat_err, "stat");
	else
		sink_bool(sink, exists.text, !d->stat_err, "stat");
	if (d->stat_err)
		return;
	sink_text(sink, key_of(dir, "kind").text, d->is_directory ? "directory" : "other", "stat");
	speak_owner(sink, dir, root);
	/* A recorded tree has a table of its own, but lies at another place. */
	speak_mount(sink, dir, mountinfo_lookup(mounts, *root ? dir->path : d->real));
	speak_room(sink, dir);
	for (int step = 0; d->is_directory && step < TRIAL_STEPS; step++)
		speak_step(sink, dir, step);
}

static void filesystem_collect(struct sink *sink, const struct scope *scope)
{
	cleanup_mounts struct mount_table mounts = { 0 };
	cleanup_places struct places places = { 0 };
	cleanup_buf struct buf note = BUF_INIT(4096);
	int err = mountinfo_read(scope->root, &mounts);

	gather(&places, scope);
	places_survey(&places, scope->root, DIR_DEADLINE_MS);
	for (size_t i = 0; i < places.count; i++) {
		places_look(&places, i, scope->root, DIR_DEADLINE_MS);
		speak_dir(sink, &places.all[i], scope->root, &mounts);
	}
	if (err)
		buf_puts(&note, "the mount table could not be read");
	places_note(&places, &note);
	if (note.len)
		sink_note(sink, buf_text(&note));
}

const struct collector collector_filesystem = {
	.name = "filesystem",
	.about = "directories by trying: write, run, room",
	.deadline_ms = 20000,
	.collect = filesystem_collect,
};
