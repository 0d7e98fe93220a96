// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/cleanup.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/document.h"
#include "cmd/live.h"
#include "cmd/help.h"
#include "cmd/manual.h"
#include "rules/rule.h"

/* Words for the completions: one a line. */
static int put_words(const char *kind, struct buf *out)
{
	if (!strcmp(kind, "collectors"))
		for (const struct collector *c = NULL; (c = live_next(c));)
			buf_printf(out, "%s\n", c->name);
	else if (!strcmp(kind, "rules"))
		for (const struct rule *rule = NULL; (rule = rules_next(rule));)
			buf_printf(out, "%s\n", rule->id);
	else if (!strcmp(kind, "commands"))
		for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
			buf_printf(out, "%s\n", cmd->name);
	else
		return -1;
	return 0;
}

/* collect's help ends with its collectors: out of their own table. */
static void put_collectors(struct buf *out)
{
	buf_puts(out, "\nCollectors:\n");
	for (const struct collector *c = NULL; (c = live_next(c));)
		buf_printf(out, "  %-12s %s\n", c->name, c->about);
}

void help_print(const struct cmd *cmd, struct buf *out)
{
	struct text_style style = document_style(false, false);
	if (!cmd) {
		manual_overview(&style, out);
		return;
	}
	manual_command(cmd, &style, out);
	if (!strcmp(cmd->name, "collect"))
		put_collectors(out);
}

static int unknown(const char *name)
{
	struct suggest near = suggest_start(name);
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		suggest_offer(&near, cmd->name);
	if (near.best)
		cmd_error("help: no command %s; did you mean %s?", name, near.best);
	else
		cmd_error("help: no command %s; driftprobe help lists them", name);
	return CMD_USAGE;
}

static int help_run(const struct cmd_args *args)
{
	cleanup_buf struct buf text = BUF_INIT((size_t)1 << 20);
	const char *shell = args_get(args, "completion"), *words = args_get(args, "words");
	const char *name = args_operand(args, 0);
	const struct cmd *cmd = name ? cmd_find(name) : NULL;

	if (name && !cmd)
		return unknown(name);
	if (words ? put_words(words, &text) : shell ? manual_completion(shell, &text) : 0) {
		cmd_error(words ? "help: words are collectors, commands or rules, not %s"
				: "help: completions are for bash, zsh and fish, not %s",
			  words ? words : shell);
		return CMD_USAGE;
	}
	if (args_has(args, "man"))
		manual_man(&text);
	else if (!shell && !words)
		help_print(cmd, &text);
	return document_print(&text) ? CMD_FAILED : CMD_CLEAN;
}

static const struct cmd_option options[] = {
	{ "man", 0, NULL, "the manual page, as roff", NULL, false },
	{ "completion", 0, "SHELL", "completions for a shell", "bash zsh fish", false },
	{ "words", 0, "KIND", "names of collectors, commands or rules, one a line",
	  "collectors commands rules", false },
};

const struct cmd cmd_help = {
	.name = "help",
	.about = "what a command does, manual page, completions",
	.operands = "[COMMAND]",
	.operand_min = 0,
	.operand_max = 1,
	.operand_complete = "@commands",
	.description =
		"Prints help. The manual page and the completions come out of the same tables.",
	.examples = "driftprobe help collect\n"
		    "driftprobe help --man | man -l -\n",
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.run = help_run,
};
