// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/parse_version.h"

static void test_version(void **state)
{
	(void)state;
	static const struct {
		const char *text, *version;
	} examples[] = {
		{ "Python 3.11.2\n", "3.11.2" },
		{ "v20.20.2", "20.20.2" },
		{ "OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.19", "9.2p1" },
		{ "gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "12.2.0-14+deb12u1" },
		{ "go version go1.22.1 linux/amd64", "1.22.1" },
		{ "Info 2008, then 6.00 of it.", "6.00" },
		{ "1.", NULL },
		{ "no number", NULL },
		{ "", NULL },
	};
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		char version[32] = "untouched";
		assert_int_equal(parse_version(examples[i].text, version, sizeof(version)),
				 examples[i].version != NULL);
		assert_string_equal(version,
				    examples[i].version ? examples[i].version : "untouched");
	}
	char small[4] = "";
	assert_false(parse_version("1.22.333", small, sizeof(small)));
}

static void test_line(void **state)
{
	(void)state;
	char line[8];
	parse_first_line("\n \x1b[1mab\x7f"
			 "c\nnext",
			 line, sizeof(line));
	assert_string_equal(line, "[1mabc");
	parse_first_line("0123456789", line, sizeof(line));
	assert_string_equal(line, "0123456");
	parse_first_line("", line, sizeof(line));
	assert_string_equal(line, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_line),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
