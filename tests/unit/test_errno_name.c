// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/errno_name.h"

/* Every number that Linux uses; 41 and 58 are other names' on some architectures, and none here. */
static void test_all(void **state)
{
	(void)state;
	for (int err = 1; err <= EHWPOISON; err++) {
		const char *name = errno_name(err);
		if (!name && err != 41 && err != 58)
			fail_msg("errno %d has no name", err);
		if (name) {
			assert_int_equal(name[0], 'E');
			assert_int_equal(errno_parse(name), err);
		}
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(errno_name(EACCES), "EACCES");
	assert_string_equal(errno_name(EAGAIN), "EAGAIN");
	assert_string_equal(errno_name(EOPNOTSUPP), "EOPNOTSUPP");
	assert_null(errno_name(0));
	assert_null(errno_name(-EACCES));
	assert_null(errno_name(4095));
}

static void test_parse(void **state)
{
	(void)state;
	assert_int_equal(errno_parse("ENOSYS"), ENOSYS);
	assert_int_equal(errno_parse("512"), 512);
	static const char *const none[] = { "",	  "enosys", "ENOSYSX",	  "ENOSY", " ENOSYS", "0",
					    "-1", "1.5",    "2147483648", "12x",   "ESPAM",   "E" };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_int_equal(errno_parse(none[i]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_parse),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
