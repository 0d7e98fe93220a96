/* SPDX-License-Identifier: Apache-2.0 */
/* The tools that an agent reaches for: one row each, for finding them and for asking their version. */
#ifndef BASE_TOOL_TABLE_H
#define BASE_TOOL_TABLE_H

#include <stddef.h>

struct tool {
	const char *name;
	/*
	 * Arguments that print the version and do nothing else, parted by blanks; NULL: not asked, since it would
	 * have side effects, or has no such question.
	 */
	const char *version_args;
};

extern const struct tool tool_table[];
extern const size_t tool_count;

/* Places where tools are installed although PATH does not lead there; "~" is HOME. */
extern const char *const tool_places[];
extern const size_t tool_place_count;

/* Variables that keep a version question from leaving traces or reaching out: NAME=VALUE, NULL-ended. */
extern const char *const tool_quiet_environment[];

#endif
