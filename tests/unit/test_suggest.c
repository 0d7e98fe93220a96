// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/suggest.h"

static const char *nearest(const char *typed)
{
	static const char *const words[] = { "collect", "diff", "explain", "help" };
	struct suggest suggest = suggest_start(typed);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		suggest_offer(&suggest, words[i]);
	return suggest.best;
}

static void test_kinds_of_slips(void **state)
{
	(void)state;
	assert_string_equal(nearest("colect"), "collect"); /* left out */
	assert_string_equal(nearest("colllect"), "collect"); /* added */
	assert_string_equal(nearest("cillect"), "collect"); /* wrong */
	assert_string_equal(nearest("ocllect"), "collect"); /* swapped */
	assert_string_equal(nearest("idff"), "diff");
	assert_string_equal(nearest("explain"), "explain");
}

static void test_beginnings(void **state)
{
	(void)state;
	assert_string_equal(nearest("c"), "collect");
	assert_string_equal(nearest("exp"), "explain");
}

static void test_nothing_near(void **state)
{
	(void)state;
	assert_null(nearest("upload"));
	assert_null(nearest("zzz"));
	assert_null(nearest(""));
}

static void test_the_nearer_wins(void **state)
{
	(void)state;
	struct suggest suggest = suggest_start("skip");
	suggest_offer(&suggest, "ship");
	assert_string_equal(suggest.best, "ship");
	suggest_offer(&suggest, "skip");
	assert_string_equal(suggest.best, "skip");
	assert_int_equal(suggest.distance, 0);
	suggest_offer(&suggest, "slip");
	assert_string_equal(suggest.best, "skip");
}

/* A hostile argument may be as long as it likes. */
static void test_long_words(void **state)
{
	(void)state;
	char word[5000];
	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_null(nearest(word));
	word[64] = '\0';
	struct suggest suggest = suggest_start(word);
	word[63] = 'y';
	suggest_offer(&suggest, word);
	assert_ptr_equal(suggest.best, word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds_of_slips), cmocka_unit_test(test_beginnings),
		cmocka_unit_test(test_nothing_near),   cmocka_unit_test(test_the_nearer_wins),
		cmocka_unit_test(test_long_words),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
