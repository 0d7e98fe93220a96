// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/document.h"
#include "format/json.h"
#include "rules/compare.h"

static int diff_print(const struct cmd_args *args, const struct profile *local,
		      const struct profile *remote, const struct drift *drift)
{
	cleanup_buf struct buf text = BUF_INIT((size_t)64 << 20);
	const char *output = args_get(args, "output");
	struct text_style style = document_style(args_has(args, "no-color"), args_has(args, "all"));

	if (args_has(args, "json") || output)
		json_drift(local, remote, drift, &text);
	else
		text_drift(local, remote, drift, &style, &text);
	return output ? document_write(output, &text) : document_print(&text);
}

static bool drift_reaches(const struct drift *drift, enum severity level)
{
	for (size_t i = 0; i < drift->count; i++)
		if (drift->rows[i].severity <= level &&
		    drift->rows[i].change != DRIFT_NOT_COMPARABLE)
			return true;
	return false;
}

static int diff_run(const struct cmd_args *args)
{
	const char *local_name = args_operand(args, 0), *remote_name = args_operand(args, 1);
	const char *store = args_get(args, "store");
	int severity = args_severity(args, "fail-on", SEVERITY_SUBTLE);

	if (severity < 0)
		return CMD_USAGE;
	if (!strcmp(local_name, "-") && !strcmp(remote_name, "-")) {
		cmd_error("diff: only one side can be standard input");
		return CMD_USAGE;
	}
	cleanup_profile struct profile *local = document_profile(local_name, store);
	cleanup_profile struct profile *remote =
		local ? document_profile(remote_name, store) : NULL;
	if (!local || !remote)
		return CMD_FAILED;
	cleanup_drift struct drift *drift = compare_profiles(local, remote, args_has(args, "all"));
	if (!drift) {
		cmd_error("diff: out of memory");
		return CMD_FAILED;
	}
	if (diff_print(args, local, remote, drift))
		return CMD_FAILED;
	return drift_reaches(drift, (enum severity)severity) ? CMD_FOUND : CMD_CLEAN;
}

static const struct cmd_option options[] = {
	{ "json", 'j', NULL, "print a JSON document", NULL, false },
	{ "output", 'o', "FILE", "write the JSON document; FILE.zst is compressed, - is stdout",
	  "file", false },
	{ "all", 'a', NULL, "show differences of no consequence, too", NULL, false },
	{ "fail-on", 0, "SEVERITY", "exit 1 when a difference is as bad as this (default: subtle)",
	  "fatal degraded subtle info", false },
	{ "store", 0, "FILE", "the store in which ids are looked up", "file", false },
	{ "no-color", 0, NULL, "no colours (NO_COLOR does the same)", NULL, false },
};

const struct cmd cmd_diff = {
	.name = "diff",
	.about = "compare two profiles, worst first",
	.operands = "LOCAL REMOTE",
	.operand_min = 2,
	.operand_max = 2,
	.operand_complete = "file",
	.description =
		"Compares where a task works (LOCAL) with where it does not (REMOTE). Each is a profile file, "
		"plain or compressed; - for standard input; live for this environment, now; or a profile in "
		"the store: its id, the first letters of it, latest, or latest:TASK.\n"
		"What one side could not see is never told as a difference. Exits with 1 when there is drift.",
	.examples =
		"driftprobe diff here.json.zst there.json.zst\n"
		"ssh box driftprobe collect -o - | driftprobe diff live -\tcompare this machine with box\n",
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.run = diff_run,
};
