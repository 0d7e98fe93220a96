// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/sink_make.h"
#include "core/store.h"
#include "format/json.h"
#include "format/json_writer.h"

static void emits(const char *text, size_t len, const char *json)
{
	cleanup_buf struct buf out = BUF_INIT(100000);
	struct json_writer w = { .out = &out };
	json_text_n(&w, NULL, text, len);
	assert_string_equal(buf_text(&out), json);
}

#define EMITS(text, json) emits(text, sizeof(text) - 1, json)

static void test_escapes(void **state)
{
	(void)state;
	EMITS("plain", "\"plain\"");
	EMITS("", "\"\"");
	EMITS("a\"b\\c/", "\"a\\\"b\\\\c/\"");
	EMITS("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"");
	EMITS("\0\x01\x1f\x7f", "\"\\u0000\\u0001\\u001f\\u007f\"");
	EMITS("\033[31m", "\"\\u001b[31m\"");
	EMITS("\u00e9\u20ac\U0001f600", "\"\u00e9\u20ac\U0001f600\"");
}

/* Never broken UTF-8: overlong, surrogates, past the end of Unicode, cut off, a stray byte. */
static void test_invalid_utf8(void **state)
{
	(void)state;
	EMITS("a\xff"
	      "b",
	      "\"a\\ufffdb\"");
	EMITS("\xc0\xaf", "\"\\ufffd\\ufffd\"");
	EMITS("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
	EMITS("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	EMITS("x\xe2\x82", "\"x\\ufffd\\ufffd\"");
}

static void test_secrets(void **state)
{
	(void)state;
	EMITS("http://u:p@h/", "\"http://[redacted]@h/\"");
	cleanup_buf struct buf out = BUF_INIT(100000);
	struct json_writer w = { .out = &out };
	json_open(&w, NULL, '{');
	json_text(&w, "http://u:p@h/", "password=hunter2");
	json_close(&w, '}');
	assert_null(strstr(buf_text(&out), "hunter2"));
	assert_null(strstr(buf_text(&out), "u:p"));
}

/* What is too long for the redactor to check does not pass unchecked. */
static void test_too_long(void **state)
{
	(void)state;
	size_t len = FACT_VALUE_MAX + 1;
	char *text = malloc(len);
	assert_non_null(text);
	memset(text, 'a', len);
	emits(text, len, "\"[redacted]\"");
	free(text);
}

static void test_nesting(void **state)
{
	(void)state;
	cleanup_buf struct buf out = BUF_INIT(100000);
	struct json_writer w = { .out = &out };
	json_open(&w, NULL, '{');
	json_open(&w, "empty", '[');
	json_close(&w, ']');
	json_open(&w, "rows", '[');
	for (int i = 0; i < 2; i++) {
		json_open_row(&w);
		json_int(&w, "n", i ? INT64_MIN : INT64_MAX);
		json_open(&w, "list", '[');
		json_bool(&w, NULL, true);
		json_bool(&w, NULL, false);
		json_text(&w, NULL, NULL);
		json_close(&w, ']');
		json_close_row(&w);
	}
	json_close(&w, ']');
	json_close(&w, '}');
	assert_string_equal(buf_text(&out),
			    "{\n"
			    "  \"empty\": [],\n"
			    "  \"rows\": [\n"
			    "    {\"n\": 9223372036854775807, \"list\": [true, false, null]},\n"
			    "    {\"n\": -9223372036854775808, \"list\": [true, false, null]}\n"
			    "  ]\n"
			    "}");
}

static void fill(struct profile *profile)
{
	struct sink *sink = sink_new_profile(profile);
	const char *const items[] = { "one", "two", NULL };
	const char *const none[] = { NULL };
	assert_non_null(sink);
	sink_text(sink, "a.text", "v\033", "uname");
	sink_int(sink, "a.size_bytes", 4096, "/proc/x");
	sink_bool(sink, "a.yes", true, "");
	sink_list(sink, "a.list", items, "f");
	sink_list(sink, "a.none", none, "f");
	sink_fail(sink, "a.denied", EACCES, "/x");
	sink_fail(sink, "a.odd", 4242, "/x");
	sink_status(sink, "a.skipped", FACT_SKIPPED, 0, "/x");
	sink_free(sink);
	strcpy(profile->id, "12345678-1234-4234-8234-123456789012");
	strcpy(profile->taken_at, "2024-01-02T03:04:05Z");
	profile->duration_ms = 7;
	profile->probe_version = strdup("1.2.3");
	profile->probe_arch = strdup("x86_64");
	assert_int_equal(profile_add_label(profile, "side", "here"), 0);
	struct coverage coverage = { strdup("a"), COVERAGE_TIMEOUT, 12, strdup("slow") };
	assert_int_equal(profile_add_coverage(profile, coverage), 0);
	struct layer layer = { strdup("docker"), strdup("signs"), CONFIDENCE_LIKELY };
	assert_int_equal(profile_add_layer(profile, layer), 0);
	profile_sort(profile);
}

static void has_line(const char *text, const char *line)
{
	const char *at = strstr(text, line);
	if (!at)
		print_message("# no line %s in\n# %s\n", line, text);
	assert_non_null(at);
	assert_true(at == text || at[-1] == '\n');
}

static void test_profile(void **state)
{
	(void)state;
	cleanup_profile struct profile *profile = profile_new();
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	fill(profile);
	json_profile(profile, &out);
	const char *text = buf_text(&out);

	assert_false(buf_failed(&out));
	has_line(text, "{\n  \"schema\": \"driftprobe.profile/1\",\n"
		       "  \"id\": \"12345678-1234-4234-8234-123456789012\",\n"
		       "  \"taken_at\": \"2024-01-02T03:04:05Z\",\n");
	has_line(text,
		 "    {\"key\": \"a.text\", \"value\": \"v\\u001b\", \"source\": \"uname\"},\n");
	has_line(text,
		 "    {\"key\": \"a.size_bytes\", \"value\": 4096, \"source\": \"/proc/x\"},\n");
	has_line(text, "    {\"key\": \"a.yes\", \"value\": true, \"source\": \"\"}\n");
	has_line(text,
		 "    {\"key\": \"a.list\", \"value\": [\"one\", \"two\"], \"source\": \"f\"},\n");
	has_line(text, "    {\"key\": \"a.none\", \"value\": [], \"source\": \"f\"},\n");
	has_line(text, "    {\"key\": \"a.denied\", \"status\": \"denied\", \"errno\": \"EACCES\", "
		       "\"source\": \"/x\"},\n");
	has_line(text, "    {\"key\": \"a.odd\", \"status\": \"skipped\", \"errno\": \"4242\", "
		       "\"source\": \"/x\"},\n");
	has_line(text,
		 "    {\"key\": \"a.skipped\", \"status\": \"skipped\", \"source\": \"/x\"},\n");
	has_line(text, "    {\"collector\": \"a\", \"status\": \"timeout\", \"duration_ms\": 12, "
		       "\"note\": \"slow\"}\n");
	assert_null(strstr(text, "\"task\""));
	assert_string_equal(text + out.len - 3, "\n}\n");
}

/* What is written can be read, and means the same: the document is its own proof. */
static void test_round_trip(void **state)
{
	(void)state;
	cleanup_profile struct profile *profile = profile_new();
	cleanup_buf struct buf out = BUF_INIT(1 << 20), again = BUF_INIT(1 << 20);
	struct store_error error;
	fill(profile);
	profile->task = strdup("t1");
	json_profile(profile, &out);
	cleanup_profile struct profile *read = store_parse_profile(out.data, out.len, &error);
	assert_non_null(read);
	json_profile(read, &again);
	assert_string_equal(buf_text(&again), buf_text(&out));
	assert_int_equal(profile_find(read, "a.denied")->err, EACCES);
	assert_int_equal(fact_list_count(profile_find(read, "a.list")), 2);
}

static void test_no_room(void **state)
{
	(void)state;
	cleanup_profile struct profile *profile = profile_new();
	cleanup_buf struct buf out = BUF_INIT(200);
	fill(profile);
	json_profile(profile, &out);
	assert_true(buf_failed(&out));
}

static void test_drift(void **state)
{
	(void)state;
	cleanup_profile struct profile *local = profile_new(), *remote = profile_new();
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	char title[] = "Something is gone";
	fill(local);
	fill(remote);
	struct drift_row row = { .key = "a.yes",
				 .change = DRIFT_NOT_COMPARABLE,
				 .local = profile_find(local, "a.yes"),
				 .severity = SEVERITY_SUBTLE,
				 .rule = "drift.x",
				 .title = title,
				 .who = WHO_HOST };
	struct drift drift = { .rows = &row, .count = 1, .compared = 9, .ignored = 2 };
	json_drift(local, remote, &drift, &out);
	const char *text = buf_text(&out);
	has_line(text, "{\n  \"schema\": \"driftprobe.diff/1\",\n  \"local\": {\n    \"id\": ");
	has_line(text, "      \"change\": \"not-comparable\",\n");
	has_line(text, "      \"remote\": null,\n");
	has_line(text, "      \"consequence\": null,\n");
	has_line(text, "      \"who\": \"host\"\n");
	has_line(text, "  \"compared\": 9,\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escapes), cmocka_unit_test(test_invalid_utf8),
		cmocka_unit_test(test_secrets), cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_nesting), cmocka_unit_test(test_profile),
		cmocka_unit_test(test_no_room), cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_drift),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
