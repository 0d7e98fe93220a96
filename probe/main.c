// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "cmd/args.h"
#include "cmd/document.h"
#include "cmd/help.h"
#include "cmd/libraries.h"

static int version(void)
{
	cleanup_buf struct buf text = BUF_INIT(4096);
	buf_puts(&text, "driftprobe " DRIFTPROBE_VERSION "\n");
	libraries_print(&text);
	return document_print(&text) ? CMD_FAILED : CMD_CLEAN;
}

static int help(const struct cmd *cmd)
{
	cleanup_buf struct buf text = BUF_INIT((size_t)1 << 20);
	help_print(cmd, &text);
	return document_print(&text) ? CMD_FAILED : CMD_CLEAN;
}

static int unknown(const char *word)
{
	struct suggest near = suggest_start(word);
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		suggest_offer(&near, cmd->name);
	suggest_offer(&near, "--version");
	suggest_offer(&near, "--help");
	const char *what = *word == '-' ? "option" : "command";
	if (near.best)
		cmd_error("unknown %s %s; did you mean %s?", what, word, near.best);
	else
		cmd_error("unknown %s %s; driftprobe help lists the commands", what, word);
	return CMD_USAGE;
}

/*
 * A descriptor 0, 1 or 2 that we were started without would be given to the next file that is opened, and
 * that file would receive our output. The place is held by a descriptor that can neither be read nor written (EBADF).
 */
static void hold_standard_descriptors(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/", O_PATH | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	struct cmd_args args;

	hold_standard_descriptors();
	if (argc < 2) {
		help(NULL);
		return CMD_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return version();
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help(NULL);
	const struct cmd *cmd = cmd_find(argv[1]);
	if (!cmd)
		return unknown(argv[1]);
	if (args_parse(&args, cmd, argv + 2))
		return CMD_USAGE;
	return args.help ? help(cmd) : cmd->run(&args);
}
