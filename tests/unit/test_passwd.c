// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/capability.h"
#include "base/os_release.h"
#include "base/passwd.h"
#include "base/process.h"

static void test_passwd(void **state)
{
	(void)state;
	static const char text[] =
		"\n:x:7:7::/:/bin/sh\nshort:x:7:7:/:/bin/sh\nlong:x:7:7:::/:/bin/sh\n"
		"sign:x:+7:7::/:/bin/sh\nhuge:x:4294967303:7::/:/bin/sh\n"
		"right:x:7:7:A, B:/home:/bin/sh\nlate:x:7:7::/late:/bin/sh\n"
		"last:x:4294967294:0::/end:/bin/zsh";
	struct passwd_entry entry;

	assert_true(passwd_find(text, 7, &entry));
	assert_string_equal(entry.name, "right");
	assert_string_equal(entry.home, "/home");
	assert_string_equal(entry.shell, "/bin/sh");
	assert_true(passwd_find(text, 4294967294u, &entry));
	assert_string_equal(entry.name, "last");
	assert_string_equal(entry.shell, "/bin/zsh");
	assert_false(passwd_find(text, 8, &entry));
	assert_false(passwd_find("", 0, &entry));
	assert_string_equal(entry.name, "last");
}

static void test_passwd_too_long(void **state)
{
	(void)state;
	char text[PASSWD_PATH_MAX + 200];
	struct passwd_entry entry = { .name = "kept" };

	snprintf(text, sizeof(text), "a:x:1:1::/%0*d:/bin/sh\n", PASSWD_PATH_MAX, 0);
	assert_false(passwd_find(text, 1, &entry));
	assert_string_equal(entry.name, "kept");
	strcat(text, "b:x:1:1::/b:/bin/sh\n");
	assert_true(passwd_find(text, 1, &entry));
	assert_string_equal(entry.name, "b");
}

static void test_group(void **state)
{
	(void)state;
	char name[PASSWD_NAME_MAX] = "kept";

	assert_true(group_find("wheel:x:10:a,b\nstaff:x:50:", 50, name));
	assert_string_equal(name, "staff");
	assert_false(group_find("wheel:x:10\n:x:10:\nwheel:x:10:a:b\n", 10, name));
	assert_string_equal(name, "staff");
}

static void test_account_files(void **state)
{
	(void)state;
	struct passwd_entry entry;
	struct account_home home;
	char name[PASSWD_NAME_MAX];

	assert_int_equal(account_user("tests/unit/fixtures/container", 0, &entry), 0);
	assert_string_equal(entry.shell, "/bin/ash");
	assert_int_equal(account_user("tests/unit/fixtures/container", 1000, &entry), ENOENT);
	assert_int_equal(account_user("tests/unit/fixtures/gvisor", 0, &entry), ENOENT);
	assert_int_equal(account_group("tests/unit/fixtures/container", 0, name), 0);
	assert_string_equal(name, "root");

	account_home_look("tests/unit", &home);
	assert_string_equal(home.state, "directory");
	assert_int_equal(home.writable_err, 0);
	account_home_look("tests/unit/test_passwd.c", &home);
	assert_string_equal(home.state, "not-a-directory");
	account_home_look("tests/unit/test_passwd.c/below", &home);
	assert_string_equal(home.state, "not-a-directory");
	account_home_look("tests/unit/nowhere", &home);
	assert_string_equal(home.state, "missing");
	assert_int_equal(home.writable_err, ENOENT);
}

static void test_capability_names(void **state)
{
	(void)state;
	struct capability_names names;

	capability_names(0, &names);
	assert_null(names.items[0]);
	capability_names(UINT64_C(1) | UINT64_C(1) << 21 | UINT64_C(1) << 63, &names);
	assert_string_equal(names.items[0], "cap_chown");
	assert_string_equal(names.items[1], "cap_sys_admin");
	assert_string_equal(names.items[2], "cap_63");
	assert_null(names.items[3]);
	capability_names(UINT64_MAX, &names);
	assert_string_equal(names.items[63], "cap_63");
	assert_null(names.items[64]);
}

static void test_capability_sources(void **state)
{
	(void)state;
	uint64_t mask = 5;
	const char *source;

	assert_int_equal(capability_get(CAPABILITY_EFFECTIVE, false, "CapEff:\t00000000a80425fb\n",
					&mask, &source),
			 0);
	assert_true(mask == 0xa80425fb);
	assert_string_equal(source, "/proc/self/status");
	assert_int_not_equal(
		capability_get(CAPABILITY_AMBIENT, false, "CapAmb:\tzz\n", &mask, &source), 0);
	assert_true(mask == 0xa80425fb);
	assert_int_equal(capability_get(CAPABILITY_BOUNDING, true, "", &mask, &source), 0);
	assert_string_equal(source, "prctl(PR_CAPBSET_READ)");
	assert_int_equal(capability_known(&mask), 0);
	assert_true(mask & 1);
}

static void test_id_map(void **state)
{
	(void)state;
	int64_t total = -1;
	struct buf map = BUF_INIT(64);

	assert_true(process_id_map("         0     1000          1\n 1  100000  65535\n", &map,
				   &total));
	assert_string_equal(buf_text(&map), "0 1000 1; 1 100000 65535");
	assert_true(total == 65536);
	buf_done(&map);
	assert_false(process_id_map("0 0\n", &map, &total));
	buf_done(&map);
	assert_false(process_id_map("0 -1 5\n", &map, &total));
	buf_done(&map);
	assert_false(process_id_map("0 0 4294967296\n", &map, &total));
	assert_true(total == 65536);
	buf_done(&map);
	assert_true(process_id_map("", &map, &total));
	assert_true(total == 0);
}

static void test_os_release(void **state)
{
	(void)state;
	static const char text[] =
		"# ID=no\nXID=no\nID=first\nID=debian  \r\nPRETTY_NAME=\"A \\\"b\\\" \\x\"\n"
		"VERSION_ID='1\\2'\nOPEN=\"abc\nEMPTY=\nPLAIN=a\\ b";
	char value[16] = "kept";

	assert_true(os_release_value(text, "ID", value, sizeof(value)));
	assert_string_equal(value, "debian");
	assert_true(os_release_value(text, "PRETTY_NAME", value, sizeof(value)));
	assert_string_equal(value, "A \"b\" \\x");
	assert_true(os_release_value(text, "VERSION_ID", value, sizeof(value)));
	assert_string_equal(value, "1\\2");
	assert_true(os_release_value(text, "PLAIN", value, sizeof(value)));
	assert_string_equal(value, "a b");
	assert_true(os_release_value(text, "EMPTY", value, sizeof(value)));
	assert_string_equal(value, "");
	assert_false(os_release_value(text, "OPEN", value, sizeof(value)));
	assert_false(os_release_value(text, "NONE", value, sizeof(value)));
	assert_false(os_release_value("ID=0123456789abcdef", "ID", value, sizeof(value)));
	assert_false(os_release_value("", "ID", value, sizeof(value)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passwd),
		cmocka_unit_test(test_passwd_too_long),
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_account_files),
		cmocka_unit_test(test_capability_names),
		cmocka_unit_test(test_capability_sources),
		cmocka_unit_test(test_id_map),
		cmocka_unit_test(test_os_release),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
