// SPDX-License-Identifier: Apache-2.0
#include "base/program_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/program_head.h"

static bool is_missing(int err)
{
	return err == ENOENT || err == ENOTDIR || err == ELOOP;
}

/* 0; ENOENT when it is not there, however that shows; else the errno of what stood in the way. */
static int look_for_file(const char *root, const char *path)
{
	char full[SYS_PATH_MAX];
	int err = sys_path(full, sizeof(full), root, path);
	if (!err)
		err = search_access(full);
	return is_missing(err) ? ENOENT : err;
}

/* What the program needs. */
static int look_for_needs(const char *root, const char *head, size_t len,
			  const struct search_path *search)
{
	char needs[SYS_PATH_MAX], found[SYS_PATH_MAX];
	size_t at = 0;
	program_head_parse(head, len, needs, sizeof(needs));
	if (!needs[0])
		return 0;
	/* The kernel would take it from the working directory, whatever that is then. */
	if (needs[0] != '/')
		return ENOENT;
	int err = look_for_file(root, needs);
	if (err || !program_head_env(head, len, needs, sizeof(needs)))
		return err;
	if (strchr(needs, '/'))
		return look_for_file(root, needs);
	return search_path_find(search, root, needs, &at, found, sizeof(found));
}

int program_state(const char *root, const char *path, const struct search_path *search,
		  const char **state)
{
	char full[SYS_PATH_MAX], head[PROGRAM_HEAD_MAX];
	struct stat st;
	int err = sys_path(full, sizeof(full), *path == '/' ? root : "", path);
	if (!err && stat(full, &st))
		err = errno;
	if (err && !is_missing(err))
		return err;
	if (err) {
		*state = "broken-link";
		return 0;
	}
	if (!S_ISREG(st.st_mode) || search_access(full)) {
		*state = "not-executable";
		return 0;
	}
	*state = "ok";
	cleanup_fd int fd = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	/* Executable but not readable, as sudo may be: the kernel can start it, we cannot look into it. */
	if (fd < 0)
		return errno == EACCES ? 0 : errno;
	ssize_t n = read(fd, head, sizeof(head));
	if (n < 0)
		return errno;
	err = look_for_needs(root, head, (size_t)n, search);
	if (err && err != ENOENT)
		return err;
	if (err)
		*state = "missing-interpreter";
	return 0;
}
