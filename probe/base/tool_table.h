/* SPDX-License-Identifier: Apache-2.0 */
/* The tools that an agent reaches for: one row each, for finding them and for asking their version. */
#ifndef BASE_TOOL_TABLE_H
#define BASE_TOOL_TABLE_H

#include <stddef.h>

struct tool {
	const char *name;
	/* Arguments that print the version and do nothing else, parted by blanks; NULL: not asked. */
	const char *version_args;
	const char *not_asked; /* why not */
	const char *variable; /* NAME=VALUE, for this tool alone; may be NULL */
};

extern const struct tool tool_table[];
extern const size_t tool_count;

/*
 * Programs that stand in for others, known by what a link of theirs leads to. A shim answers for a tool by making
 * itself a home or fetching the tool; a box of many tools knows no option of the real ones.
 */
struct tool_stand_in {
	const char *part; /* of the resolved path */
	const char *box_args; /* its own version question; NULL: a shim */
	/* A shim may be asked where this is set, or this file is below HOME; both NULL: never. */
	const char *variable, *file;
	const char *not_asked;
};

extern const struct tool_stand_in tool_stand_ins[];
extern const size_t tool_stand_in_count;

/* Places where tools are installed although PATH does not lead there; "~" is HOME, one part may be "*". */
extern const char *const tool_place_patterns[];
extern const size_t tool_place_pattern_count;

/* Variables that keep a version question from leaving traces or reaching out: NAME=VALUE, NULL-ended. */
extern const char *const tool_quiet_environment[];

/* Names of variables that make a tool write, run or print more than its version, NULL-ended; a final "*" fits any rest. */
extern const char *const tool_loud_variables[];

#endif
