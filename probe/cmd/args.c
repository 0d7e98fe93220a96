// SPDX-License-Identifier: Apache-2.0
#include "cmd/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "core/profile.h"
#include "format/escape.h"

void cmd_error(const char *fmt, ...)
{
	char line[2048];
	cleanup_buf struct buf out = BUF_INIT(16384);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	buf_puts(&out, "driftprobe: ");
	escape_text(line, strlen(line), &out);
	buf_putc(&out, '\n');
	fputs(buf_text(&out), stderr);
}

static const struct cmd_option *option_find(const struct cmd *cmd, const char *name, size_t len)
{
	for (size_t i = 0; i < cmd->option_count; i++)
		if (strlen(cmd->options[i].name) == len &&
		    !strncmp(cmd->options[i].name, name, len))
			return &cmd->options[i];
	return NULL;
}

static const struct cmd_option *option_letter(const struct cmd *cmd, char letter)
{
	for (size_t i = 0; i < cmd->option_count; i++)
		if (cmd->options[i].letter == letter)
			return &cmd->options[i];
	return NULL;
}

static int unknown_option(const struct cmd *cmd, const char *typed, size_t len)
{
	char name[128];
	snprintf(name, sizeof(name), "%.*s", (int)(len < 100 ? len : 100), typed);
	struct suggest near = suggest_start(name + strspn(name, "-"));
	for (size_t i = 0; i < cmd->option_count; i++)
		suggest_offer(&near, cmd->options[i].name);
	suggest_offer(&near, "help");
	if (near.best)
		cmd_error("%s: unknown option %s; did you mean --%s?", cmd->name, name, near.best);
	else
		cmd_error("%s: unknown option %s; see driftprobe %s --help", cmd->name, name,
			  cmd->name);
	return -1;
}

static int add(struct cmd_args *args, const struct cmd_option *option, const char *value)
{
	if (args->count == ARGS_MAX) {
		cmd_error("%s: over %d arguments", args->cmd->name, ARGS_MAX);
		return -1;
	}
	if (option && !option->repeat && args_has(args, option->name)) {
		cmd_error("%s: --%s was given twice", args->cmd->name, option->name);
		return -1;
	}
	args->given[args->count].option = option;
	args->given[args->count++].value = value;
	return 0;
}

/* One argument that begins with '-'; *next is the argument behind it, and moves when it is taken. */
static int take_option(struct cmd_args *args, const char *arg, char ***next)
{
	bool longer = arg[1] == '-';
	const char *name = arg + 1 + longer, *value = longer ? strchr(name, '=') : NULL;
	size_t len = value ? (size_t)(value - name) : strlen(name);
	const struct cmd_option *option =
		longer ? option_find(args->cmd, name, len) : option_letter(args->cmd, *name);

	if ((longer && len == 4 && !strncmp(name, "help", 4)) || !strcmp(arg, "-h")) {
		args->help = true;
		return 0;
	}
	if (!option)
		return unknown_option(args->cmd, arg, longer ? len + 2 : 2);
	if (!longer && name[1])
		value = name; /* -oFILE: the value begins behind the letter, as behind a '=' */
	if (!option->argument) {
		if (value) {
			cmd_error("%s: --%s takes no value", args->cmd->name, option->name);
			return -1;
		}
		return add(args, option, NULL);
	}
	value = value ? value + 1 : **next ? *(*next)++ : "";
	if (!*value) {
		cmd_error("%s: --%s needs a value: %s", args->cmd->name, option->name,
			  option->argument);
		return -1;
	}
	return add(args, option, value);
}

int args_parse(struct cmd_args *args, const struct cmd *cmd, char **argv)
{
	bool operands_only = false;
	*args = (struct cmd_args){ .cmd = cmd };
	while (*argv) {
		const char *arg = *argv++;
		if (!operands_only && !strcmp(arg, "--")) {
			operands_only = true;
		} else if (!operands_only && arg[0] == '-' && arg[1]) {
			if (take_option(args, arg, &argv))
				return -1;
		} else if (add(args, NULL, arg)) {
			return -1;
		}
	}
	int operands = (int)args_operand_count(args);
	if (args->help || (operands >= cmd->operand_min && operands <= cmd->operand_max))
		return 0;
	if (operands < cmd->operand_min)
		cmd_error("%s: missing operand; usage: driftprobe %s %s", cmd->name, cmd->name,
			  cmd->operands);
	else
		cmd_error("%s: too many operands, from %s on; see driftprobe %s --help", cmd->name,
			  args_operand(args, (size_t)cmd->operand_max), cmd->name);
	return -1;
}

static bool is_option(const struct cmd_args *args, size_t i, const char *name)
{
	return args->given[i].option && !strcmp(args->given[i].option->name, name);
}

const char *args_get(const struct cmd_args *args, const char *option)
{
	for (size_t i = args->count; i-- > 0;)
		if (is_option(args, i, option))
			return args->given[i].value;
	return NULL;
}

bool args_has(const struct cmd_args *args, const char *option)
{
	for (size_t i = 0; i < args->count; i++)
		if (is_option(args, i, option))
			return true;
	return false;
}

const char *args_next(const struct cmd_args *args, const char *option, const char *prev)
{
	bool take = !prev;
	for (size_t i = 0; i < args->count; i++) {
		if (!is_option(args, i, option))
			continue;
		if (take)
			return args->given[i].value;
		take = args->given[i].value == prev;
	}
	return NULL;
}

int args_severity(const struct cmd_args *args, const char *option, int fallback)
{
	const char *word = args_get(args, option);
	int severity = word ? severity_parse(word) : fallback;
	if (!word || severity >= 0)
		return severity;
	struct suggest near = suggest_start(word);
	for (int i = SEVERITY_FATAL; i <= SEVERITY_INFO; i++)
		suggest_offer(&near, severity_name((enum severity)i));
	if (near.best)
		cmd_error("%s: --%s %s: no severity; did you mean %s?", args->cmd->name, option,
			  word, near.best);
	else
		cmd_error("%s: --%s wants fatal, degraded, subtle or info, not %s", args->cmd->name,
			  option, word);
	return -1;
}

size_t args_operand_count(const struct cmd_args *args)
{
	size_t n = 0;
	for (size_t i = 0; i < args->count; i++)
		n += !args->given[i].option;
	return n;
}

const char *args_operand(const struct cmd_args *args, size_t index)
{
	for (size_t i = 0; i < args->count; i++)
		if (!args->given[i].option && index-- == 0)
			return args->given[i].value;
	return NULL;
}
