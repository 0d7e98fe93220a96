/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command is one cmd_x.c and one row in list.h. Its descriptor is the only source of its --help, man page
 * section and completions, and of how its command line is read.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of every command but `run`. */
enum cmd_exit { CMD_CLEAN = 0, CMD_FOUND = 1, CMD_USAGE = 2, CMD_FAILED = 3 };

struct cmd_option {
	const char *name; /* long name without dashes */
	char letter; /* or 0 */
	const char *argument; /* word for the help, e.g. "FILE"; NULL: a switch */
	const char *help;
	const char *complete; /* "file", "dir", or words separated by blanks; NULL: nothing */
	bool repeat; /* may be given more than once */
};

struct cmd_args;

struct cmd {
	const char *name;
	const char *about; /* one line */
	const char *operands; /* e.g. "LOCAL REMOTE"; "" when none */
	int operand_min, operand_max;
	const char *operand_complete; /* as cmd_option.complete */
	const char *description; /* paragraphs, wrapped by the printer */
	const char *examples; /* lines: "command\texplanation" */
	const struct cmd_option *options;
	size_t option_count;
	int (*run)(const struct cmd_args *args); /* returns enum cmd_exit */
};

/* The walk over all commands; NULL to begin with. */
const struct cmd *cmd_next(const struct cmd *prev);
const struct cmd *cmd_find(const char *name);

/* What was given. Borrowed strings. */
const char *args_get(const struct cmd_args *args, const char *option); /* last value, or NULL */
bool args_has(const struct cmd_args *args, const char *option);
/* Values of a repeated option, one after the other: prev NULL to begin with. */
const char *args_next(const struct cmd_args *args, const char *option, const char *prev);
size_t args_operand_count(const struct cmd_args *args);
const char *args_operand(const struct cmd_args *args, size_t index);

/*
 * The severity that an option names, or fallback when it was not given; -1 with a line said when it is none.
 */
int args_severity(const struct cmd_args *args, const char *option, int fallback);

/* Prints "driftprobe: …" on stderr as one line with control characters escaped. */
void cmd_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
