// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/parse.h"

static void test_numbers(void **state)
{
	(void)state;
	int64_t n = 7;
	uint64_t u = 7;

	assert_true(parse_i64("-9223372036854775808", &n));
	assert_true(n == INT64_MIN);
	assert_true(parse_i64("9223372036854775807", &n));
	assert_true(n == INT64_MAX);
	n = 7;
	assert_false(parse_i64("9223372036854775808", &n));
	assert_false(parse_i64("", &n));
	assert_false(parse_i64("-", &n));
	assert_false(parse_i64(" 1", &n));
	assert_false(parse_i64("1 ", &n));
	assert_false(parse_i64("max", &n));
	assert_true(n == 7);
	assert_true(parse_u64("18446744073709551615", &u));
	assert_true(u == UINT64_MAX);
	assert_false(parse_u64("18446744073709551616", &u));
	assert_false(parse_u64("-1", &u));
	assert_true(parse_hex64("000001fffeffffff", &u));
	assert_true(u == 0x1fffeffffffULL);
	assert_false(parse_hex64("", &u));
	assert_false(parse_hex64("0x1", &u));
	assert_false(parse_hex64("11112222333344445", &u));
}

static void test_lines_and_fields(void **state)
{
	(void)state;
	const char *text = "one two\n\nlong line here\nlast";
	char line[9], field[8];

	assert_true(parse_line(&text, line, sizeof(line)));
	assert_string_equal(line, "one two");
	assert_true(parse_line(&text, line, sizeof(line)));
	assert_string_equal(line, "");
	assert_true(parse_line(&text, line, sizeof(line)));
	assert_string_equal(line, "long lin");
	assert_true(parse_line(&text, line, sizeof(line)));
	assert_string_equal(line, "last");
	assert_false(parse_line(&text, line, sizeof(line)));

	const char *fields = "  a\t bb  \n c";
	assert_true(parse_field(&fields, field, sizeof(field)));
	assert_string_equal(field, "a");
	assert_true(parse_field(&fields, field, sizeof(field)));
	assert_string_equal(field, "bb");
	assert_false(parse_field(&fields, field, sizeof(field)));
}

static void test_keyed(void **state)
{
	(void)state;
	static const char text[] = "SwapCached:  1 kB\nCached:\t 20 kB \nempty:\nNoNewPrivs:\t1\n"
				   "oom_kill 3\nhuge: 9223372036854775807 kB\nodd: 5 MB\nlast: 9";
	char value[32];
	int64_t n = -5;

	assert_true(parse_keyed_i64(text, "Cached", &n));
	assert_true(n == 20 * 1024);
	assert_true(parse_keyed_i64(text, "NoNewPrivs", &n));
	assert_true(n == 1);
	assert_true(parse_keyed_i64(text, "oom_kill", &n));
	assert_true(n == 3);
	assert_true(parse_keyed_i64(text, "last", &n));
	assert_true(n == 9);
	assert_false(parse_keyed_i64(text, "huge", &n));
	assert_false(parse_keyed_i64(text, "odd", &n));
	assert_false(parse_keyed_i64(text, "oom", &n));
	assert_true(parse_keyed(text, "empty", value, sizeof(value)));
	assert_string_equal(value, "");
	assert_false(parse_keyed(text, "absent", value, sizeof(value)));
	assert_true(n == 9);
}

static void test_cpu_list(void **state)
{
	(void)state;
	int64_t n = -1;

	assert_true(parse_cpu_list("0-3,5\n", &n));
	assert_true(n == 5);
	assert_true(parse_cpu_list("", &n));
	assert_true(n == 0);
	assert_true(parse_cpu_list("0", &n));
	assert_true(n == 1);
	n = -1;
	assert_false(parse_cpu_list("3-1", &n));
	assert_false(parse_cpu_list("a", &n));
	assert_false(parse_cpu_list("1-", &n));
	assert_false(parse_cpu_list("1;2", &n));
	assert_false(parse_cpu_list("0-99999999999", &n));
	assert_true(n == -1);
}

static void test_octal(void **state)
{
	(void)state;
	char text[] = "/a\\040b\\134c\\0", nul[] = "x\\000y", wide[] = "\\777";

	parse_unescape_octal(text);
	assert_string_equal(text, "/a b\\c\\0");
	parse_unescape_octal(nul);
	assert_string_equal(nul, "x\\000y");
	parse_unescape_octal(wide);
	assert_string_equal(wide, "\\777");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_lines_and_fields),
		cmocka_unit_test(test_keyed),	cmocka_unit_test(test_cpu_list),
		cmocka_unit_test(test_octal),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
