// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/document.h"
#include "cmd/live.h"
#include "format/json.h"
#include "upload/pack.h"

static bool collector_known(const char *name)
{
	struct suggest near = suggest_start(name);
	for (const struct collector *c = NULL; (c = live_next(c));) {
		if (!strcmp(c->name, name))
			return true;
		suggest_offer(&near, c->name);
	}
	if (near.best)
		cmd_error("collect: no collector %s; did you mean %s?", name, near.best);
	else
		cmd_error("collect: no collector %s; driftprobe collect --help lists them", name);
	return false;
}

/* Splits "a,b" of every --only or --skip; the words live in copies, borrowed by the list. */
static int read_names(const struct cmd_args *args, const char *option, const char **names,
		      char *copies, size_t size)
{
	size_t count = 0, used = 0;
	for (const char *value = NULL; (value = args_next(args, option, value));) {
		size_t len = strlen(value) + 1;
		if (used + len > size) {
			cmd_error("collect: --%s is too long", option);
			return -1;
		}
		memcpy(copies + used, value, len);
		char *rest = copies + used;
		used += len;
		for (char *name; (name = strsep(&rest, ","));) {
			if (!*name)
				continue;
			if (!collector_known(name) || count + 1 >= LIVE_NAMES_MAX)
				return -1;
			names[count++] = name;
		}
	}
	return 0;
}

#define LABEL_NAME_MAX 128

/* A document with one name twice is read differently by different readers. */
static bool label_given_before(const struct cmd_args *args, const char *label, size_t name_len)
{
	for (const char *other = NULL; (other = args_next(args, "label", other)) != label;)
		if (strcspn(other, "=") == name_len && !strncmp(other, label, name_len))
			return true;
	return false;
}

static int check_labels(const struct cmd_args *args)
{
	for (const char *label = NULL; (label = args_next(args, "label", label));) {
		size_t len = strcspn(label, "=");
		if (!len || len >= LABEL_NAME_MAX || label[len] != '=') {
			cmd_error("collect: --label wants NAME=VALUE, not %s", label);
			return -1;
		}
		if (label_given_before(args, label, len)) {
			cmd_error("collect: --label %.*s was given twice", (int)len, label);
			return -1;
		}
	}
	return 0;
}

static int add_labels(const struct cmd_args *args, struct profile *profile)
{
	for (const char *label = NULL; (label = args_next(args, "label", label));) {
		char name[LABEL_NAME_MAX];
		size_t len = strcspn(label, "=");
		memcpy(name, label, len);
		name[len] = '\0';
		if (profile_add_label(profile, name, label + len + 1))
			return -1;
	}
	return 0;
}

static int read_options(const struct cmd_args *args, struct live_options *options, char *copies,
			size_t size)
{
	const char *deadline = args_get(args, "deadline");
	size_t dirs = 0;
	int64_t ms = 0;

	if (read_names(args, "only", options->only, copies, size / 2) ||
	    read_names(args, "skip", options->skip, copies + size / 2, size / 2) ||
	    check_labels(args))
		return -1;
	if (deadline && (!parse_i64(deadline, &ms) || ms < 1 || ms > 600000)) {
		cmd_error("collect: --deadline wants milliseconds from 1 to 600000, not %s",
			  deadline);
		return -1;
	}
	options->deadline_ms = (int)ms;
	for (const char *dir = NULL; (dir = args_next(args, "dir", dir));) {
		if (dirs + 1 >= LIVE_NAMES_MAX) {
			cmd_error("collect: over %d directories", LIVE_NAMES_MAX - 1);
			return -1;
		}
		options->dirs[dirs++] = dir;
	}
	return 0;
}

static int print_summary(const struct cmd_args *args, const struct profile *profile)
{
	cleanup_buf struct buf text = BUF_INIT((size_t)4 << 20);
	struct text_style style = document_style(args_has(args, "no-color"), args_has(args, "all"));
	text_profile(profile, &style, &text);
	buf_printf(&text,
		   "\nprofile %.8s: %zu facts in %lld ms. Compare: driftprobe diff %.8s live\n",
		   profile->id, profile->fact_count, (long long)profile->duration_ms, profile->id);
	return document_print(&text);
}

static void say_written(const char *output, const struct profile *profile)
{
	if (!strcmp(output, "-") || !isatty(2))
		return;
	cmd_error("wrote %s: profile %.8s, %zu facts, %zu findings", output, profile->id,
		  profile->fact_count, profile->finding_count);
}

/*
 * The report reaches its reader first. What goes wrong with the store is a line; and a reason to fail only for
 * who asked for a store.
 */
static int deliver(const struct cmd_args *args, const struct profile *profile)
{
	cleanup_buf struct buf document = BUF_INIT(PACK_DOCUMENT_MAX);
	const char *output = args_get(args, "output"), *store = args_get(args, "store");
	bool summary = !output && !args_has(args, "json");
	int failed = 0;

	json_profile(profile, &document);
	if (summary)
		failed = print_summary(args, profile);
	else
		failed = document_write(output ? output : "-", &document);
	if (output && !failed)
		say_written(output, profile);
	if ((store || summary) && document_keep(store, &document) && store)
		failed = -1;
	return failed;
}

static int collect_run(const struct cmd_args *args)
{
	char copies[4096];
	struct live_options options = { 0 };
	const char *task = args_get(args, "task");
	int level = args_severity(args, "fail-on", SEVERITY_FATAL - 1);

	if ((args_has(args, "fail-on") && level < 0) ||
	    read_options(args, &options, copies, sizeof(copies)))
		return CMD_USAGE;
	cleanup_profile struct profile *profile = live_profile(&options);
	if (!profile || add_labels(args, profile) || (task && !(profile->task = strdup(task)))) {
		cmd_error("collect: out of memory");
		return CMD_FAILED;
	}
	if (deliver(args, profile))
		return CMD_FAILED;
	/* Worst first: the first one decides. */
	bool found = profile->finding_count && (int)profile->findings[0].severity <= level;
	return found ? CMD_FOUND : CMD_CLEAN;
}

static const struct cmd_option options[] = {
	{ "json", 'j', NULL, "print the JSON document instead of the summary", NULL, false },
	{ "output", 'o', "FILE", "write the JSON document; FILE.zst is compressed, - is stdout",
	  "file", false },
	{ "only", 0, "LIST", "only these collectors, separated by commas", "@collectors", true },
	{ "skip", 0, "LIST", "all collectors but these", "@collectors", true },
	{ "dir", 'd', "DIR", "try this directory, too", "dir", true },
	{ "deadline", 0, "MS", "end every collector after so many milliseconds", NULL, false },
	{ "label", 'l', "NAME=VALUE", "put a label on the profile", NULL, true },
	{ "task", 't', "ID", "the task that this environment is for", NULL, false },
	{ "store", 0, "FILE", "keep the profile in this store", "file", false },
	{ "fail-on", 0, "SEVERITY", "exit 1 when a finding is as bad as this, or worse",
	  "fatal degraded subtle info", false },
	{ "all", 'a', NULL, "show findings for information, too", NULL, false },
	{ "no-color", 0, NULL, "no colours (NO_COLOR does the same)", NULL, false },
};

const struct cmd cmd_collect = {
	.name = "collect",
	.about = "take a profile of this environment",
	.operands = "",
	.description =
		"Looks at this environment by trying, and says what it can and cannot do: identity, memory, "
		"CPUs, limits, directories, tools and their versions, kernel, network, and how we were "
		"started. Nothing is sent anywhere; nothing is left behind.\n"
		"Without -o and --json the profile is also kept in the store "
		"(~/.local/state/driftprobe/store.db), where diff finds it by its id. --skip versions does "
		"not run any tool.",
	.examples = "driftprobe collect\ta summary, and what will trouble a task\n"
		    "driftprobe collect -o here.json.zst\ta document to compare with\n"
		    "ssh box driftprobe collect -o - >there.json\tthe same from elsewhere\n",
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.run = collect_run,
};
