// SPDX-License-Identifier: Apache-2.0
#include "base/tool_question.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"

/* Does a name, or NAME=VALUE, stand under a name that may end in "*"? */
static bool is_variable(const char *text, const char *name)
{
	size_t len = strcspn(name, "*=");
	return !strncmp(text, name, len) && (name[len] == '*' || text[len] == '=' || !text[len]);
}

static bool is_among(const char *text, const char *const *names)
{
	for (; *names; names++)
		if (is_variable(text, *names))
			return true;
	return false;
}

static const char *value_of(const char *const *given, const char *name)
{
	for (; given && *given; given++)
		if (is_variable(*given, name) && strchr(*given, '='))
			return strchr(*given, '=') + 1;
	return NULL;
}

const char **tool_environ(const char *const *given, const char *variable)
{
	size_t quiet = 0, count = 0, n = 0;
	while (tool_quiet_environment[quiet])
		quiet++;
	while (given && given[count])
		count++;
	const char **out = calloc(quiet + count + 2, sizeof(*out));
	if (!out)
		return NULL;
	if (variable)
		out[n++] = variable;
	for (size_t i = 0; i < quiet; i++)
		if (!variable || !is_variable(tool_quiet_environment[i], variable))
			out[n++] = tool_quiet_environment[i];
	for (size_t i = 0; i < count; i++)
		if (!(variable && is_variable(given[i], variable)) &&
		    !is_among(given[i], tool_quiet_environment) &&
		    !is_among(given[i], tool_loud_variables))
			out[n++] = given[i];
	return out;
}

/* A part that ends in a slash may be anywhere in the path; others begin its last component. */
static const struct tool_stand_in *stand_in_find(const char *real)
{
	const char *last = strrchr(real, '/');
	for (size_t i = 0; i < tool_stand_in_count; i++) {
		const char *part = tool_stand_ins[i].part;
		size_t len = strlen(part);
		if (part[len - 1] == '/' ? strstr(real, part) != NULL
					 : last && !strncmp(last, part, len))
			return &tool_stand_ins[i];
	}
	return NULL;
}

static bool is_settled(const struct tool_stand_in *shim, const char *const *given)
{
	const char *home = value_of(given, "HOME");
	char file[SYS_PATH_MAX];
	if (shim->variable && value_of(given, shim->variable))
		return true;
	return shim->file && home && !sys_path(file, sizeof(file), home, shim->file) &&
	       !access(file, F_OK);
}

static const char *why_not(const struct tool_question *question,
			   const struct tool_stand_in *stand_in, const char *const *given)
{
	const char *variable = question->tool->variable;
	if (question->path[0] != '/')
		return "in the working directory, so it may be part of a task";
	if (stand_in && !stand_in->box_args && !is_settled(stand_in, given))
		return stand_in->not_asked;
	/* pyenv, asdf and the like find the tool below HOME, which such a tool must not be given. */
	if (variable && is_variable(variable, "HOME") && strstr(question->path, "/shims/"))
		return "a shim, which needs HOME";
	return question->tool->not_asked;
}

static int split_args(struct tool_question *question, const char *args)
{
	size_t n = 1;
	question->words = strdup(args);
	if (!question->words)
		return -1;
	char *rest = question->words;
	while (rest && n <= TOOL_ARGS_MAX)
		question->argv[n++] = strsep(&rest, " ");
	return 0;
}

/* Shims of one file answer by the name they are called by: only python and python3, pip and pip3 are one. */
static bool same_program(const struct tool_question *a, const struct tool_question *b, bool box)
{
	size_t len_a = strlen(a->tool->name), len_b = strlen(b->tool->name);
	if (a->not_asked || strcmp(a->real, b->real) != 0)
		return false;
	return box || (!strncmp(a->tool->name, b->tool->name, len_a < len_b ? len_a : len_b) &&
		       !strcmp(a->words, b->words));
}

int tool_question_make(struct tool_question *questions, size_t at, const struct tool *tool,
		       const char *path, const char *const *given)
{
	struct tool_question *question = &questions[at];
	char *real = realpath(path, NULL);
	*question = (struct tool_question){ .tool = tool, .path = strdup(path), .same_as = at };
	question->real = real ? real : strdup(path);
	if (!question->path || !question->real)
		return -1;
	const struct tool_stand_in *stand_in = stand_in_find(question->real);
	bool box = stand_in && stand_in->box_args;
	if (!box || question->path[0] != '/')
		question->not_asked = why_not(question, stand_in, given);
	if (question->not_asked)
		return 0;
	if (split_args(question, box ? stand_in->box_args : tool->version_args))
		return -1;
	question->argv[0] = box ? question->real : question->path;
	for (size_t i = 0; i < at && question->same_as == at; i++)
		if (same_program(&questions[i], question, box))
			question->same_as = i;
	if (tool->variable && !(question->environ = tool_environ(given, tool->variable)))
		return -1;
	return 0;
}

void tool_question_done(struct tool_question *question)
{
	free(question->path);
	free(question->real);
	free(question->words);
	free(question->environ);
	*question = (struct tool_question){ 0 };
}
