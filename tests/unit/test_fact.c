// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/profile.h"
#include "core/sink_make.h"

static void test_keys(void **state)
{
	(void)state;
	char name[64];

	assert_string_equal(key_make("tools.tool", "python3", "version").text,
			    "tools.tool[python3].version");
	assert_string_equal(key_make("network.proxy", "http_proxy", NULL).text,
			    "network.proxy[http_proxy]");
	struct key odd = key_make("filesystem.dir", "/a]b\n%\x1b\xc3\xa9", "exec");
	assert_string_equal(odd.text, "filesystem.dir[/a%5Db%0A%25%1B%C3%A9].exec");
	assert_int_equal(key_name(odd.text, name, sizeof(name)), 9);
	assert_string_equal(name, "/a]b\n%\x1b\xc3\xa9");
	assert_int_equal(key_name("memory.limit", name, sizeof(name)), -1);
	assert_int_equal(key_name("a[unclosed", name, sizeof(name)), -1);

	char *long_name = malloc(5000);
	memset(long_name, ']', 4999);
	long_name[4999] = '\0';
	struct key cut = key_make("x.y", long_name, "property");
	assert_true(strlen(cut.text) < FACT_KEY_MAX);
	assert_string_equal(strchr(cut.text, ']'), "].property");
	free(long_name);
}

static void test_patterns(void **state)
{
	(void)state;
	assert_true(key_matches("a.b[x].c", "a.b[*].c"));
	assert_true(key_matches("a.b[x.y[z].c", "a.b[*].c"));
	assert_false(key_matches("a.b[x].d", "a.b[*].c"));
	assert_false(key_matches("a.b.c", "a.b[*].c"));
	assert_false(key_matches("a.b[x].cd", "a.b[*].c"));
	assert_true(key_matches("a.b[x].cd", "a.*"));
	assert_true(key_matches("network.proxy[http_proxy]", "network.proxy[*]"));
	assert_false(key_matches("a.b", "a.b.c"));
}

static void test_status(void **state)
{
	(void)state;
	for (int i = 0; i < FACT_STATUS_COUNT; i++)
		assert_int_equal(fact_status_parse(fact_status_name(i)), i);
	assert_int_equal(fact_status_parse("nonsense"), -1);
	assert_int_equal(fact_status_of(ENOENT), FACT_ABSENT);
	assert_int_equal(fact_status_of(EACCES), FACT_DENIED);
	assert_int_equal(fact_status_of(ENOSYS), FACT_UNSUPPORTED);
	assert_int_equal(fact_status_of(EMFILE), FACT_SKIPPED);
	assert_int_equal(fact_status_of(EBADMSG), FACT_MALFORMED);
}

static void test_profile(void **state)
{
	(void)state;
	cleanup_profile struct profile *profile = profile_new();
	struct sink *sink = sink_new_profile(profile);

	sink_int(sink, "b.two", 2, "");
	sink_int(sink, "b.two", 3, "");
	sink_text(sink, "a.one", "x", "");
	sink_bool(sink, "c.d[q].yes", false, "");
	sink_status(sink, "c.d[q].gone", FACT_ABSENT, ENOENT, "");
	sink_free(sink);
	profile_sort(profile);

	assert_int_equal(profile->fact_count, 4);
	assert_true(profile_int(profile, "b.two", 9) == 2);
	assert_true(profile_int(profile, "a.one", 9) == 9);
	assert_string_equal(profile_text(profile, "a.one"), "x");
	assert_null(profile_text(profile, "b.two"));
	assert_true(profile_false(profile, "c.d[q].yes"));
	assert_false(profile_false(profile, "c.d[q].gone"));
	assert_false(profile_true(profile, "nothing"));
	assert_false(profile_false(profile, "nothing"));
	const struct fact *fact = profile_next(profile, "c.d[*].*", NULL);
	assert_string_equal(fact->key, "c.d[q].gone");
	fact = profile_next(profile, "c.d[*].*", fact);
	assert_string_equal(fact->key, "c.d[q].yes");
	assert_null(profile_next(profile, "c.d[*].*", fact));
}

static void test_sink_bounds(void **state)
{
	(void)state;
	cleanup_profile struct profile *profile = profile_new();
	struct sink *sink = sink_new_profile(profile);
	char *big = malloc(FACT_VALUE_MAX + 2);

	memset(big, 'a', FACT_VALUE_MAX + 1);
	big[FACT_VALUE_MAX + 1] = '\0';
	sink_text(sink, "big", big, "");
	sink_text(sink, big, "value", "");
	sink_text_n(sink, "nul", "ab\0cd", 5, "");
	assert_int_equal(sink_dropped(sink), 1);
	profile_sort(profile);
	assert_int_equal(profile_find(profile, "big")->status, FACT_TRUNCATED);
	assert_string_equal(profile_text(profile, "nul"), "ab");
	sink_free(sink);
	free(big);
}

/* The stream comes from a child that may have been hit: nothing in it may be believed. */
static void test_decode_hostile(void **state)
{
	(void)state;
	char noise[256];
	struct sink_record record;

	memset(noise, 0xff, sizeof(noise));
	assert_int_equal(sink_decode(noise, sizeof(noise), &record), -1);
	assert_int_equal(sink_decode(noise, 3, &record), 0);
	memset(noise, 0, sizeof(noise));
	assert_int_equal(sink_decode(noise, sizeof(noise), &record), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),	    cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_status),	    cmocka_unit_test(test_profile),
		cmocka_unit_test(test_sink_bounds), cmocka_unit_test(test_decode_hostile),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
