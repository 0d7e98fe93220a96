// SPDX-License-Identifier: Apache-2.0
#include "base/directory.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/fs_type.h"
#include "base/parse.h"

/* statfs(2): the flags in f_flags are the kernel's word, not a field left at zero. */
#define FLAGS_VALID    0x20
#define FLAG_READONLY  0x01
#define FLAG_NOSUID    0x02
#define FLAG_NOEXEC    0x08
#define CLEAN_DEADLINE 300 /* ms */

static int look_stat(struct directory *directory)
{
	struct stat st;
	cleanup_free char *real = NULL;
	if (stat(directory->path, &st))
		return errno;
	directory->is_directory = S_ISDIR(st.st_mode);
	directory->device = st.st_dev;
	directory->inode = st.st_ino;
	directory->mode = st.st_mode & 07777;
	directory->owner = st.st_uid;
	real = realpath(directory->path, NULL);
	if (real && strlen(real) < sizeof(directory->real))
		strcpy(directory->real, real);
	return 0;
}

/* Where gVisor has no number of blocks to tell it says (nearly) the largest there is. */
#define NUMBER_MAX (INT64_C(1) << 62)

static struct directory_number number(uint64_t count, uint64_t unit, uint64_t total)
{
	struct directory_number number = { .err = EOPNOTSUPP };
	int64_t all;
	if (!total)
		return number;
	if (__builtin_mul_overflow(total, unit, &all) ||
	    __builtin_mul_overflow(count, unit, &number.value))
		return (struct directory_number){ .err = EOVERFLOW };
	if (all < NUMBER_MAX)
		number.err = 0;
	return number;
}

static int look_statfs(struct directory *directory)
{
	struct statfs fs;
	if (statfs(directory->path, &fs))
		return errno;
	directory->magic = (unsigned long)fs.f_type & 0xffffffffUL;
	directory->flags_known = fs.f_flags & FLAGS_VALID;
	directory->readonly = fs.f_flags & FLAG_READONLY;
	directory->nosuid = fs.f_flags & FLAG_NOSUID;
	directory->noexec = fs.f_flags & FLAG_NOEXEC;
	/* btrfs and 9p count no inodes, a tmpfs without limit no blocks. */
	uint64_t block = (uint64_t)(fs.f_frsize ? fs.f_frsize : fs.f_bsize);
	directory->size_bytes = number(fs.f_blocks, block, fs.f_blocks);
	directory->free_bytes = number(fs.f_bavail, block, fs.f_blocks);
	directory->inodes = number(fs.f_files, 1, fs.f_files);
	directory->inodes_free = number(fs.f_ffree, 1, fs.f_files);
	return 0;
}

enum { STAGE_STAT, STAGE_STATFS, STAGE_COUNT };

static int *stage_err(struct directory *directory, int stage)
{
	return stage == STAGE_STAT ? &directory->stat_err : &directory->statfs_err;
}

/* Goes on from where an earlier child was killed. */
static int look_step(void *shared)
{
	struct directory *directory = shared;
	while (++directory->stage < STAGE_COUNT) {
		bool stat = directory->stage == STAGE_STAT;
		int err = stat ? look_stat(directory) : look_statfs(directory);
		*stage_err(directory, directory->stage) = err;
		if (stat && err)
			break;
	}
	return 0;
}

static void look_start(struct directory *directory)
{
	strcpy(directory->real, directory->path);
	directory->stage = -1;
}

void directory_look_here(struct directory *directory)
{
	look_start(directory);
	look_step(directory);
}

void directory_look(struct directory *directory, int deadline_ms)
{
	int64_t deadline_at = sys_now_ms() + deadline_ms;
	look_start(directory);
	for (;;) {
		int before = directory->stage;
		int64_t left = deadline_at - sys_now_ms();
		struct child_result result = child_run(look_step, directory, sizeof(*directory),
						       left > 1 ? (int)left : 1);
		if (result.end == CHILD_EXITED)
			return;
		if (result.end == CHILD_REFUSED) {
			directory->fork_refused = true;
			look_step(directory);
			return;
		}
		bool killed = result.end == CHILD_SIGNALED && result.code == SIGSYS;
		/* Death before the first stage says nothing of the directory. */
		if (directory->stage == before)
			killed = false;
		int stage = directory->stage < 0 ? 0 : directory->stage;
		for (int i = stage; i < STAGE_COUNT; i++)
			*stage_err(directory, i) = killed			 ? DIRECTORY_KILLED
						   : result.end == CHILD_TIMEOUT ? ETIMEDOUT
										 : ECANCELED;
		if (!killed)
			return;
	}
}

static int try_step(void *shared)
{
	struct directory *directory = shared;
	trial_run(&directory->trial, directory->path);
	return 0;
}

static int clean_step(void *shared)
{
	struct directory *directory = shared;
	trial_clean(&directory->trial, directory->path);
	return 0;
}

static bool unfit(const struct directory *directory)
{
	static const char *const trees[] = { "/proc", "/sys", "/dev/pts", "/dev/mqueue" };
	const char *real = directory->real;
	const char *type = directory->statfs_err ? NULL : fs_type_name(directory->magic);

	for (size_t i = 0; i < ARRAY_SIZE(trees); i++) {
		size_t len = strlen(trees[i]);
		if (!strncmp(real, trees[i], len) && (real[len] == '/' || !real[len]))
			return true;
	}
	return !strcmp(real, "/dev") || (type && fs_type_is_kernel(type));
}

/* Places that are not tried get their answer here. */
static bool try_spared(struct directory *directory)
{
	bool spared = unfit(directory);
	if (spared)
		directory->trial.answers[TRIAL_CREATE] =
			(struct trial_answer){ TRIAL_UNTRIED, EINVAL };
	return spared;
}

void directory_try_here(struct directory *directory)
{
	if (!try_spared(directory))
		trial_run(&directory->trial, directory->path);
}

void directory_clean(struct directory *directory)
{
	if (!directory->trial.littered)
		return;
	child_run(clean_step, directory, sizeof(*directory), CLEAN_DEADLINE);
}

void directory_try(struct directory *directory, int deadline_ms)
{
	struct trial *trial = &directory->trial;
	int64_t deadline_at = sys_now_ms() + deadline_ms;

	if (try_spared(directory))
		return;
	/* Each round settles one step at least, or is the last. */
	for (int round = 0; round <= TRIAL_STEPS + 1; round++) {
		int64_t left = deadline_at - sys_now_ms();
		trial->now = -2;
		struct child_result result = child_run(try_step, directory, sizeof(*directory),
						       left > 1 ? (int)left : 1);
		if (result.end == CHILD_REFUSED) {
			directory->fork_refused = trial->in_process = true;
			trial_run(trial, directory->path);
		}
		if (result.end == CHILD_EXITED || result.end == CHILD_REFUSED)
			return;
		directory_clean(directory);
		bool killed = result.end == CHILD_SIGNALED && result.code == SIGSYS;
		directory->hung = result.end == CHILD_TIMEOUT;
		if (directory->hung && trial->now >= 0)
			trial->answers[trial->now].end = TRIAL_HUNG;
		if (!killed || trial->now < -1) {
			directory->ended_by = directory->hung ? 0 : result.code;
			return;
		}
		if (trial->now < 0)
			trial->predictable = true; /* it was getrandom(2) that killed */
		else
			trial->answers[trial->now] = (struct trial_answer){ TRIAL_KILLED, SIGSYS };
	}
}

/* Is an id inside one of the ranges of a uid_map? *whole: it maps all ids there are. */
static bool map_has(const char *text, uid_t id, bool *whole)
{
	char line[128], field[3][24];
	bool has = false;
	while (parse_line(&text, line, sizeof(line))) {
		const char *at = line;
		int64_t n[3];
		bool good = true;
		for (int i = 0; i < 3 && good; i++)
			good = parse_field(&at, field[i], sizeof(field[i])) &&
			       parse_i64(field[i], &n[i]);
		if (!good)
			continue;
		has |= id >= n[0] && id - n[0] < n[2];
		*whole |= n[2] >= UINT32_MAX;
	}
	return has;
}

int directory_owner_mapped(const char *root, uid_t owner, bool *mapped)
{
	cleanup_buf struct buf map = BUF_INIT(65536);
	int64_t overflow = 65534;
	bool whole = false;

	sys_read_i64(root, "/proc/sys/kernel/overflowuid", &overflow);
	if (owner != overflow) {
		*mapped = true;
		return 0;
	}
	int err = sys_read(root, "/proc/self/uid_map", &map);
	if (err)
		return err;
	bool has = map_has(buf_text(&map), owner, &whole);
	/* In a partial map that has the overflow id, its files and those of strangers look alike. */
	if (has && !whole)
		return ENODATA;
	*mapped = has;
	return 0;
}
