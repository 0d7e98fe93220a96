/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of a test's own, below TMPDIR, and what is put into it. After cmocka.h. */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRATCH_MAX 512

struct scratch {
	char root[SCRATCH_MAX];
};

/* root/path, by value */
static inline struct scratch scratch_path(const struct scratch *scratch, const char *path)
{
	struct scratch full;
	assert_true(snprintf(full.root, sizeof(full.root), "%s/%s", scratch->root, path) <
		    (int)sizeof(full.root));
	return full;
}

static inline struct scratch scratch_make(void)
{
	struct scratch scratch;
	const char *base = getenv("TMPDIR");
	snprintf(scratch.root, sizeof(scratch.root), "%s/unit-XXXXXX", base ? base : "/tmp");
	assert_non_null(mkdtemp(scratch.root));
	assert_int_equal(chmod(scratch.root, 0755), 0);
	return scratch;
}

/* All directories of path, which ends in a slash or in the name of a file. */
static inline void scratch_dirs(const struct scratch *scratch, const char *path)
{
	struct scratch full = scratch_path(scratch, path);
	for (char *at = full.root + strlen(scratch->root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(full.root, 0755);
		*at = '/';
	}
}

static inline void scratch_file(const struct scratch *scratch, const char *path, mode_t mode,
				const void *data, size_t len)
{
	struct scratch full = scratch_path(scratch, path);
	scratch_dirs(scratch, path);
	int fd = open(full.root, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(close(fd), 0);
}

static inline void scratch_text(const struct scratch *scratch, const char *path, mode_t mode,
				const char *text)
{
	scratch_file(scratch, path, mode, text, strlen(text));
}

static inline void scratch_link(const struct scratch *scratch, const char *path, const char *target)
{
	scratch_dirs(scratch, path);
	assert_int_equal(symlink(target, scratch_path(scratch, path).root), 0);
}

static inline int scratch_remove_one(const char *path, const struct stat *st, int type,
				     struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void scratch_remove(const struct scratch *scratch)
{
	assert_int_equal(nftw(scratch->root, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* Runs step in a child that is nobody: for root no file is refused. True when step was. */
static inline bool scratch_as_nobody(bool (*step)(const struct scratch *),
				     const struct scratch *scratch)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
			_exit(2);
		_exit(!step(scratch));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#endif
