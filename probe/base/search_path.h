/* SPDX-License-Identifier: Apache-2.0 */
/* Looking names up along a PATH, as execvp(3) does, but telling what was met on the way. */
#ifndef BASE_SEARCH_PATH_H
#define BASE_SEARCH_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/sys.h"

#define SEARCH_PATH_ENTRIES 256

/* What musl's execvp(3) takes where PATH is not set; glibc's is "/bin:/usr/bin", each shell has its own. */
#define SEARCH_PATH_DEFAULT "/usr/local/bin:/bin:/usr/bin"

struct search_entry {
	const char *
		path; /* as written; "" means the working directory; borrowed from the search path */
	int err; /* 0: a directory that could be searched; else why not */
	bool relative;
	bool duplicate; /* an earlier entry has the same text */
	bool repeated; /* a later one has */
	bool known; /* an earlier entry is the same directory */
	bool open; /* others than owner and group may add files; a sticky bit does not hinder that */
	dev_t dev;
	ino_t ino;
};

struct search_path {
	char *text; /* owned; the entries point into it */
	struct search_entry *entries; /* owned */
	size_t count;
	bool truncated; /* more entries than we look at */
};

/* Splits and looks at each entry, below root. -1 when out of memory. */
int search_path_open(struct search_path *path, const char *root, const char *text);
void search_path_close(struct search_path *path);
#define cleanup_search_path __attribute__((__cleanup__(search_path_close)))

/*
 * The next program called name from entry *at on: its full path into out, *at behind that entry. 0 when found;
 * ENOENT when every entry could be searched and none has it; else the errno of one that could not. Files that
 * are no programs for us are passed over, and so are entries that lead to a directory seen before.
 */
int search_path_find(const struct search_path *path, const char *root, const char *name, size_t *at,
		     char *out, size_t size);

/*
 * What a shell would take for name: the first program, or where there is none the first file of that name:
 * without execute permission, or a link to nowhere. As search_path_find() otherwise, from the first entry.
 */
int search_path_first(const struct search_path *path, const char *root, const char *name,
		      size_t *at, char *out, size_t size);

/* May the effective ids execute (search) what is there? 0 or errno. full: with the root. */
int search_access(const char *full);

#endif
