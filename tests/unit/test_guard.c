// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/guard.h"

static void speaks(struct sink *sink, const void *arg)
{
	static const char *const items[] = { "a", "", "c", NULL };
	sink_text(sink, key_make("t", arg, "text").text, "value", "here");
	sink_int(sink, key_make("t", arg, "int").text, -5, "there");
	sink_bool(sink, key_make("t", arg, "bool").text, true, "");
	sink_list(sink, key_make("t", arg, "list").text, items, "x");
	sink_fail(sink, key_make("t", arg, "fail").text, EACCES, "open");
	sink_note(sink, "a note");
}

static void dies(struct sink *sink, const void *arg)
{
	speaks(sink, arg);
	raise(SIGKILL);
}

static void hangs(struct sink *sink, const void *arg)
{
	speaks(sink, arg);
	for (;;)
		pause();
}

static void floods(struct sink *sink, const void *arg)
{
	(void)arg;
	for (int i = 0; i < FACT_COUNT_MAX + 10; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%d", i);
		sink_int(sink, key_make("flood", name, NULL).text, i, "x");
	}
}

static const struct coverage *row_of(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->coverage_count; i++)
		if (!strcmp(profile->coverage[i].collector, name))
			return &profile->coverage[i];
	fail_msg("no coverage row for %s", name);
	return NULL;
}

static void check_spoken(const struct profile *profile, const char *name)
{
	assert_string_equal(profile_text(profile, key_make("t", name, "text").text), "value");
	assert_true(profile_int(profile, key_make("t", name, "int").text, 0) == -5);
	assert_true(profile_true(profile, key_make("t", name, "bool").text));
	const struct fact *list = profile_find(profile, key_make("t", name, "list").text);
	assert_non_null(list);
	assert_int_equal(fact_list_count(list), 3);
	assert_true(fact_list_has(list, "c"));
	assert_true(fact_list_has(list, ""));
	const struct fact *fail = profile_find(profile, key_make("t", name, "fail").text);
	assert_int_equal(fail->status, FACT_DENIED);
	assert_int_equal(fail->err, EACCES);
	assert_string_equal(fail->source, "open");
}

static const struct guard_task tasks[] = {
	{ "good", 5000, false, speaks, "good" },
	{ "dead", 5000, false, dies, "dead" },
	{ "slow", 100, false, hangs, "slow" },
	{ "flood", 5000, false, floods, NULL },
};

static void test_guarded(void **state)
{
	(void)state;
	struct guard_options options = { 0 };
	cleanup_profile struct profile *profile = profile_new();

	assert_int_equal(guard_run(tasks, 4, &options, profile), 0);
	profile_sort(profile);
	check_spoken(profile, "good");
	check_spoken(profile, "dead");
	check_spoken(profile, "slow");
	assert_int_equal(row_of(profile, "good")->status, COVERAGE_OK);
	assert_string_equal(row_of(profile, "good")->note, "a note");
	assert_int_equal(row_of(profile, "dead")->status, COVERAGE_CRASHED);
	assert_non_null(strstr(row_of(profile, "dead")->note, "signal 9"));
	assert_int_equal(row_of(profile, "slow")->status, COVERAGE_TIMEOUT);
	assert_int_equal(row_of(profile, "flood")->status, COVERAGE_PARTIAL);
	assert_non_null(strstr(row_of(profile, "flood")->note, "10 facts dropped"));
	assert_int_equal(profile->fact_count, 3 * 5 + FACT_COUNT_MAX);
	errno = 0;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* In one child: what is cut costs itself alone, and those behind it get a new child. */
static void test_shared(void **state)
{
	(void)state;
	static const struct guard_task shared[] = {
		{ "good", 5000, true, speaks, "good" }, { "dead", 5000, true, dies, "dead" },
		{ "next", 5000, true, speaks, "next" }, { "alone", 5000, false, speaks, "alone" },
		{ "slow", 100, true, hangs, "slow" },	{ "last", 5000, true, speaks, "last" },
	};
	static const char *const whole[] = { "good", "next", "alone", "last" };
	struct guard_options options = { 0 };
	cleanup_profile struct profile *profile = profile_new();

	assert_int_equal(guard_run(shared, 6, &options, profile), 0);
	profile_sort(profile);
	assert_int_equal(profile->coverage_count, 6);
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		check_spoken(profile, whole[i]);
		assert_int_equal(row_of(profile, whole[i])->status, COVERAGE_OK);
		assert_string_equal(row_of(profile, whole[i])->note, "a note");
	}
	check_spoken(profile, "dead");
	check_spoken(profile, "slow");
	assert_int_equal(row_of(profile, "dead")->status, COVERAGE_CRASHED);
	assert_non_null(strstr(row_of(profile, "dead")->note, "signal 9"));
	assert_non_null(strstr(row_of(profile, "dead")->note, "5 facts"));
	assert_int_equal(row_of(profile, "slow")->status, COVERAGE_TIMEOUT);
	assert_int_equal(profile->fact_count, 6 * 5);
	errno = 0;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_in_process(void **state)
{
	(void)state;
	struct guard_options options = { .in_process = true };
	cleanup_profile struct profile *profile = profile_new();

	assert_int_equal(guard_run(tasks, 1, &options, profile), 0);
	profile_sort(profile);
	check_spoken(profile, "good");
	assert_int_equal(row_of(profile, "good")->status, COVERAGE_PARTIAL);
	assert_non_null(strstr(row_of(profile, "good")->note, "unguarded"));
}

/* As an id that may have no further process: the guard must go on by itself. */
static void test_fork_refused(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	pid_t pid = fork();
	if (pid == 0) {
		struct guard_options options = { 0 };
		struct profile *profile = profile_new();
		setrlimit(RLIMIT_NPROC, &(struct rlimit){ 0, 0 });
		if (setgid(54321) || setuid(54321))
			_exit(10);
		if (guard_run(tasks, 1, &options, profile))
			_exit(11);
		profile_sort(profile);
		const char *text = profile_text(profile, "t[good].text");
		bool said = strstr(row_of(profile, "good")->note, "fork was refused");
		profile_free(profile);
		_exit(!text ? 12 : said ? 0 : 13);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guarded),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_in_process),
		cmocka_unit_test(test_fork_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
