/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a command line by a command's descriptor. */
#ifndef CMD_ARGS_H
#define CMD_ARGS_H

#include "cmd/cmd.h"

#define ARGS_MAX 256

struct cmd_args {
	const struct cmd *cmd;
	struct {
		const struct cmd_option *option; /* NULL: an operand */
		const char *value; /* NULL for a switch */
	} given[ARGS_MAX];
	size_t count;
	bool help; /* --help was among them */
};

/* argv from behind the command's name. 0; -1 with one line said on stderr. */
int args_parse(struct cmd_args *args, const struct cmd *cmd, char **argv);

#endif
