// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/args.h"
#include "core/profile.h"

static const struct cmd_option options[] = {
	{ .name = "json", .letter = 'j', .help = "" },
	{ .name = "output", .letter = 'o', .argument = "FILE", .help = "" },
	{ .name = "dir", .argument = "DIR", .help = "", .repeat = true },
	{ .name = "fail-on", .argument = "SEVERITY", .help = "" },
};

static const struct cmd command = {
	.name = "try",
	.operands = "ONE [TWO]",
	.operand_min = 1,
	.operand_max = 2,
	.options = options,
	.option_count = sizeof(options) / sizeof(*options),
};

static char said[4096]; /* what the last parse said on stderr */

/* Parses with stderr caught. */
static int parse(struct cmd_args *args, const char **argv)
{
	int before = dup(2);
	FILE *file = tmpfile();
	assert_non_null(file);
	dup2(fileno(file), 2);
	int result = args_parse(args, &command, (char **)argv);
	fflush(stderr);
	dup2(before, 2);
	close(before);
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
	fclose(file);
	return result;
}

#define PARSE(args, ...) parse((args), (const char *[]){ __VA_ARGS__, NULL })

/* Refused, in one line that holds `word` and no control character. */
#define REFUSED(word, ...)                                                                         \
	do {                                                                                       \
		struct cmd_args refused_;                                                          \
		assert_int_equal(PARSE(&refused_, __VA_ARGS__), -1);                               \
		assert_non_null(strstr(said, (word)));                                             \
		assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);                     \
		assert_null(strchr(said, '\033'));                                                 \
	} while (0)

static void test_ways_to_write(void **state)
{
	(void)state;
	static const char *const ways[][3] = {
		{ "--output", "f", "a" },
		{ "--output=f", "a", NULL },
		{ "-o", "f", "a" },
		{ "-of", "a", NULL },
	};
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct cmd_args args;
		assert_int_equal(PARSE(&args, ways[i][0], ways[i][1], ways[i][2]), 0);
		assert_string_equal(args_get(&args, "output"), "f");
		assert_int_equal(args_operand_count(&args), 1);
		assert_string_equal(args_operand(&args, 0), "a");
		assert_false(args_has(&args, "json"));
		assert_string_equal(said, "");
	}
}

static void test_order_and_ends(void **state)
{
	(void)state;
	struct cmd_args args;
	assert_int_equal(PARSE(&args, "a", "--json", "-", "--"), 0);
	assert_true(args_has(&args, "json"));
	assert_string_equal(args_operand(&args, 1), "-");
	assert_null(args_operand(&args, 2));

	assert_int_equal(PARSE(&args, "--", "--json", "-x"), 0);
	assert_false(args_has(&args, "json"));
	assert_string_equal(args_operand(&args, 0), "--json");
	assert_string_equal(args_operand(&args, 1), "-x");

	/* An option takes what follows it, whatever it looks like. */
	assert_int_equal(PARSE(&args, "-o", "--json", "a"), 0);
	assert_string_equal(args_get(&args, "output"), "--json");
	assert_false(args_has(&args, "json"));
}

static void test_repeated(void **state)
{
	(void)state;
	struct cmd_args args;
	const char again[] = "x"; /* the kernel gives each argument a place of its own */
	assert_int_equal(PARSE(&args, "--dir", "x", "a", "--dir=y", "--dir", again), 0);
	const char *dir = args_next(&args, "dir", NULL);
	assert_string_equal(dir, "x");
	dir = args_next(&args, "dir", dir);
	assert_string_equal(dir, "y");
	dir = args_next(&args, "dir", dir);
	assert_ptr_equal(dir, again);
	assert_null(args_next(&args, "dir", dir));
	assert_null(args_next(&args, "output", NULL));
	REFUSED("twice", "--json", "a", "-j");
}

static void test_refused(void **state)
{
	(void)state;
	REFUSED("did you mean --json?", "--jsn", "a");
	REFUSED("did you mean --output?", "--outptu=x", "a");
	REFUSED("--qqqq", "--qqqq", "a");
	REFUSED("-q", "-q", "a");
	REFUSED("takes no value", "--json=yes", "a");
	REFUSED("takes no value", "-jx", "a");
	REFUSED("FILE", "a", "--output");
	REFUSED("FILE", "a", "--output=");
	REFUSED("FILE", "a", "-o");
	REFUSED("ONE [TWO]", "--json");
	REFUSED("from c on", "a", "b", "c");
}

static void test_hostile(void **state)
{
	(void)state;
	char flag[3000];
	const char *many[ARGS_MAX + 2];
	struct cmd_args args;

	REFUSED("\\x1b]0;owned\\x07", "--\033]0;owned\a");
	REFUSED("b\\x0a", "a", "b", "b\n\r");
	REFUSED("\\xff", "-\xff");
	memset(flag, '-', sizeof(flag) - 1);
	flag[sizeof(flag) - 1] = '\0';
	REFUSED("unknown option", flag);
	for (size_t i = 0; i <= ARGS_MAX; i++)
		many[i] = "a";
	many[ARGS_MAX + 1] = NULL;
	assert_int_equal(parse(&args, many), -1);
	assert_non_null(strstr(said, "256"));
}

static void test_help_excuses(void **state)
{
	(void)state;
	struct cmd_args args;
	assert_int_equal(PARSE(&args, "--help"), 0);
	assert_true(args.help);
	assert_int_equal(PARSE(&args, "-h", "a", "b", "c"), 0);
	assert_true(args.help);
	assert_int_equal(PARSE(&args, "a"), 0);
	assert_false(args.help);
}

static int severity_of(const char *word, int fallback)
{
	struct cmd_args args;
	assert_int_equal(PARSE(&args, "a", word ? "--fail-on" : "b", word), 0);
	int before = dup(2), sink = open("/dev/null", O_WRONLY);
	dup2(sink, 2);
	int severity = args_severity(&args, "fail-on", fallback);
	dup2(before, 2);
	close(before);
	close(sink);
	return severity;
}

static void test_severity(void **state)
{
	(void)state;
	assert_int_equal(severity_of("fatal", SEVERITY_SUBTLE), SEVERITY_FATAL);
	assert_int_equal(severity_of("info", SEVERITY_SUBTLE), SEVERITY_INFO);
	assert_int_equal(severity_of(NULL, SEVERITY_SUBTLE), SEVERITY_SUBTLE);
	assert_int_equal(severity_of("sutble", SEVERITY_SUBTLE), -1);
	assert_int_equal(severity_of("FATAL", SEVERITY_SUBTLE), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways_to_write), cmocka_unit_test(test_order_and_ends),
		cmocka_unit_test(test_repeated),      cmocka_unit_test(test_refused),
		cmocka_unit_test(test_hostile),	      cmocka_unit_test(test_help_excuses),
		cmocka_unit_test(test_severity),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
