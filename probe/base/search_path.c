// SPDX-License-Identifier: Apache-2.0
#include "base/search_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int search_access(const char *full)
{
	/* AT_EACCESS is faccessat2(2) where it can be: filters of before 5.8 answer that one with EPERM. */
	bool same = getuid() == geteuid() && getgid() == getegid();
	return faccessat(AT_FDCWD, full, X_OK, same ? 0 : AT_EACCESS) ? errno : 0;
}

static void entry_look(struct search_entry *entry, const char *root)
{
	char full[SYS_PATH_MAX];
	struct stat st;

	entry->relative = entry->path[0] != '/';
	entry->err = sys_path(full, sizeof(full), entry->relative ? "" : root,
			      entry->path[0] ? entry->path : ".");
	if (entry->err)
		return;
	if (stat(full, &st)) {
		entry->err = errno;
		return;
	}
	entry->err = S_ISDIR(st.st_mode) ? search_access(full) : ENOTDIR;
	entry->open = S_ISDIR(st.st_mode) && (st.st_mode & S_IWOTH);
	entry->dev = st.st_dev;
	entry->ino = st.st_ino;
}

static void entry_compare(struct search_path *path, struct search_entry *entry)
{
	for (struct search_entry *before = path->entries; before < entry; before++) {
		if (!strcmp(before->path, entry->path)) {
			before->repeated |= !before->duplicate;
			entry->duplicate = true;
		}
		entry->known |= !before->err && !entry->err && before->dev == entry->dev &&
				before->ino == entry->ino;
	}
}

int search_path_open(struct search_path *path, const char *root, const char *text)
{
	size_t count = 1;
	for (const char *at = text; *at && count < SEARCH_PATH_ENTRIES; at++)
		count += *at == ':';
	*path = (struct search_path){ .text = strdup(text),
				      .entries = calloc(count, sizeof(*path->entries)) };
	if (!path->text || !path->entries) {
		search_path_close(path);
		return -1;
	}
	char *rest = path->text;
	while (rest && path->count < count) {
		struct search_entry *entry = &path->entries[path->count++];
		entry->path = strsep(&rest, ":");
		entry_look(entry, root);
		entry_compare(path, entry);
	}
	path->truncated = rest != NULL;
	return 0;
}

void search_path_close(struct search_path *path)
{
	free(path->text);
	free(path->entries);
	*path = (struct search_path){ 0 };
}

/* 0 for a program; EACCES or ENOENT for a file of that name that is none for us; -1 for nothing, *err why. */
static int entry_has(const struct search_entry *entry, const char *root, const char *name,
		     char found[SYS_PATH_MAX], int *err)
{
	char full[SYS_PATH_MAX];
	struct stat st;
	size_t len = strlen(entry->path);
	int n = snprintf(found, SYS_PATH_MAX, "%s%s%s", len ? entry->path : ".",
			 len && entry->path[len - 1] == '/' ? "" : "/", name);

	*err = n < 0 || n >= SYS_PATH_MAX ? ENAMETOOLONG : 0;
	if (!*err)
		*err = sys_path(full, sizeof(full), entry->relative ? "" : root, found);
	/* lstat: a dangling link is in the way, too. */
	if (!*err && lstat(full, &st))
		*err = errno;
	if (*err)
		return -1;
	if (stat(full, &st))
		return ENOENT;
	if (S_ISDIR(st.st_mode)) {
		*err = ENOENT;
		return -1;
	}
	return S_ISREG(st.st_mode) && !search_access(full) ? 0 : EACCES;
}

static int find(const struct search_path *path, const char *root, const char *name, size_t *at,
		char *out, size_t size, bool any)
{
	int blind = path->truncated ? E2BIG : 0;
	for (size_t i = *at; i < path->count; i++) {
		const struct search_entry *entry = &path->entries[i];
		char found[SYS_PATH_MAX];
		int err = entry->err, has = -1;
		if (!err && entry->known)
			continue;
		if (!err)
			has = entry_has(entry, root, name, found, &err);
		if (has == 0 || (has > 0 && any)) {
			if (strlen(found) >= size)
				return ENAMETOOLONG;
			strcpy(out, found);
			*at = i + 1;
			return 0;
		}
		if (has < 0 && err != ENOENT && err != ENOTDIR && !blind)
			blind = err;
	}
	*at = path->count;
	return blind ? blind : ENOENT;
}

int search_path_find(const struct search_path *path, const char *root, const char *name, size_t *at,
		     char *out, size_t size)
{
	return find(path, root, name, at, out, size, false);
}

int search_path_first(const struct search_path *path, const char *root, const char *name,
		      size_t *at, char *out, size_t size)
{
	*at = 0;
	int err = find(path, root, name, at, out, size, false);
	if (!err)
		return 0;
	size_t first = 0;
	return find(path, root, name, &first, out, size, true) ? err : (*at = first, 0);
}
