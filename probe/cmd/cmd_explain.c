// SPDX-License-Identifier: Apache-2.0
#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/document.h"
#include "rules/rule.h"

static int explain_list(bool no_color)
{
	cleanup_buf struct buf text = BUF_INIT((size_t)1 << 20);
	struct text_style style = document_style(no_color, true);
	text_rules(&style, &text);
	return document_print(&text) ? CMD_FAILED : CMD_CLEAN;
}

static int explain_run(const struct cmd_args *args)
{
	const char *id = args_operand(args, 0);
	if (!id)
		return explain_list(args_has(args, "no-color"));
	const struct rule *rule = rules_find(id);
	if (!rule) {
		const char *near = rules_nearest(id);
		if (near)
			cmd_error("explain: no rule %s; did you mean %s?", id, near);
		else
			cmd_error("explain: no rule %s; driftprobe explain lists them", id);
		return CMD_USAGE;
	}
	cleanup_buf struct buf text = BUF_INIT((size_t)1 << 20);
	struct text_style style = document_style(args_has(args, "no-color"), true);
	text_rule(rule, &style, &text);
	return document_print(&text) ? CMD_FAILED : CMD_CLEAN;
}

static const struct cmd_option options[] = {
	{ "no-color", 0, NULL, "no colours (NO_COLOR does the same)", NULL, false },
};

const struct cmd cmd_explain = {
	.name = "explain",
	.about = "the full story of a rule",
	.operands = "[RULE]",
	.operand_min = 0,
	.operand_max = 1,
	.operand_complete = "@rules",
	.description =
		"Says what a finding means, how it was established, how to mend it in Docker, "
		"Kubernetes, podman, bubblewrap and in the task itself, and when to ignore it. Without "
		"RULE, lists all rules.",
	.examples = "driftprobe explain memory.limit-hidden\n",
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.run = explain_run,
};
