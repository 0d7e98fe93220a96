// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "core/store.h"

#define HEAD                                                                                       \
	"\"schema\": \"driftprobe.profile/1\", \"id\": \"12345678-1234-4234-8234-123456789012\", " \
	"\"taken_at\": \"2024-01-02T03:04:05Z\", "

static struct profile *parse(const char *json, struct store_error *error)
{
	memset(error, 0, sizeof(*error));
	struct profile *profile = store_parse_profile(json, strlen(json), error);
	/* A profile or a line, never both, never neither. */
	assert_int_equal(profile == NULL, error->text[0] != '\0');
	assert_null(strchr(error->text, '\n'));
	return profile;
}

static void refuses(const char *json, const char *word)
{
	struct store_error error;
	struct profile *profile = parse(json, &error);
	if (profile || !strstr(error.text, word))
		print_message("# %.200s: \"%s\" instead of \"%s\"\n", json, error.text, word);
	assert_null(profile);
	assert_non_null(strstr(error.text, word));
}

/* A document with these facts. */
static struct profile *parse_facts(const char *facts, struct store_error *error)
{
	cleanup_buf struct buf json = BUF_INIT(PTRDIFF_MAX);
	buf_printf(&json, "{" HEAD "\"facts\": [%s]}", facts);
	return parse(buf_text(&json), error);
}

static void refuses_fact(const char *fact, const char *word)
{
	cleanup_buf struct buf json = BUF_INIT(PTRDIFF_MAX);
	buf_printf(&json, "{" HEAD "\"facts\": [%s]}", fact);
	refuses(buf_text(&json), word);
}

static void test_document(void **state)
{
	(void)state;
	struct store_error error;
	cleanup_profile struct profile *profile = parse(
		"{" HEAD
		"\"duration_ms\": 9, \"probe\": {\"version\": \"0.1\", \"arch\": \"x86_64\"},"
		"\"labels\": {\"side\": \"here\", \"\": \"\"}, \"task\": \"t\", \"unknown\": [{}],"
		"\"layers\": [{\"id\": \"docker\", \"evidence\": \"e\", \"confidence\": \"likely\"}],"
		"\"facts\": [{\"key\": \"b\", \"value\": 2, \"source\": \"s\", \"unknown\": 1},"
		" {\"key\": \"a\", \"status\": \"denied\", \"errno\": \"EACCES\", \"source\": null}],"
		"\"findings\": [{\"id\": \"x.y\"}],"
		"\"coverage\": [{\"collector\": \"cpu\", \"status\": \"crashed\", \"duration_ms\": 3,"
		" \"note\": \"SIGSYS\"}, {\"collector\": \"net\", \"status\": \"ok\"}]}",
		&error);
	assert_non_null(profile);
	assert_string_equal(profile->id, "12345678-1234-4234-8234-123456789012");
	assert_string_equal(profile->taken_at, "2024-01-02T03:04:05Z");
	assert_int_equal(profile->duration_ms, 9);
	assert_string_equal(profile->probe_version, "0.1");
	assert_string_equal(profile->probe_arch, "x86_64");
	assert_string_equal(profile->task, "t");
	assert_int_equal(profile->label_count, 2);
	assert_string_equal(profile->labels[0].name, "side");
	assert_string_equal(profile->labels[0].value, "here");
	assert_int_equal(profile->layer_count, 1);
	assert_string_equal(profile->layers[0].id, "docker");
	assert_string_equal(profile->layers[0].evidence, "e");
	assert_int_equal(profile->layers[0].confidence, CONFIDENCE_LIKELY);
	assert_int_equal(profile->fact_count, 2);
	assert_string_equal(profile->facts[0].key, "a");
	assert_int_equal(profile->facts[0].status, FACT_DENIED);
	assert_int_equal(profile->facts[0].err, EACCES);
	assert_string_equal(profile->facts[0].source, "");
	assert_string_equal(profile->facts[1].key, "b");
	assert_string_equal(profile->facts[1].source, "s");
	assert_int_equal(profile->finding_count, 0);
	assert_int_equal(profile->coverage_count, 2);
	assert_int_equal(profile->coverage[0].status, COVERAGE_CRASHED);
	assert_int_equal(profile->coverage[0].duration_ms, 3);
	assert_string_equal(profile->coverage[0].note, "SIGSYS");
	assert_null(profile->coverage[1].note);
}

static void test_no_facts(void **state)
{
	(void)state;
	struct store_error error;
	cleanup_profile struct profile *profile = parse_facts("", &error);
	assert_non_null(profile);
	assert_int_equal(profile->fact_count, 0);
	assert_null(profile->task);
	assert_null(profile->probe_version);
}

static void test_values(void **state)
{
	(void)state;
	struct store_error error;
	cleanup_profile struct profile *profile = parse_facts(
		"{\"key\": \"a\", \"value\": \"\"}, {\"key\": \"b\", \"value\": \"\\u00e9\\n\\ud83d\\ude00\"},"
		"{\"key\": \"c\", \"value\": true}, {\"key\": \"d\", \"value\": false},"
		"{\"key\": \"e\", \"value\": 9223372036854775807},"
		"{\"key\": \"f\", \"value\": -9223372036854775808},"
		"{\"key\": \"g\", \"value\": 9223372036854775808}, {\"key\": \"h\", \"value\": 1.50},"
		"{\"key\": \"i\", \"value\": []}, {\"key\": \"j\", \"value\": [\"\", \"x\", \"[\\\"\"]},"
		"{\"key\": \"k\", \"value\": \"{\\\"a\\\": 1}\"},"
		"{\"key\": \"l\", \"value\": \"\\\\u0000\"}",
		&error);
	assert_non_null(profile);
	assert_string_equal(profile_text(profile, "a"), "");
	assert_string_equal(profile_text(profile, "b"), "\u00e9\n\U0001f600");
	assert_int_equal(profile_find(profile, "b")->value_len, 7);
	assert_true(profile_true(profile, "c"));
	assert_true(profile_false(profile, "d"));
	assert_int_equal(profile_int(profile, "e", 0), INT64_MAX);
	assert_int_equal(profile_int(profile, "f", 0), INT64_MIN);
	/* What an int64_t cannot hold: as text, as exact as a double is. */
	assert_string_equal(profile_text(profile, "g"), "9.2233720368547758e+18");
	assert_string_equal(profile_text(profile, "h"), "1.5");
	const struct fact *none = profile_find(profile, "i"), *list = profile_find(profile, "j");
	assert_int_equal(none->type, FACT_LIST);
	assert_int_equal(fact_list_count(none), 0);
	assert_int_equal(fact_list_count(list), 3);
	assert_int_equal(list->value_len, 6);
	assert_memory_equal(list->value, "\0x\0[\"", 6);
	assert_string_equal(profile_text(profile, "k"), "{\"a\": 1}");
	assert_string_equal(profile_text(profile, "l"), "\\u0000");
}

static void test_statuses(void **state)
{
	(void)state;
	for (int status = 0; status < FACT_STATUS_COUNT; status++) {
		struct store_error error;
		char fact[200];
		const char *name = fact_status_name((enum fact_status)status);
		snprintf(fact, sizeof(fact), "{\"key\": \"a.b\", \"status\": \"%s\"}", name);
		cleanup_profile struct profile *profile = parse_facts(fact, &error);
		/* ok without a value is a contradiction. */
		assert_int_equal(profile != NULL, status != FACT_OK);
		if (profile)
			assert_int_equal(profile->facts[0].status, status);
	}
}

static void test_errno(void **state)
{
	(void)state;
	struct store_error error;
	cleanup_profile struct profile *profile =
		parse_facts("{\"key\": \"a\", \"status\": \"skipped\", \"errno\": \"4242\"},"
			    "{\"key\": \"b\", \"status\": \"skipped\", \"errno\": \"EOFTOMORROW\"},"
			    "{\"key\": \"c\", \"status\": \"timeout\", \"errno\": null}",
			    &error);
	assert_non_null(profile);
	assert_int_equal(profile->facts[0].err, 4242);
	assert_int_equal(profile->facts[1].err, 0);
	assert_int_equal(profile->facts[2].err, 0);
	refuses_fact("{\"key\": \"a.b\", \"status\": \"denied\", \"errno\": 13}",
		     "(a.b) has an errno");
}

/* Of facts with one key the first stays, also when they do not stand side by side. */
static void test_duplicates(void **state)
{
	(void)state;
	struct store_error error;
	cleanup_profile struct profile *profile =
		parse_facts("{\"key\": \"b\", \"value\": 1}, {\"key\": \"a\", \"value\": 2},"
			    "{\"key\": \"b\", \"value\": 3}",
			    &error);
	assert_non_null(profile);
	assert_int_equal(profile->fact_count, 2);
	assert_int_equal(profile_int(profile, "b", 0), 1);
}

static void test_foreign(void **state)
{
	(void)state;
	static const char *const foreign[] = {
		"{}",
		"[]",
		"null",
		"1",
		"\"driftprobe.profile/1\"",
		"{\"schema\": null}",
		"{\"schema\": 1}",
		"{\"schema\": {\"schema\": \"driftprobe.profile/1\"}}",
		"{\"schema\": \"driftprobe.profile/\"}",
		"{\"schema\": \"driftprobe.profile/0\"}",
		"{\"schema\": \"driftprobe.profile/-2\"}",
		"{\"schema\": \"driftprobe.profile/ 1\"}",
		"{\"schema\": \"driftprobe.profile/1x\"}",
		"[{" HEAD "\"facts\": []}]",
	};
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		refuses(foreign[i], "not a driftprobe profile");
	refuses("{\"schema\": \"driftprobe.diff/1\"}",
		"not a driftprobe profile but driftprobe.diff/1;");
}

static void test_newer(void **state)
{
	(void)state;
	refuses("{\"schema\": \"driftprobe.profile/2\"}",
		"made by a newer driftprobe (schema driftprobe.profile/2); update this one");
	refuses("{\"schema\": \"driftprobe.profile/10\", \"facts\": 7}", "profile/10");
	refuses("{\"schema\": \"driftprobe.profile/99999999999999999999999\"}", "newer");
}

static void test_not_json(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",
		" ",
		"x",
		"{",
		"{" HEAD "\"facts\": []",
		"{" HEAD "\"facts\": [],}",
		"{" HEAD "\"facts\": []} x",
		"{" HEAD "\"facts\": [NaN]}",
		/* JSON5, which newer SQLite would take. */
		"{" HEAD "facts: []}",
		"{" HEAD "'facts': []}",
		"{" HEAD "\"facts\": [] /* */}",
		"{" HEAD "\"facts\": [{\"key\": \"a\", \"value\": 0x10}]}",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		refuses(texts[i], "not JSON");
}

/* Bytes that are no text, in front of SQLite, which lets some pass. */
static void test_not_text(void **state)
{
	(void)state;
	refuses("{" HEAD "\"facts\": [], \"task\": \"\xff\"}", "not JSON text");
	refuses("{" HEAD "\"facts\": [], \"task\": \"\xed\xa0\x80\"}", "not JSON text");
	refuses("{" HEAD "\"facts\": [], \"task\": \"\xc0\x80\"}", "not JSON text");
	struct store_error error = { "" };
	static const char nul[] = "{" HEAD "\"facts\": []}\0 ";
	assert_null(store_parse_profile(nul, sizeof(nul) - 1, &error));
	assert_non_null(strstr(error.text, "not JSON text"));
	/* The same, without what follows, is fine: the length counts, not the NUL. */
	struct profile *profile = store_parse_profile(nul, sizeof(nul) - 3, &error);
	assert_non_null(profile);
	profile_free(profile);
}

static void test_head(void **state)
{
	(void)state;
	static const char schema[] = "\"schema\": \"driftprobe.profile/1\", ";
	static const struct {
		const char *rest, *word;
	} bad[] = {
		{ "\"facts\": []", "no proper id" },
		{ "\"id\": \"\", \"taken_at\": \"2024\", \"facts\": []", "no proper id" },
		{ "\"id\": 7, \"taken_at\": \"2024\", \"facts\": []", "id is of a wrong kind" },
		{ "\"id\": \"../../x\", \"taken_at\": \"2024\", \"facts\": []", "no proper id" },
		{ "\"id\": \"a\\u0000b\", \"taken_at\": \"2024\", \"facts\": []", "holds a NUL" },
		{ "\"id\": \"0123456789012345678901234567890123456\", \"taken_at\": \"2024\"",
		  "no proper id" },
		{ "\"id\": \"a\", \"facts\": []", "no proper taken_at" },
		{ "\"id\": \"a\", \"taken_at\": \"now\", \"facts\": []", "no proper taken_at" },
		{ "\"id\": \"a\", \"taken_at\": [\"2024\"], \"facts\": []",
		  "taken_at is of a wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\"", "no facts" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": {}", "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": \"[]\"", "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"layers\": {}",
		  "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"coverage\": 1",
		  "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"labels\": []",
		  "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"duration_ms\": \"1\"",
		  "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"duration_ms\": -1",
		  "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"duration_ms\": 1e300",
		  "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"task\": {\"a\": 1}",
		  "wrong kind" },
		{ "\"id\": \"a\", \"taken_at\": \"2024\", \"facts\": [], \"probe\": {\"arch\": 1}",
		  "row 1 of its probe" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cleanup_buf struct buf json = BUF_INIT(4096);
		buf_printf(&json, "{%s%s}", schema, bad[i].rest);
		refuses(buf_text(&json), bad[i].word);
	}
}

static void test_bad_facts(void **state)
{
	(void)state;
	static const struct {
		const char *fact, *word;
	} bad[] = {
		{ "7", "fact 1 (no key) has no proper key" },
		{ "null", "no proper key" },
		{ "[\"key\"]", "no proper key" },
		{ "\"{\\\"key\\\": \\\"a\\\", \\\"value\\\": 1}\"", "no proper key" },
		{ "{\"value\": 1}", "no proper key" },
		{ "{\"key\": \"\", \"value\": 1}", "no proper key" },
		{ "{\"key\": 7, \"value\": 1}", "no proper key" },
		{ "{\"key\": [\"a\"], \"value\": 1}", "no proper key" },
		{ "{\"key\": \"a\\u0000b\", \"value\": 1}", "holds a NUL" },
		{ "{\"key\": \"\\ud800\", \"value\": 1}", "no proper key" },
		{ "{\"key\": \"a.b\"}", "fact 1 (a.b) has neither a value nor a status, or both" },
		{ "{\"key\": \"a.b\", \"value\": 1, \"status\": \"denied\"}", "or both" },
		{ "{\"key\": \"a.b\", \"status\": \"fine\"}", "(a.b) has an unknown status" },
		{ "{\"key\": \"a.b\", \"status\": \"denied\\u0000\"}", "holds a NUL" },
		{ "{\"key\": \"a.b\", \"status\": null}", "unknown status" },
		{ "{\"key\": \"a.b\", \"status\": 1}", "unknown status" },
		{ "{\"key\": \"a.b\", \"value\": null}", "(a.b) has a value of no known kind" },
		{ "{\"key\": \"a.b\", \"value\": {\"a\": 1}}", "no known kind" },
		{ "{\"key\": \"a.b\", \"value\": \"x\\u0000y\"}", "holds a NUL" },
		{ "{\"key\": \"a.b\", \"value\": \"\\udc00\"}", "(a.b) has a value" },
		{ "{\"key\": \"a.b\", \"value\": \"\\ud800x\"}", "(a.b) has a value" },
		{ "{\"key\": \"a.b\", \"value\": [1]}", "(a.b) has a list" },
		{ "{\"key\": \"a.b\", \"value\": [\"a\", null]}", "(a.b) has a list" },
		{ "{\"key\": \"a.b\", \"value\": [\"a\", [\"b\"]]}", "(a.b) has a list" },
		{ "{\"key\": \"a.b\", \"value\": [\"a\\u0000b\"]}", "holds a NUL" },
		{ "{\"key\": \"a.b\", \"value\": 1, \"source\": [\"x\"]}", "no proper source" },
		{ "{\"key\": \"a.b\", \"value\": 1, \"source\": \"\\u0000\"}", "holds a NUL" },
		{ "{\"key\": \"a\", \"value\": 1}, {\"key\": \"b\", \"value\": {}}",
		  "fact 2 (b) " },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refuses_fact(bad[i].fact, bad[i].word);
}

static void test_bad_rows(void **state)
{
	(void)state;
	static const struct {
		const char *rest, *word;
	} bad[] = {
		{ "\"layers\": [1]", "row 1 of its layers" },
		{ "\"layers\": [{\"id\": \"a\", \"evidence\": \"b\", \"confidence\": \"sure\"}]",
		  "row 1 of its layers" },
		{ "\"layers\": [{\"id\": \"a\", \"confidence\": \"likely\"}]",
		  "row 1 of its layers" },
		{ "\"coverage\": [{\"collector\": \"a\", \"status\": \"ok\"},"
		  " {\"collector\": \"b\", \"status\": \"fine\"}]",
		  "row 2 of its coverage" },
		{ "\"coverage\": [{\"collector\": \"a\", \"status\": \"ok\", \"duration_ms\": \"x\"}]",
		  "row 1 of its coverage" },
		{ "\"coverage\": [{\"collector\": \"a\", \"status\": \"ok\", \"note\": 1}]",
		  "row 1 of its coverage" },
		{ "\"coverage\": [{\"collector\": {}, \"status\": \"ok\"}]",
		  "row 1 of its coverage" },
		{ "\"labels\": {\"a\": \"b\", \"c\": 1}", "row 2 of its labels" },
		{ "\"labels\": {\"a\": \"\\u0000\"}", "holds a NUL" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cleanup_buf struct buf json = BUF_INIT(4096);
		buf_printf(&json, "{" HEAD "\"facts\": [], %s}", bad[i].rest);
		refuses(buf_text(&json), bad[i].word);
	}
}

static char *repeated(const char *what, size_t times)
{
	struct buf text = BUF_INIT(PTRDIFF_MAX);
	while (times--)
		buf_puts(&text, what);
	char *stolen = buf_steal(&text);
	assert_non_null(stolen);
	return stolen;
}

/* One fact: what stands before and behind len letters. */
static bool accepts_long(const char *before, size_t len, const char *behind)
{
	cleanup_buf struct buf fact = BUF_INIT(PTRDIFF_MAX);
	struct store_error error;
	char *letters = repeated("x", len);
	buf_printf(&fact, "%s%s%s", before, letters, behind);
	struct profile *profile = parse_facts(buf_text(&fact), &error);
	bool accepted = profile != NULL;
	profile_free(profile);
	free(letters);
	return accepted;
}

static void test_lengths(void **state)
{
	(void)state;
	static const char key[] = "{\"key\": \"", behind_key[] = "\", \"value\": 1}";
	static const char value[] = "{\"key\": \"a\", \"value\": \"", behind_value[] = "\"}";
	static const char item[] = "{\"key\": \"a\", \"value\": [\"\", \"", behind_item[] = "\"]}";
	assert_true(accepts_long(key, FACT_KEY_MAX - 1, behind_key));
	assert_false(accepts_long(key, FACT_KEY_MAX, behind_key));
	assert_true(accepts_long(value, FACT_VALUE_MAX, behind_value));
	assert_false(accepts_long(value, FACT_VALUE_MAX + 1, behind_value));
	assert_true(accepts_long(item, FACT_VALUE_MAX - 2, behind_item));
	assert_false(accepts_long(item, FACT_VALUE_MAX - 1, behind_item));
	/* A long key is cut in the message. */
	struct store_error error;
	char *letters = repeated("k", 500);
	cleanup_buf struct buf fact = BUF_INIT(2000);
	buf_printf(&fact, "{\"key\": \"%s\", \"value\": {}}", letters);
	assert_null(parse_facts(buf_text(&fact), &error));
	assert_non_null(strstr(error.text, "kkk) has a value of no known kind; take it again"));
	free(letters);
}

static void test_counts(void **state)
{
	(void)state;
	struct store_error error;
	cleanup_buf struct buf facts = BUF_INIT(PTRDIFF_MAX);
	for (int i = 0; i < FACT_COUNT_MAX; i++)
		buf_printf(&facts, "%s{\"key\": \"a%d\", \"value\": %d}", i ? "," : "", i, i);
	cleanup_profile struct profile *profile = parse_facts(buf_text(&facts), &error);
	assert_non_null(profile);
	assert_int_equal(profile->fact_count, FACT_COUNT_MAX);
	/* A key twice counts twice: what is thrown away later costs as much. */
	buf_puts(&facts, ",{\"key\": \"a0\", \"value\": 1}");
	assert_null(parse_facts(buf_text(&facts), &error));
	assert_non_null(strstr(error.text, "over 20000 facts"));

	char *rows = repeated("{\"collector\": \"a\", \"status\": \"ok\"},", 2000);
	cleanup_buf struct buf json = BUF_INIT(PTRDIFF_MAX);
	buf_printf(&json, "{" HEAD "\"facts\": [], \"coverage\": [%s 1]}", rows);
	refuses(buf_text(&json), "row 2001 of its coverage");
	free(rows);
}

static void test_deep_and_large(void **state)
{
	(void)state;
	char *brackets = repeated("[", 100000), *closing = repeated("]", 100000);
	char *blanks = repeated(" ", (16 << 20) + 1);
	cleanup_buf struct buf json = BUF_INIT(PTRDIFF_MAX);
	refuses(brackets, "not JSON");
	buf_printf(&json, "{" HEAD "\"facts\": %s%s}", brackets, closing);
	refuses(buf_text(&json), "not JSON");
	refuses(blanks, "over 16 MiB");
	/* One byte less is read, and is no JSON. */
	refuses(blanks + 1, "not JSON");
	free(brackets);
	free(closing);
	free(blanks);
}

/* A document cut off anywhere is refused, and never read past its end. */
static void test_cut_off(void **state)
{
	(void)state;
	static const char whole[] =
		"{" HEAD "\"facts\": [{\"key\": \"a\", \"value\": [\"\\u00e9\"]},"
		" {\"key\": \"b\", \"status\": \"denied\"}], \"labels\": {}}";
	for (size_t len = 0; len < sizeof(whole); len++) {
		struct store_error error = { "" };
		char *copy = malloc(len ? len : 1);
		assert_non_null(copy);
		memcpy(copy, whole, len);
		struct profile *profile = store_parse_profile(copy, len, &error);
		assert_int_equal(profile != NULL, len == sizeof(whole) - 1);
		profile_free(profile);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_document), cmocka_unit_test(test_no_facts),
		cmocka_unit_test(test_values),	 cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_errno),	 cmocka_unit_test(test_duplicates),
		cmocka_unit_test(test_foreign),	 cmocka_unit_test(test_newer),
		cmocka_unit_test(test_not_json), cmocka_unit_test(test_not_text),
		cmocka_unit_test(test_head),	 cmocka_unit_test(test_bad_facts),
		cmocka_unit_test(test_bad_rows), cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_counts),	 cmocka_unit_test(test_deep_and_large),
		cmocka_unit_test(test_cut_off),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
