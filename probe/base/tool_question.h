/* SPDX-License-Identifier: Apache-2.0 */
/* Whether and how a tool is asked for its version, so that nothing comes of it but the answer. */
#ifndef BASE_TOOL_QUESTION_H
#define BASE_TOOL_QUESTION_H

#include "base/tool_table.h"

#define TOOL_ARGS_MAX 6

struct tool_question {
	const struct tool *tool;
	char *path; /* as found along PATH; owned */
	char *real; /* what that leads to; owned */
	const char *not_asked; /* why it is left alone, static; NULL: it is asked */
	size_t same_as; /* index of the question whose answer serves here, too; the own one if none */
	char *words; /* owned; argv points into it */
	const char *argv[TOOL_ARGS_MAX + 2];
	const char **environ; /* owned, its strings borrowed; NULL: the one for all */
};

/*
 * given without the loud variables, with the quiet ones, and with variable (may be NULL) for this tool alone.
 * Owned, its strings borrowed. NULL when out of memory.
 */
const char **tool_environ(const char *const *given, const char *variable);

/*
 * Makes questions[at] for a tool found at path. The ones before it are looked through for the same program.
 * -1 when out of memory; tool_question_done() is to be called all the same.
 */
int tool_question_make(struct tool_question *questions, size_t at, const struct tool *tool,
		       const char *path, const char *const *given);
void tool_question_done(struct tool_question *question);

#endif
