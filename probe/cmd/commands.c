// SPDX-License-Identifier: Apache-2.0
#include "cmd/cmd.h"

#include <string.h>

#define COMMAND(name) extern const struct cmd cmd_##name;
#include "cmd/list.h"
#undef COMMAND

static const struct cmd *const commands[] = {
#define COMMAND(name) &cmd_##name,
#include "cmd/list.h"
#undef COMMAND
};

const struct cmd *cmd_next(const struct cmd *prev)
{
	size_t count = sizeof(commands) / sizeof(*commands), i = 0;
	while (prev && i < count && commands[i] != prev)
		i++;
	i += prev != NULL;
	return i < count ? commands[i] : NULL;
}

const struct cmd *cmd_find(const char *name)
{
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		if (!strcmp(cmd->name, name))
			return cmd;
	return NULL;
}
