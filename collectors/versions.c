// SPDX-License-Identifier: Apache-2.0
/* Versions of the tools, by asking them, side by side. Speaks facts about tools; apart, so that it can be skipped. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/parse_version.h"
#include "base/search_path.h"
#include "base/tool_table.h"
#include "collectors/collector.h"

#define TOOL_DEADLINE_MS 4000
#define JOBS		 16
#define OUTPUT_MAX	 4096
#define ARGS_MAX	 6
#define LINE_SHOWN	 200
#define DEFAULT_PATH	 "/usr/local/bin:/bin:/usr/bin"

struct question {
	const struct tool *tool;
	char path[SYS_PATH_MAX];
	char real[SYS_PATH_MAX]; /* what two names may share */
	char args_text[64], output[OUTPUT_MAX];
	const char *argv[ARGS_MAX + 2];
	size_t same_as; /* index of the question whose answer serves here, too; own index if none */
};

/* The received environment, with the quiet variables before it: the first of a name counts for getenv(). */
static const char **quiet_environ(const struct scope *scope)
{
	size_t quiet = 0, given = 0, n = 0;
	while (tool_quiet_environment[quiet])
		quiet++;
	while (scope->environ && scope->environ[given])
		given++;
	const char **out = calloc(quiet + given + 1, sizeof(*out));
	if (!out)
		return NULL;
	for (size_t i = 0; i < quiet; i++)
		out[n++] = tool_quiet_environment[i];
	for (size_t i = 0; i < given; i++) {
		size_t len = strcspn(scope->environ[i], "=") + 1, j = 0;
		while (j < quiet && strncmp(tool_quiet_environment[j], scope->environ[i], len) != 0)
			j++;
		if (j == quiet)
			out[n++] = scope->environ[i];
	}
	return out;
}

static void question_arm(struct question *question, const struct tool *tool)
{
	size_t n = 0;
	question->tool = tool;
	question->argv[n++] = question->path;
	snprintf(question->args_text, sizeof(question->args_text), "%s", tool->version_args);
	char *rest = question->args_text;
	for (char *arg; n <= ARGS_MAX && (arg = strsep(&rest, " "));)
		question->argv[n++] = arg;
	question->argv[n] = NULL;
}

/*
 * Shims that make a home of their own where they find none: they are asked only where it is there already.
 */
static const struct {
	const char *program, *variable, *file; /* file below HOME, where the variable is not set */
} home_makers[] = {
	{ "/rustup", "RUSTUP_HOME", "/.rustup/settings.toml" },
};

static bool makes_home(const struct question *question, const struct scope *scope)
{
	const char *home = scope_getenv(scope, "HOME"), *name = strrchr(question->real, '/');
	char file[SYS_PATH_MAX];
	for (size_t i = 0; name && i < ARRAY_SIZE(home_makers); i++) {
		if (strcmp(name, home_makers[i].program) ||
		    scope_getenv(scope, home_makers[i].variable))
			continue;
		return !home || sys_path(file, sizeof(file), home, home_makers[i].file) ||
		       access(file, F_OK);
	}
	return false;
}

/* Those that are found and may be asked; a name that leads to the same file as one before is not run again. */
static size_t questions_gather(struct question *questions, const struct scope *scope)
{
	const char *text = scope_getenv(scope, "PATH");
	cleanup_search_path struct search_path path = { 0 };
	size_t count = 0;

	if (search_path_open(&path, "", text ? text : DEFAULT_PATH))
		return 0;
	for (size_t i = 0; i < tool_count; i++) {
		struct question *question = &questions[count];
		size_t at = 0;
		if (!tool_table[i].version_args ||
		    search_path_find(&path, "", tool_table[i].name, &at, question->path,
				     sizeof(question->path)))
			continue;
		char *real = realpath(question->path, NULL);
		snprintf(question->real, sizeof(question->real), "%s",
			 real ? real : question->path);
		free(real);
		if (makes_home(question, scope))
			continue;
		question_arm(question, &tool_table[i]);
		question->same_as = count;
		for (size_t j = 0; j < count; j++) {
			/* Shims of one file (busybox, pyenv, rustup) answer by the name they are called by. */
			if (!strcmp(questions[j].real, question->real) &&
			    !strncmp(questions[j].tool->name, question->tool->name, 3) &&
			    !strcmp(questions[j].tool->version_args, tool_table[i].version_args)) {
				question->same_as = j;
				break;
			}
		}
		count++;
	}
	return count;
}

static void speak_answer(struct sink *sink, const char *name, const struct child_program *program)
{
	struct key version = key_make("tools.tool", name, "version");
	struct key runs = key_make("tools.tool", name, "runs");
	const char *source = program->argv[0];
	char word[64], line[LINE_SHOWN + 1];

	if (program->exec_errno || program->result.end == CHILD_REFUSED) {
		int err = program->exec_errno ? program->exec_errno : program->result.code;
		sink_fail(sink, version.text, err, source);
		sink_fail(sink, runs.text, err, source);
		return;
	}
	if (program->result.end == CHILD_TIMEOUT) {
		sink_status(sink, version.text, FACT_TIMEOUT, 0, source);
		sink_status(sink, runs.text, FACT_TIMEOUT, 0, source);
		return;
	}
	bool good = program->result.end == CHILD_EXITED && program->result.code == 0;
	sink_bool(sink, runs.text, good, source);
	if (program->result.end == CHILD_EXITED)
		sink_int(sink, key_make("tools.tool", name, "exit").text, program->result.code,
			 source);
	if (good && parse_version(program->output, word, sizeof(word)))
		sink_text(sink, version.text, word, source);
	else
		sink_status(sink, version.text, FACT_MALFORMED, 0, source);
	parse_first_line(program->output, line, sizeof(line));
	sink_text(sink, key_make("tools.tool", name, "version_line").text, line, source);
}

static void versions_collect(struct sink *sink, const struct scope *scope)
{
	cleanup_free struct question *questions = calloc(tool_count, sizeof(*questions));
	cleanup_free struct child_program *programs = calloc(tool_count, sizeof(*programs));
	cleanup_free size_t *slot = calloc(tool_count, sizeof(*slot));
	cleanup_free const char **env = quiet_environ(scope);
	size_t asked = 0;

	if (!questions || !programs || !slot || !env) {
		sink_note(sink, "out of memory");
		return;
	}
	size_t count = questions_gather(questions, scope);
	for (size_t i = 0; i < count; i++) {
		slot[i] = questions[i].same_as == i ? asked++ : slot[questions[i].same_as];
		if (questions[i].same_as == i)
			programs[slot[i]] = (struct child_program){ .argv = questions[i].argv,
								    .envp = env,
								    .output = questions[i].output,
								    .size = OUTPUT_MAX };
	}
	child_run_programs(programs, asked, JOBS, TOOL_DEADLINE_MS);
	for (size_t i = 0; i < count; i++)
		speak_answer(sink, questions[i].tool->name, &programs[slot[i]]);
}

const struct collector collector_versions = {
	.name = "versions",
	.about = "versions of the tools, by running them",
	.deadline_ms = 20000,
	.collect = versions_collect,
};
