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
#include "format/escape.h"
#include "format/sheet.h"
#include "format/text.h"

static const struct text_style plain = { .columns = 60 };

static void has(const struct buf *out, const char *text)
{
	if (!strstr(buf_text(out), text))
		print_message("# no \"%s\" in\n%s\n", text, buf_text(out));
	assert_non_null(strstr(buf_text(out), text));
}

static void has_not(const struct buf *out, const char *text)
{
	if (strstr(buf_text(out), text))
		print_message("# \"%s\" is in\n%s\n", text, buf_text(out));
	assert_null(strstr(buf_text(out), text));
}

static void escapes_to(const char *text, size_t len, const char *escaped)
{
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	escape_text(text, len, &out);
	assert_string_equal(buf_text(&out), escaped);
}

#define ESCAPES(text, escaped) escapes_to(text, sizeof(text) - 1, escaped)

static void test_escapes(void **state)
{
	(void)state;
	ESCAPES("plain \u00e9\u20ac", "plain \u00e9\u20ac");
	ESCAPES("\033[2J\a\r\n\t\x7f", "\\x1b[2J\\x07\\x0d\\x0a\\x09\\x7f");
	ESCAPES("\0x", "\\x00x");
	ESCAPES("\xc2\x9b"
		"31m",
		"\\x9b31m"); /* CSI as one character */
	ESCAPES("\xff\xc0\x80", "\\xff\\xc0\\x80");
	ESCAPES("a\u202eb\u2066c\u200d", "a\\u{202e}b\\u{2066}c\\u{200d}");
	ESCAPES("\ufeff\U000e0041", "\\u{feff}\\u{e0041}");
	ESCAPES("http://u:p@h/", "http://[redacted]@h/");
}

static void test_wrap(void **state)
{
	(void)state;
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	struct text_style style = { .columns = 40 };
	struct sheet sheet = { &out, &style };
	sheet_wrap(&sheet, SHEET_PLAIN, "lead", 10, "one two three four five six seven eight");
	assert_string_equal(buf_text(&out), "lead      one two three four five six\n"
					    "          seven eight\n");
	/* What fits on no line stands alone and whole. */
	buf_done(&out);
	sheet_wrap(&sheet, SHEET_PLAIN, "", 0,
		   "x /a/path/that/is/far/longer/than/the/line/is/wide y");
	assert_string_equal(buf_text(&out),
			    "x\n/a/path/that/is/far/longer/than/the/line/is/wide\ny\n");
}

static void test_colour(void **state)
{
	(void)state;
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	struct text_style style = { .columns = 40, .colour = true };
	struct sheet sheet = { &out, &style };
	sheet_put(&sheet, SHEET_RED, "bad", 5);
	assert_string_equal(buf_text(&out), "\033[31mbad\033[0m  ");
	style.colour = false;
	buf_done(&out);
	sheet_put(&sheet, SHEET_RED, "bad\033", 9);
	assert_string_equal(buf_text(&out), "bad\\x1b  ");
}

static struct profile *make(const char *host)
{
	struct profile *profile = profile_new();
	struct sink *sink = sink_new_profile(profile);
	const char *const caps[] = { "cap_chown", "cap_kill", NULL };
	assert_non_null(sink);
	sink_text(sink, "kernel.sysname", "Linux", "uname");
	sink_text(sink, "kernel.hostname", host, "uname");
	sink_text(sink, "kernel.release", "6.1\033[2J", "uname");
	sink_int(sink, "memory.total_bytes", 8LL << 30, "/proc/meminfo");
	sink_fail(sink, "memory.limit_bytes", EACCES, "/sys/fs/cgroup/memory.max");
	sink_text(sink, "limits.pids.limit", "max", "pids.max");
	sink_int(sink, "identity.euid", 1000, "geteuid");
	sink_list(sink, "identity.capabilities.effective", caps, "capget");
	sink_bool(sink, "filesystem.dir[/tmp].create", true, "openat");
	sink_bool(sink, "filesystem.dir[/tmp].exec", false, "execve");
	sink_bool(sink, "filesystem.dir[/ro].create", false, "openat");
	sink_text(sink, "filesystem.dir[/ro].create_errno", "EROFS", "openat");
	sink_fail(sink, "tools.tool[git].path", ENOENT, "PATH");
	sink_fail(sink, "tools.tool[node].path", EACCES, "PATH");
	sink_text(sink, "tools.tool[python3].path", "/usr/bin/python3", "PATH");
	sink_text(sink, "tools.tool[python3].version", "3.11.2", "python3 --version");
	sink_free(sink);
	strcpy(profile->id, "12345678-1234-4234-8234-123456789012");
	strcpy(profile->taken_at, "2024-01-02T03:04:05Z");
	profile_sort(profile);
	return profile;
}

static void find(struct profile *profile, const char *id, enum severity severity,
		 enum confidence confidence)
{
	struct finding finding = { .id = strdup(id),
				   .severity = severity,
				   .title = strdup("A title"),
				   .consequence = strdup("A consequence."),
				   .confidence = confidence,
				   .remedy = strdup("A remedy."),
				   .who = WHO_IMAGE,
				   .evidence = calloc(1, sizeof(char *)),
				   .evidence_count = 1 };
	finding.evidence[0] = strdup("memory.total_bytes");
	assert_int_equal(profile_add_finding(profile, finding), 0);
}

static void test_summary(void **state)
{
	(void)state;
	cleanup_profile struct profile *profile = make("box");
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	find(profile, "a.one", SEVERITY_DEGRADED, CONFIDENCE_LIKELY);
	find(profile, "a.two", SEVERITY_INFO, CONFIDENCE_CERTAIN);
	struct coverage lost = { strdup("network"), COVERAGE_CRASHED, 3, strdup("SIGSYS") };
	assert_int_equal(profile_add_coverage(profile, lost), 0);
	text_profile(profile, &plain, &out);

	has(&out, "nothing that we know of");
	has(&out, "Linux 6.1\\x1b[2J");
	has(&out, "uid 1000 (no name), 2 capabilities");
	has(&out, "  memory      8 GiB        unknown");
	has(&out, "  processes   -            no limit     -\n");
	has(&out, "takes files  /tmp noexec\n");
	has(&out, "refuses      /ro (EROFS)\n");
	has(&out, "tools        python3 3.11.2\n");
	has(&out, "missing      git\n");
	has(&out, "unknown      node\n");
	has(&out, "blind spot   network: crashed, SIGSYS\n");
	has(&out, "What will bite an agent: 1 degraded, 1 info; info is");
	has(&out, "degraded  A title  (likely)");
	has(&out, "memory.total_bytes: 8 GiB  (/proc/meminfo)");
	has(&out, "A remedy.");
	has(&out, "image; explain");
	has(&out, "a.one");
	has_not(&out, "a.two");
	has_not(&out, "\033");
	has_not(&out, " \n");

	struct text_style all = { .columns = 60, .all = true };
	buf_done(&out);
	text_profile(profile, &all, &out);
	has(&out, "a.two");
}

/* Of what was not looked at there is no line: it would read as an answer. */
static void test_summary_of_nothing(void **state)
{
	(void)state;
	cleanup_profile struct profile *profile = profile_new();
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	struct coverage left_out = { strdup("network"), COVERAGE_SKIPPED, 0, NULL };
	assert_int_equal(profile_add_coverage(profile, left_out), 0);
	text_profile(profile, &plain, &out);
	has(&out, "left out     network\n");
	has_not(&out, "we are");
	has_not(&out, "takes files");
	has_not(&out, "tools");
	has_not(&out, "limits");
	has_not(&out, "route");
}

static struct drift_row row(const struct profile *local, const struct profile *remote,
			    const char *key, enum drift_change change, enum severity severity,
			    char *title)
{
	return (struct drift_row){ .key = key,
				   .change = change,
				   .local = profile_find(local, key),
				   .remote = profile_find(remote, key),
				   .severity = severity,
				   .rule = "drift.x",
				   .title = title,
				   .consequence = title,
				   .remedy = title,
				   .who = WHO_RUNTIME };
}

static void test_drift(void **state)
{
	(void)state;
	cleanup_profile struct profile *local = make("here-host"), *remote = make("there\033host");
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	char lost[] = "Lost.", hidden[] = "Only info.", blind[] = "Blind.";
	const char *const fewer[] = { "cap_kill", NULL };
	struct sink *sink = sink_new_profile(remote);
	sink_list(sink, "identity.capabilities.z", fewer, "capget");
	sink_free(sink);
	profile_sort(remote);
	struct drift_row rows[] = {
		row(local, remote, "identity.capabilities.effective", DRIFT_CHANGED,
		    SEVERITY_DEGRADED, lost),
		row(local, remote, "memory.total_bytes", DRIFT_CHANGED, SEVERITY_INFO, hidden),
		row(local, remote, "memory.limit_bytes", DRIFT_NOT_COMPARABLE, SEVERITY_INFO,
		    blind),
	};
	rows[0].remote = profile_find(remote, "identity.capabilities.z");
	rows[2].local = NULL;
	struct drift drift = { .rows = rows, .count = 3, .compared = 20 };
	text_drift(local, remote, &drift, &plain, &out);

	has(&out, "here:   here-host");
	has(&out, "there:  there\\x1bhost");
	has(&out, "degraded  Lost.");
	has(&out, "without cap_chown");
	has(&out, "[runtime]");
	has_not(&out, "Only info.");
	has_not(&out, "Blind.");
	has(&out, "Could not be compared");
	has(&out, "here: says nothing of it; there: denied");
	has(&out, "1 degraded");
	has_not(&out, " \n");
	has(&out, "--all");
	has_not(&out, "\033");

	struct text_style all = { .columns = 60, .all = true };
	buf_done(&out);
	text_drift(local, remote, &drift, &all, &out);
	has(&out, "Only info.");
	has(&out, "8 GiB -> 8 GiB");
}

static void test_drift_names(void **state)
{
	(void)state;
	cleanup_profile struct profile *local = make("a"), *remote = make("b");
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	char title[] = "Tools are missing there";
	struct drift_row rows[3];
	const char *const keys[] = { "tools.tool[git].path", "tools.tool[node].path",
				     "tools.tool[python3].path" };
	for (size_t i = 0; i < 3; i++)
		rows[i] = row(local, remote, keys[i], DRIFT_LOST, SEVERITY_DEGRADED, title);
	struct drift drift = { .rows = rows, .count = 3, .compared = 3 };
	text_drift(local, remote, &drift, &plain, &out);
	has(&out, "Tools are missing there (3): git, node, python3");
}

/* More reasons than there is room for are counted, not lost, and not written past the end. */
static void test_drift_many_reasons(void **state)
{
	(void)state;
	cleanup_profile struct profile *local = make("a"), *remote = make("b");
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	const struct text_style wide = { .columns = 200 };
	char title[] = "Blind.";
	struct drift_row rows[40];
	struct fact facts[40] = { 0 };
	for (int i = 0; i < 40; i++) {
		facts[i] = (struct fact){ .key = title, .status = FACT_DENIED, .err = i + 1 };
		rows[i] = row(local, remote, "kernel.sysname", DRIFT_NOT_COMPARABLE, SEVERITY_INFO,
			      title);
		rows[i].remote = &facts[i];
	}
	struct drift drift = { .rows = rows, .count = 40, .compared = 40 };
	text_drift(local, remote, &drift, &wide, &out);
	has(&out, "there: denied (EPERM) (1)");
	has(&out, "other reasons (25)");
	has(&out, "40 not comparable");
}

static void test_rule(void **state)
{
	(void)state;
	const struct rule *rule = rules_find("memory.limit-hidden");
	cleanup_buf struct buf out = BUF_INIT(1 << 20);
	assert_non_null(rule);
	text_rule(rule, &plain, &out);
	has(&out, "memory.limit-hidden");
	has(&out, "kubernetes");
	has(&out, "ignore it");
	has_not(&out, "%s");
	buf_done(&out);
	text_rules(&plain, &out);
	has(&out, "\ntools.no-shell");
	has(&out, "fatal");
	has_not(&out, "%s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_colour),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_summary_of_nothing),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_drift_names),
		cmocka_unit_test(test_drift_many_reasons),
		cmocka_unit_test(test_rule),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
