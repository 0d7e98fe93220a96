// SPDX-License-Identifier: Apache-2.0
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/sys.h"

int tree_open(const char *root, const char *path, int how)
{
	char full[SYS_PATH_MAX];
	int err = sys_path(full, sizeof(full), root, path);
	if (err)
		return err;
	cleanup_fd int fd = open(full, how | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return fd < 0 ? errno : 0;
}

int tree_words(const char *root, const char *path, const char *skip, struct buf *text,
	       const char **items, size_t max)
{
	static const char blanks[] = " \t\n,";
	char *rest = NULL;
	size_t count = 0;
	int err = sys_read(root, path, text);
	if (err)
		return err;
	for (char *word = text->data ? strtok_r(text->data, blanks, &rest) : NULL;
	     word && count < max; word = strtok_r(NULL, blanks, &rest))
		if (!skip || strcmp(word, skip) != 0)
			items[count++] = word;
	items[count] = NULL;
	return 0;
}

int tree_chosen(const char *root, const char *path, char *word, size_t size)
{
	int err = sys_read_line(root, path, word, size);
	char *open = err ? NULL : strchr(word, '['), *close = open ? strchr(open, ']') : NULL;
	if (close) {
		memmove(word, open + 1, (size_t)(close - open - 1));
		word[close - open - 1] = '\0';
	}
	return err;
}

int tree_libc(const char *root, const char **name, const char **path)
{
	static const struct {
		const char *name, *path;
	} loaders[] = {
		{ "glibc", "/lib64/ld-linux-x86-64.so.2" },
		{ "glibc", "/lib/ld-linux-aarch64.so.1" },
		{ "musl", "/lib/ld-musl-x86_64.so.1" },
		{ "musl", "/lib/ld-musl-aarch64.so.1" },
	};
	int refused = 0;
	for (size_t i = 0; i < ARRAY_SIZE(loaders); i++) {
		int err = tree_open(root, loaders[i].path, O_PATH);
		*path = loaders[i].path;
		*name = loaders[i].name;
		if (!err)
			return 0;
		if (err != ENOENT && err != ENOTDIR)
			refused = err;
	}
	*name = "none";
	*path = "/lib, /lib64";
	return refused;
}
