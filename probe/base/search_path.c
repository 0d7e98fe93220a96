// SPDX-License-Identifier: Apache-2.0
#include "base/search_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void entry_look(struct search_entry *entry, const char *root)
{
	char full[SYS_PATH_MAX];
	struct stat st;

	entry->relative = entry->path[0] != '/';
	entry->err = sys_path(full, sizeof(full), entry->relative ? "" : root,
			      entry->path[0] ? entry->path : ".");
	if (entry->err)
		return;
	if (stat(full, &st))
		entry->err = errno;
	else if (!S_ISDIR(st.st_mode))
		entry->err = ENOTDIR;
	else if (faccessat(AT_FDCWD, full, X_OK, AT_EACCESS))
		entry->err = errno;
	else
		entry->open = (st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX);
}

int search_path_open(struct search_path *path, const char *root, const char *text)
{
	*path = (struct search_path){ .entries = calloc(SEARCH_PATH_ENTRIES,
							sizeof(struct search_entry)) };
	if (!path->entries)
		return -1;
	for (const char *at = text; at;) {
		size_t len = strcspn(at, ":");
		struct search_entry *entry = &path->entries[path->count];
		if (path->count == SEARCH_PATH_ENTRIES || len >= sizeof(entry->path)) {
			path->truncated = true;
			break;
		}
		memcpy(entry->path, at, len);
		for (size_t i = 0; i < path->count; i++)
			entry->duplicate |= !strcmp(path->entries[i].path, entry->path);
		entry_look(entry, root);
		path->count++;
		at = at[len] ? at + len + 1 : NULL;
	}
	return 0;
}

void search_path_close(struct search_path *path)
{
	free(path->entries);
	*path = (struct search_path){ 0 };
}

int search_path_find(const struct search_path *path, const char *root, const char *name, size_t *at,
		     char *out, size_t size)
{
	int blind = path->truncated ? E2BIG : 0;
	for (size_t i = *at; i < path->count; i++) {
		const struct search_entry *entry = &path->entries[i];
		char found[SYS_PATH_MAX], full[SYS_PATH_MAX];
		struct stat st;
		const char *dir = entry->path[0] ? entry->path : ".";

		if (entry->err) {
			if (entry->err != ENOENT && entry->err != ENOTDIR && !blind)
				blind = entry->err;
			continue;
		}
		int n = snprintf(found, sizeof(found), "%s/%s", dir, name);
		if (entry->duplicate || n < 0 || (size_t)n >= sizeof(found) || (size_t)n >= size ||
		    sys_path(full, sizeof(full), entry->relative ? "" : root, found))
			continue;
		/* lstat: a dangling link is in the way, too. */
		if (lstat(full, &st)) {
			if (errno != ENOENT && errno != ENOTDIR && !blind)
				blind = errno;
			continue;
		}
		if (S_ISDIR(st.st_mode))
			continue;
		strcpy(out, found);
		*at = i + 1;
		return 0;
	}
	*at = path->count;
	return blind ? blind : ENOENT;
}
