// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>

#include "base/search_path.h"
#include "base/tool_question.h"
#include "collected.h"
#include "scratch.h"

extern const struct collector collector_versions;

static bool has(const char *const *list, const char *item)
{
	for (; *list; list++)
		if (!strcmp(*list, item))
			return true;
	return false;
}

static size_t count_name(const char *const *list, const char *name)
{
	size_t n = 0, len = strlen(name);
	for (; *list; list++)
		n += !strncmp(*list, name, len) && (*list)[len] == '=';
	return n;
}

static void test_environ(void **state)
{
	(void)state;
	const char *const given[] = { "HOME=/h",
				      "LC_ALL=de_DE",
				      "JAVA_TOOL_OPTIONS=-Dp=x",
				      "GIT_TRACE2_EVENT=/f",
				      "TF_LOG_PATH=/f",
				      "ENVELOPE=1",
				      "LC_ALLX=kept",
				      "NODE_OPTIONS=--x",
				      "npm_config_a=b",
				      "odd",
				      NULL };
	const char **env = tool_environ(given, NULL);
	assert_non_null(env);
	assert_true(has(env, "HOME=/h") && has(env, "ENVELOPE=1") && has(env, "LC_ALLX=kept"));
	assert_true(has(env, "npm_config_a=b") && has(env, "odd"));
	assert_true(has(env, "LC_ALL=C") && has(env, "PYTHONDONTWRITEBYTECODE=1"));
	assert_int_equal(count_name(env, "LC_ALL"), 1);
	assert_int_equal(count_name(env, "JAVA_TOOL_OPTIONS"), 0);
	assert_int_equal(count_name(env, "GIT_TRACE2_EVENT"), 0);
	assert_int_equal(count_name(env, "TF_LOG_PATH"), 0);
	assert_int_equal(count_name(env, "NODE_OPTIONS"), 0);
	free(env);
	env = tool_environ(given, "HOME=/dev/null");
	assert_true(has(env, "HOME=/dev/null"));
	assert_int_equal(count_name(env, "HOME"), 1);
	free(env);
	env = tool_environ(NULL, "LC_ALL=tool");
	assert_true(has(env, "LC_ALL=tool"));
	assert_int_equal(count_name(env, "LC_ALL"), 1);
	free(env);
}

static const struct tool *tool_named(const char *name)
{
	for (size_t i = 0; i < tool_count; i++)
		if (!strcmp(tool_table[i].name, name))
			return &tool_table[i];
	fail_msg("no tool %s", name);
	return NULL;
}

/* Asks about names below s/bin and returns the questions. */
static size_t ask(struct tool_question *questions, const struct scratch *s,
		  const char *const *names, const char *const *given)
{
	size_t n = 0;
	for (; *names; names++, n++) {
		char path[64];
		snprintf(path, sizeof(path), "bin/%s", *names);
		assert_int_equal(tool_question_make(questions, n, tool_named(*names),
						    scratch_path(s, path).root, given),
				 0);
	}
	return n;
}

static void done(struct tool_question *questions, size_t count)
{
	while (count)
		tool_question_done(&questions[--count]);
}

static void test_same(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	struct tool_question q[8];
	static const char *const names[] = { "python3", "python", "git", "busybox",
					     "grep",	"sed",	  "sh",	 NULL };
	scratch_text(&s, "bin/python3", 0755, "");
	scratch_link(&s, "bin/python", "python3");
	scratch_link(&s, "bin/git", "python3");
	scratch_text(&s, "bin/busybox", 0755, "");
	scratch_link(&s, "bin/grep", "busybox");
	scratch_link(&s, "bin/sed", "busybox");
	scratch_link(&s, "bin/sh", "busybox");
	size_t n = ask(q, &s, names, NULL);
	assert_int_equal(q[0].same_as, 0);
	assert_int_equal(q[1].same_as, 0);
	/* one file, but asked by another name */
	assert_int_equal(q[2].same_as, 2);
	assert_string_equal(q[0].argv[1], "--version");
	assert_null(q[0].argv[2]);
	assert_string_equal(q[2].argv[0], scratch_path(&s, "bin/git").root);
	/* busybox's tools know no --version: the box is asked, once for all, also by names not asked else */
	for (size_t i = 3; i < n; i++) {
		assert_int_equal(q[i].same_as, 3);
		assert_null(q[i].not_asked);
		assert_string_equal(q[i].argv[0], scratch_path(&s, "bin/busybox").root);
		assert_string_equal(q[i].argv[1], "--help");
	}
	done(q, n);
	scratch_remove(&s);
}

static void test_not_asked(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	struct tool_question q[8];
	static const char *const names[] = { "cargo", "yarn", "node", "gradle", "git", NULL };
	char home[SCRATCH_MAX + 16];
	const char *const given[] = { home, NULL }, *const set[] = { "RUSTUP_HOME=/r", NULL };
	snprintf(home, sizeof(home), "HOME=%s/me", s.root);
	scratch_text(&s, "bin/rustup", 0755, "");
	scratch_link(&s, "bin/cargo", "rustup");
	scratch_text(&s, "lib/corepack/dist/yarn.js", 0755, "");
	scratch_link(&s, "bin/yarn", "../lib/corepack/dist/yarn.js");
	scratch_text(&s, "bin/volta-shim", 0755, "");
	scratch_link(&s, "bin/node", "volta-shim");
	scratch_text(&s, "bin/gradle", 0755, "");
	scratch_text(&s, "bin/git", 0755, "");
	size_t n = ask(q, &s, names, given);
	assert_non_null(strstr(q[0].not_asked, "rustup"));
	assert_non_null(strstr(q[1].not_asked, "corepack"));
	assert_non_null(strstr(q[2].not_asked, "volta"));
	assert_string_equal(q[3].not_asked, tool_named("gradle")->not_asked);
	assert_null(q[4].not_asked);
	done(q, n);

	n = ask(q, &s, names, set);
	assert_null(q[0].not_asked);
	assert_non_null(q[1].not_asked);
	done(q, n);
	scratch_text(&s, "me/.rustup/settings.toml", 0644, "");
	n = ask(q, &s, names, given);
	assert_null(q[0].not_asked);
	done(q, n);

	/* What lies in the working directory may be part of a task. */
	assert_int_equal(tool_question_make(q, 0, tool_named("git"), "./git", given), 0);
	assert_non_null(q[0].not_asked);
	done(q, 1);
	/* aws is to have no HOME, and a shim needs one. */
	scratch_text(&s, "shims/aws", 0755, "");
	assert_int_equal(tool_question_make(q, 0, tool_named("aws"),
					    scratch_path(&s, "shims/aws").root, given),
			 0);
	assert_non_null(q[0].not_asked);
	done(q, 1);
	scratch_text(&s, "bin/aws", 0755, "");
	assert_int_equal(tool_question_make(q, 0, tool_named("aws"),
					    scratch_path(&s, "bin/aws").root, given),
			 0);
	assert_null(q[0].not_asked);
	assert_true(has(q[0].environ, "HOME=/dev/null"));
	done(q, 1);
	scratch_remove(&s);
}

static struct profile *collected(const char *root, const char *const *environment)
{
	return collected_by(&collector_versions, root, environment);
}

static void test_collect(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	char path[SCRATCH_MAX + 16], runs[SCRATCH_MAX + 16], line[64];
	const char *const environment[] = { path, runs, "NODE_OPTIONS=secret", NULL };
	snprintf(path, sizeof(path), "PATH=%s/bin", s.root);
	snprintf(runs, sizeof(runs), "RUNS=%s/runs", s.root);
	scratch_text(&s, "bin/git", 0755,
		     "#!/bin/sh\nprintf '\\n git version 9.8.7 (x)\\nmore 1.2'\n");
	scratch_text(&s, "bin/make", 0755, "#!/bin/sh\necho error on line 1.5 >&2; exit 5\n");
	scratch_text(&s, "bin/curl", 0755, "#!/bin/sh\nkill -9 $$\n");
	scratch_text(&s, "bin/tar", 0755, "#!/bin/sh\necho no number\n");
	scratch_text(&s, "bin/node", 0755, "#!/bin/sh\necho \"v20.1.0$NODE_OPTIONS\"\n");
	scratch_text(&s, "bin/xz", 0755, "#!/bin/sh\nprintf '\\033[1m%0300d 5.4\\n' 7\n");
	scratch_text(&s, "bin/python3", 0755,
		     "#!/bin/sh\necho run >>\"$RUNS\"; echo Python 3.1.2\n");
	scratch_link(&s, "bin/python", "python3");
	scratch_text(&s, "bin/jq", 0755, "#!/nonexistent/interpreter\n");
	scratch_text(&s, "bin/rg", 0644, "#!/bin/sh\necho 1.2.3\n");
	scratch_text(&s, "bin/gradle", 0755, "#!/bin/sh\necho run >>\"$RUNS\"\n");
	cleanup_profile struct profile *p = collected("", environment);

	assert_text(p, "tools.tool[git].version", "9.8.7");
	assert_text(p, "tools.tool[git].version_line", "git version 9.8.7 (x)");
	assert_true(profile_true(p, "tools.tool[git].runs"));
	assert_int_equal(profile_int(p, "tools.tool[git].exit", -1), 0);
	assert_status(p, "tools.tool[make].version", FACT_MALFORMED, 0);
	assert_text(p, "tools.tool[make].version_line", "error on line 1.5");
	assert_true(profile_false(p, "tools.tool[make].runs"));
	assert_int_equal(profile_int(p, "tools.tool[make].exit", -1), 5);
	assert_true(profile_false(p, "tools.tool[curl].runs"));
	assert_null(profile_find(p, "tools.tool[curl].exit"));
	assert_true(profile_true(p, "tools.tool[tar].runs"));
	assert_status(p, "tools.tool[tar].version", FACT_MALFORMED, 0);
	assert_text(p, "tools.tool[node].version", "20.1.0");
	assert_text(p, "tools.tool[node].version_line", "v20.1.0");
	assert_text(p, "tools.tool[xz].version", "5.4");
	assert_int_equal(strlen(profile_text(p, "tools.tool[xz].version_line")), 200);
	assert_null(strchr(profile_text(p, "tools.tool[xz].version_line"), '\033'));
	assert_text(p, "tools.tool[python3].version", "3.1.2");
	assert_text(p, "tools.tool[python].version", "3.1.2");
	assert_status(p, "tools.tool[jq].version", FACT_ABSENT, ENOENT);
	assert_status(p, "tools.tool[jq].runs", FACT_ABSENT, ENOENT);
	assert_status(p, "tools.tool[rg].version", FACT_DENIED, EACCES);
	assert_status(p, "tools.tool[gradle].version", FACT_SKIPPED, 0);
	assert_status(p, "tools.tool[gradle].runs", FACT_SKIPPED, 0);
	assert_null(profile_find(p, "tools.tool[gcc].version"));
	/* python and python3 are one program, gradle was not run */
	int fd = open(scratch_path(&s, "runs").root, O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, line, sizeof(line)), strlen("run\n"));
	close(fd);
	scratch_remove(&s);
}

static void test_recorded(void **state)
{
	(void)state;
	const char *const environment[] = { "PATH=/bin:/usr/bin", NULL };
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/container", environment);
	assert_int_equal(p->fact_count, 0);
}

static int list_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	if (ftw->level > 1)
		print_message("# there is %s\n", path);
	return ftw->level > 1;
}

/* All tools of this machine, in a HOME, TMPDIR and working directory of ours. */
static void test_no_traces(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	char home[SCRATCH_MAX + 16], tmp[SCRATCH_MAX + 16], path[SYS_PATH_MAX], cwd[SYS_PATH_MAX];
	const char *const environment[] = { home, tmp, path, NULL };
	const char *here = getenv("PATH");
	snprintf(home, sizeof(home), "HOME=%s/home", s.root);
	snprintf(tmp, sizeof(tmp), "TMPDIR=%s/tmp", s.root);
	snprintf(path, sizeof(path), "PATH=%s", here ? here : SEARCH_PATH_DEFAULT);
	scratch_dirs(&s, "home/");
	scratch_dirs(&s, "tmp/");
	scratch_dirs(&s, "cwd/");
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	assert_int_equal(chdir(scratch_path(&s, "cwd").root), 0);
	cleanup_profile struct profile *p = collected("", environment);
	assert_int_equal(chdir(cwd), 0);
	assert_true(profile_true(p, "tools.tool[bash].runs"));
	assert_int_equal(nftw(s.root, list_one, 16, FTW_PHYS), 0);
	/* It would be seen. */
	scratch_text(&s, "tmp/hsperfdata", 0644, "");
	assert_int_equal(nftw(s.root, list_one, 16, FTW_PHYS), 1);
	scratch_remove(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_environ),	  cmocka_unit_test(test_same),
		cmocka_unit_test(test_not_asked), cmocka_unit_test(test_collect),
		cmocka_unit_test(test_recorded),  cmocka_unit_test(test_no_traces),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
