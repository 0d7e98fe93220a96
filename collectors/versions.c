// SPDX-License-Identifier: Apache-2.0
/* Versions of the tools, by asking them, side by side. Speaks facts about tools; apart, so that it can be skipped. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/frugal.h"
#include "base/parse_version.h"
#include "base/search_path.h"
#include "base/tool_question.h"
#include "collectors/collector.h"

#define TOOL_DEADLINE_MS 4000
#define BUDGET_MS                                                                                  \
	10000 /* no tool is started later: with the last group it stays below the deadline */
#define JOBS_MAX   8
#define TOOL_BYTES ((int64_t)48 << 20) /* what node or a Java machine takes */
#define GROUP_MAX  (2 * JOBS_MAX) /* started together, their answers told when all have ended */
#define OUTPUT_MAX 4096
#define LINE_SHOWN 200

struct inquiry {
	struct sink *sink;
	struct tool_question *questions;
	size_t count;
	const char **environ;
	unsigned int jobs;
};

static void speak_no_answer(struct sink *sink, const char *name, enum fact_status status, int err,
			    const char *source)
{
	static const char *const properties[] = { "version", "runs" };
	for (size_t i = 0; i < ARRAY_SIZE(properties); i++)
		sink_status(sink, key_make("tools.tool", name, properties[i]).text, status, err,
			    source);
}

static void speak_answer(struct sink *sink, const char *name, const struct child_program *program)
{
	const char *source = program->argv[0];
	char word[64], line[LINE_SHOWN + 1];
	int err = program->exec_errno			 ? program->exec_errno
		  : program->result.end == CHILD_REFUSED ? program->result.code
							 : 0;
	if (err || program->result.end == CHILD_TIMEOUT) {
		speak_no_answer(sink, name, err ? fact_status_of(err) : FACT_TIMEOUT, err, source);
		return;
	}
	bool exited = program->result.end == CHILD_EXITED;
	bool good = exited && program->result.code == 0;
	sink_bool(sink, key_make("tools.tool", name, "runs").text, good, source);
	if (exited)
		sink_int(sink, key_make("tools.tool", name, "exit").text, program->result.code,
			 source);
	struct key version = key_make("tools.tool", name, "version");
	/* What a failing tool prints has numbers, too: of its line, of its loader. */
	if (good && parse_version(program->output, word, sizeof(word)))
		sink_text(sink, version.text, word, source);
	else
		sink_status(sink, version.text, FACT_MALFORMED, 0, source);
	parse_first_line(program->output, line, sizeof(line));
	sink_text(sink, key_make("tools.tool", name, "version_line").text, line, source);
}

/* Asks the tools whose questions are in group, and tells the answers for all that share them. */
static void ask_group(const struct inquiry *inquiry, const size_t *group, size_t count)
{
	struct child_program programs[GROUP_MAX];
	cleanup_free char *output = malloc((size_t)GROUP_MAX * OUTPUT_MAX);
	for (size_t i = 0; i < count; i++) {
		const struct tool_question *question = &inquiry->questions[group[i]];
		programs[i] = (struct child_program){
			.argv = question->argv,
			.envp = question->environ ? question->environ : inquiry->environ,
			.output = output + i * OUTPUT_MAX,
			.size = OUTPUT_MAX,
			.result = { CHILD_REFUSED, ENOMEM },
		};
	}
	if (output)
		child_run_programs(programs, count, inquiry->jobs, TOOL_DEADLINE_MS);
	for (size_t i = 0; i < count; i++)
		for (size_t j = group[i]; j < inquiry->count; j++)
			if (inquiry->questions[j].same_as == group[i])
				speak_answer(inquiry->sink, inquiry->questions[j].tool->name,
					     &programs[i]);
}

static void ask_all(const struct inquiry *inquiry)
{
	int64_t until = sys_now_ms() + BUDGET_MS;
	size_t group[GROUP_MAX], n = 0;
	bool late = false;
	for (size_t i = 0; i < inquiry->count; i++) {
		struct tool_question *question = &inquiry->questions[i];
		if (question->same_as != i)
			question->not_asked = inquiry->questions[question->same_as].not_asked;
		else if (late && !question->not_asked)
			question->not_asked = "no time left";
		if (question->not_asked)
			speak_no_answer(inquiry->sink, question->tool->name, FACT_SKIPPED, 0,
					question->not_asked);
		else if (question->same_as == i)
			group[n++] = i;
		if (n == 2 * inquiry->jobs) {
			ask_group(inquiry, group, n);
			n = 0;
			late = sys_now_ms() >= until;
		}
	}
	if (n)
		ask_group(inquiry, group, n);
	if (late)
		sink_note(inquiry->sink, "some tools were not asked: the others took too long");
}

/* Those that are found along PATH, also when the exec will be refused: that is an answer. */
static int gather(struct inquiry *inquiry, const struct scope *scope)
{
	const char *text = scope_getenv(scope, "PATH");
	cleanup_search_path struct search_path path = { 0 };
	char found[SYS_PATH_MAX];

	inquiry->questions = calloc(tool_count, sizeof(*inquiry->questions));
	inquiry->environ = tool_environ(scope->environ, NULL);
	if (!inquiry->questions || !inquiry->environ ||
	    search_path_open(&path, "", text ? text : SEARCH_PATH_DEFAULT))
		return -1;
	for (size_t i = 0; i < tool_count; i++) {
		size_t at;
		if (search_path_first(&path, "", tool_table[i].name, &at, found, sizeof(found)))
			continue;
		if (tool_question_make(inquiry->questions, inquiry->count++, &tool_table[i], found,
				       scope->environ))
			return -1;
	}
	return 0;
}

static void collect(struct sink *sink, const struct scope *scope)
{
	struct inquiry inquiry = { .sink = sink };
	int64_t adjusted;

	/* A recorded tree has no tools that could be run. */
	if (*scope->root)
		return;
	if (gather(&inquiry, scope)) {
		sink_note(sink, "out of memory: no tool was asked");
	} else {
		inquiry.jobs = frugal_jobs(scope->root, JOBS_MAX, TOOL_BYTES);
		frugal_first_victim(&adjusted);
		ask_all(&inquiry);
		frugal_restore(adjusted);
	}
	for (size_t i = 0; i < inquiry.count; i++)
		tool_question_done(&inquiry.questions[i]);
	free(inquiry.questions);
	free(inquiry.environ);
}

const struct collector collector_versions = {
	.name = "versions",
	.about = "versions of the tools, by running them",
	.deadline_ms = 20000,
	.collect = collect,
};
