/* SPDX-License-Identifier: Apache-2.0 */
/* Looking names up along a PATH, as execvp(3) does, but telling what was met on the way. */
#ifndef BASE_SEARCH_PATH_H
#define BASE_SEARCH_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sys.h"

#define SEARCH_PATH_ENTRIES 128

struct search_entry {
	char path[SYS_PATH_MAX]; /* as written; "" means the working directory */
	int err; /* 0: a directory that could be searched; else why not */
	bool relative, duplicate;
	bool open; /* others than its owner may write to it, without the sticky bit */
};

struct search_path {
	struct search_entry *entries; /* owned */
	size_t count;
	bool truncated; /* more entries than we look at */
};

/* Splits and looks at each entry, below root. -1 when out of memory. */
int search_path_open(struct search_path *path, const char *root, const char *text);
void search_path_close(struct search_path *path);
#define cleanup_search_path __attribute__((__cleanup__(search_path_close)))

/*
 * Finds name from entry *at on: its full path into out, *at behind that entry. 0 when found; ENOENT when every
 * entry was searched and none has it; else the errno of an entry that could not be searched. A file that is
 * there but may not be executed is found too: that it is in the way is worth telling.
 */
int search_path_find(const struct search_path *path, const char *root, const char *name, size_t *at,
		     char *out, size_t size);

#endif
