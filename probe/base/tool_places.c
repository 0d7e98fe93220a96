// SPDX-License-Identifier: Apache-2.0
#include "base/tool_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/search_path.h"
#include "base/tool_table.h"

/* Of a directory such as /opt, so many entries are read and so many of those that fit are kept. */
#define ENTRIES_MAX 512
#define CHOICES_MAX 16

static void add_if_there(struct tool_places *places, const char *root, const char *path)
{
	char full[SYS_PATH_MAX];
	struct stat st;
	if (places->count == TOOL_PLACES_MAX || sys_path(full, sizeof(full), root, path) ||
	    stat(full, &st) || !S_ISDIR(st.st_mode) || search_access(full))
		return;
	char *copy = strdup(path);
	if (copy)
		places->paths[places->count++] = copy;
}

/* The newest version first. */
static int version_compare(const void *a, const void *b)
{
	return -strverscmp(*(char *const *)a, *(char *const *)b);
}

/* before: the path up to the star, behind: from the slash after it on. */
static void add_choices(struct tool_places *places, const char *root, const char *before,
			const char *behind)
{
	char full[SYS_PATH_MAX];
	size_t first = places->count;
	struct dirent *entry;
	if (sys_path(full, sizeof(full), root, before))
		return;
	cleanup_dir DIR *dir = opendir(full);
	for (int i = 0; dir && i < ENTRIES_MAX && (entry = readdir(dir)); i++) {
		char path[SYS_PATH_MAX];
		if (entry->d_name[0] != '.' && places->count - first < CHOICES_MAX &&
		    snprintf(path, sizeof(path), "%s%s%s", before, entry->d_name, behind) <
			    (int)sizeof(path))
			add_if_there(places, root, path);
	}
	qsort(places->paths + first, places->count - first, sizeof(*places->paths),
	      version_compare);
}

void tool_places_open(struct tool_places *places, const char *root, const char *home)
{
	*places = (struct tool_places){ 0 };
	for (size_t i = 0; i < tool_place_pattern_count; i++) {
		const char *pattern = tool_place_patterns[i];
		bool in_home = *pattern == '~';
		char path[SYS_PATH_MAX];
		if (in_home && (!home || *home != '/'))
			continue;
		if (snprintf(path, sizeof(path), "%s%s", in_home ? home : "", pattern + in_home) >=
		    (int)sizeof(path))
			continue;
		/* From the end: HOME may have a star of its own, a pattern has at most one. */
		char *star = strchr(pattern, '*') ? strrchr(path, '*') : NULL;
		if (!star) {
			add_if_there(places, root, path);
			continue;
		}
		*star = '\0';
		add_choices(places, root, path, star + 1);
	}
}

void tool_places_close(struct tool_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->paths[i]);
	*places = (struct tool_places){ 0 };
}

bool tool_places_find(const struct tool_places *places, const char *root, const char *name,
		      char *out, size_t size)
{
	for (size_t i = 0; i < places->count; i++) {
		char path[SYS_PATH_MAX], full[SYS_PATH_MAX];
		struct stat st;
		int n = snprintf(path, sizeof(path), "%s/%s", places->paths[i], name);
		if (n < (int)sizeof(path) && (size_t)n < size &&
		    !sys_path(full, sizeof(full), root, path) && !stat(full, &st) &&
		    S_ISREG(st.st_mode) && !search_access(full)) {
			strcpy(out, path);
			return true;
		}
	}
	return false;
}
