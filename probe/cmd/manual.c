// SPDX-License-Identifier: Apache-2.0
#include "cmd/manual.h"

#include <stdio.h>
#include <string.h>

#include "format/sheet.h"

/* Paragraphs are parted by newlines. */
static void paragraphs(struct sheet *page, int indent, const char *text)
{
	while (text && *text) {
		size_t len = strcspn(text, "\n");
		cleanup_buf struct buf one = BUF_INIT(16384);
		buf_add(&one, text, len);
		sheet_wrap(page, SHEET_PLAIN, "", indent, buf_text(&one));
		text += len + (text[len] == '\n');
	}
}

static void option_head(const struct cmd_option *option, char *head, size_t size)
{
	char letter[8] = "    ";
	if (option->letter)
		snprintf(letter, sizeof(letter), "-%c, ", option->letter);
	snprintf(head, size, "  %s--%s%s%s", letter, option->name, option->argument ? "=" : "",
		 option->argument ? option->argument : "");
}

void manual_overview(const struct text_style *style, struct buf *out)
{
	struct sheet page = { out, style };
	sheet_wrap(
		&page, SHEET_PLAIN, "", 0,
		"driftprobe says what this environment can and cannot do, and how it differs from "
		"another.");
	buf_puts(out, "\ndriftprobe COMMAND [OPTIONS] [OPERANDS]\n\n");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		buf_printf(out, "  %-10s %s\n", cmd->name, cmd->about);
	buf_puts(out,
		 "\ndriftprobe help COMMAND tells more; driftprobe --version, the version.\n"
		 "Exit status: 0 nothing to report, 1 findings or drift, 2 wrong usage, 3 it could "
		 "not be done.\n");
}

void manual_command(const struct cmd *cmd, const struct text_style *style, struct buf *out)
{
	struct sheet page = { out, style };
	buf_printf(out, "driftprobe %s [OPTIONS]%s%s\n\n", cmd->name, *cmd->operands ? " " : "",
		   cmd->operands);
	paragraphs(&page, 0, cmd->description);
	sheet_line(&page);
	for (size_t i = 0; i < cmd->option_count; i++) {
		char head[64];
		option_head(&cmd->options[i], head, sizeof(head));
		sheet_wrap(&page, SHEET_PLAIN, head, 30, cmd->options[i].help);
	}
	sheet_wrap(&page, SHEET_PLAIN, "  -h, --help", 30, "this help");
	for (const char *line = cmd->examples; line && *line;) {
		size_t len = strcspn(line, "\n"), code = strcspn(line, "\t\n");
		if (line == cmd->examples)
			buf_puts(out, "\nExamples:\n");
		buf_printf(out, "  %.*s\n", (int)code, line);
		if (code < len)
			buf_printf(out, "      %.*s\n", (int)(len - code - 1), line + code + 1);
		line += len + (line[len] == '\n');
	}
}

/* Text in roff: backslashes and leading dots have a meaning there. */
static void roff(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			buf_puts(out, "\\e");
		else if (*text == '-')
			buf_puts(out, "\\-");
		else if (*text == '\n')
			buf_puts(out, "\n.PP\n");
		else
			buf_putc(out, *text);
	}
}

static void man_command(const struct cmd *cmd, struct buf *out)
{
	buf_printf(out, ".SS driftprobe %s [OPTIONS] %s\n", cmd->name, cmd->operands);
	roff(out, cmd->description);
	buf_putc(out, '\n');
	for (size_t i = 0; i < cmd->option_count; i++) {
		char head[64];
		option_head(&cmd->options[i], head, sizeof(head));
		buf_puts(out, ".TP\n.B ");
		roff(out, head + strspn(head, " "));
		buf_putc(out, '\n');
		roff(out, cmd->options[i].help);
		buf_putc(out, '\n');
	}
}

static void man_examples(const struct cmd *cmd, struct buf *out)
{
	for (const char *line = cmd->examples; line && *line;) {
		size_t len = strcspn(line, "\n"), code = strcspn(line, "\t\n");
		cleanup_buf struct buf command = BUF_INIT(4096), meaning = BUF_INIT(4096);
		buf_add(&command, line, code);
		if (code < len)
			buf_add(&meaning, line + code + 1, len - code - 1);
		buf_puts(out, ".TP\n.B ");
		roff(out, buf_text(&command));
		buf_putc(out, '\n');
		roff(out, meaning.len ? buf_text(&meaning) : cmd->about);
		buf_putc(out, '\n');
		line += len + (line[len] == '\n');
	}
}

void manual_man(struct buf *out)
{
	buf_puts(out,
		 ".TH DRIFTPROBE 1 \"\" \"driftprobe " DRIFTPROBE_VERSION "\" \"\"\n.SH NAME\n"
		 "driftprobe \\- say what an environment can and cannot do, and how it differs\n"
		 ".SH SYNOPSIS\n.B driftprobe\nCOMMAND [OPTIONS] [OPERANDS]\n.SH COMMANDS\n");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		man_command(cmd, out);
	buf_puts(out, ".SH EXAMPLES\n");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		man_examples(cmd, out);
	buf_puts(
		out,
		".SH EXIT STATUS\n.TP\n0\nnothing to report\n.TP\n1\nfindings or drift as asked for by "
		"\\-\\-fail\\-on\n.TP\n2\nwrong usage\n.TP\n3\nit could not be done\n"
		".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours when set and not empty\n.TP\nXDG_STATE_HOME\n"
		"where the store lies; else ~/.local/state\n"
		".SH FILES\n~/.local/state/driftprobe/store.db, an SQLite database of JSON documents\n");
}

static void complete_words(const char *complete, struct buf *out)
{
	if (complete && *complete == '@')
		buf_printf(out, "$(driftprobe help --words %s 2>/dev/null)", complete + 1);
	else if (complete)
		buf_puts(out, complete);
}

static void bash_command(const struct cmd *cmd, struct buf *out)
{
	buf_printf(out, "\t%s)\n\t\tcase $prev in\n", cmd->name);
	for (size_t i = 0; i < cmd->option_count; i++) {
		const struct cmd_option *o = &cmd->options[i];
		if (!o->argument)
			continue;
		buf_printf(out, "\t\t--%s)\n\t\t\tCOMPREPLY=($(compgen ", o->name);
		if (o->complete && !strcmp(o->complete, "file"))
			buf_puts(out, "-f");
		else if (o->complete && !strcmp(o->complete, "dir"))
			buf_puts(out, "-d");
		else {
			buf_puts(out, "-W \"");
			complete_words(o->complete, out);
			buf_putc(out, '"');
		}
		buf_puts(out, " -- \"$cur\")); return ;;\n");
	}
	buf_puts(out, "\t\tesac\n\t\tif [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"--help");
	for (size_t i = 0; i < cmd->option_count; i++)
		buf_printf(out, " --%s", cmd->options[i].name);
	buf_puts(out, "\" -- \"$cur\"))\n\t\telse COMPREPLY=($(compgen ");
	if (cmd->operand_complete && !strcmp(cmd->operand_complete, "file")) {
		buf_puts(out, "-f");
	} else {
		buf_puts(out, "-W \"");
		complete_words(cmd->operand_complete, out);
		buf_putc(out, '"');
	}
	buf_puts(out, " -- \"$cur\")); fi ;;\n");
}

static void completion_bash(struct buf *out)
{
	buf_puts(
		out,
		"_driftprobe() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		"\tif ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W \"");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		buf_printf(out, "%s ", cmd->name);
	buf_puts(out, "--version --help\" -- \"$cur\")); return; fi\n\tcase ${COMP_WORDS[1]} in\n");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));)
		bash_command(cmd, out);
	buf_puts(out, "\tesac\n}\ncomplete -o filenames -F _driftprobe driftprobe\n");
}

/* zsh: [ ] and : have a meaning inside a description. */
static void zsh_text(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("[]:\\", *text))
			buf_putc(out, '\\');
		if (*text == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, *text);
	}
}

static void zsh_action(struct buf *out, const char *complete)
{
	if (complete && !strcmp(complete, "file"))
		buf_puts(out, "_files");
	else if (complete && !strcmp(complete, "dir"))
		buf_puts(out, "_files -/");
	else if (complete && *complete == '@')
		buf_printf(out, "{compadd $(driftprobe help --words %s)}", complete + 1);
	else if (complete)
		buf_printf(out, "(%s)", complete);
	else
		buf_putc(out, ' ');
}

static void completion_zsh(struct buf *out)
{
	buf_puts(
		out,
		"#compdef driftprobe\n_driftprobe() {\n\tif ((CURRENT == 2)); then\n\t\tlocal -a c=(\n");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));) {
		buf_printf(out, "\t\t\t'%s:", cmd->name);
		zsh_text(out, cmd->about);
		buf_puts(out, "'\n");
	}
	buf_puts(out, "\t\t)\n\t\t_describe command c\n\t\treturn\n\tfi\n\tlocal cmd=$words[2]\n"
		      "\tshift words\n\t((CURRENT--))\n\tcase $cmd in\n");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));) {
		buf_printf(out, "\t%s) _arguments '--help[this help]'", cmd->name);
		for (size_t i = 0; i < cmd->option_count; i++) {
			const struct cmd_option *o = &cmd->options[i];
			buf_printf(out, " \\\n\t\t'%s--%s%s[", o->repeat ? "*" : "", o->name,
				   o->argument ? "=" : "");
			zsh_text(out, o->help);
			buf_putc(out, ']');
			if (o->argument) {
				buf_printf(out, ":%s:", o->argument);
				zsh_action(out, o->complete);
			}
			buf_putc(out, '\'');
		}
		if (cmd->operand_complete) {
			buf_puts(out, " \\\n\t\t'*:operand:");
			zsh_action(out, cmd->operand_complete);
			buf_putc(out, '\'');
		}
		buf_puts(out, " ;;\n");
	}
	buf_puts(out, "\tesac\n}\n_driftprobe \"$@\"\n");
}

static void fish_text(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buf_putc(out, '\\');
		buf_putc(out, *text);
	}
}

static void fish_option(const struct cmd *cmd, const struct cmd_option *o, struct buf *out)
{
	buf_printf(out, "complete -c driftprobe -n '__fish_seen_subcommand_from %s' -l %s",
		   cmd->name, o->name);
	if (o->letter)
		buf_printf(out, " -s %c", o->letter);
	if (o->argument)
		buf_puts(out, " -r");
	if (o->complete && strcmp(o->complete, "file") && strcmp(o->complete, "dir")) {
		buf_puts(out, " -f -a '");
		if (*o->complete == '@')
			buf_printf(out, "(driftprobe help --words %s)", o->complete + 1);
		else
			buf_puts(out, o->complete);
		buf_putc(out, '\'');
	} else if (o->complete) {
		buf_puts(out, " -F");
	}
	buf_puts(out, " -d '");
	fish_text(out, o->help);
	buf_puts(out, "'\n");
}

static void completion_fish(struct buf *out)
{
	buf_puts(out, "complete -c driftprobe -f\n");
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));) {
		buf_printf(out, "complete -c driftprobe -n __fish_use_subcommand -a %s -d '",
			   cmd->name);
		fish_text(out, cmd->about);
		buf_puts(out, "'\n");
		if (cmd->operand_complete && !strcmp(cmd->operand_complete, "file"))
			buf_printf(
				out,
				"complete -c driftprobe -n '__fish_seen_subcommand_from %s' -F\n",
				cmd->name);
		else if (cmd->operand_complete)
			buf_printf(out,
				   "complete -c driftprobe -n '__fish_seen_subcommand_from %s' -a "
				   "'(driftprobe help --words %s)'\n",
				   cmd->name, cmd->operand_complete + 1);
		for (size_t i = 0; i < cmd->option_count; i++)
			fish_option(cmd, &cmd->options[i], out);
	}
}

int manual_completion(const char *shell, struct buf *out)
{
	static const struct {
		const char *shell;
		void (*write)(struct buf *out);
	} shells[] = {
		{ "bash", completion_bash },
		{ "zsh", completion_zsh },
		{ "fish", completion_fish },
	};
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		if (!strcmp(shells[i].shell, shell)) {
			shells[i].write(out);
			return 0;
		}
	}
	return -1;
}
