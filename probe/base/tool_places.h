/* SPDX-License-Identifier: Apache-2.0 */
/* The well-known places where tools are installed off PATH, as far as they exist here. */
#ifndef BASE_TOOL_PLACES_H
#define BASE_TOOL_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#define TOOL_PLACES_MAX 96

struct tool_places {
	char *paths[TOOL_PLACES_MAX]; /* owned; without the root */
	size_t count;
};

/* home may be NULL. What cannot be looked at, or held, is left out. */
void tool_places_open(struct tool_places *places, const char *root, const char *home);
void tool_places_close(struct tool_places *places);
#define cleanup_tool_places __attribute__((__cleanup__(tool_places_close)))

/* Full path of the first program called name into out. */
bool tool_places_find(const struct tool_places *places, const char *root, const char *name,
		      char *out, size_t size);

#endif
