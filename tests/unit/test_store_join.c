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
#include <time.h>

#include "base/buf.h"
#include "core/sink_make.h"
#include "core/store.h"

/* Writes each row down as "key:sides", L for local, R for remote. */
struct heard {
	struct buf text;
	int stop_after;
	size_t rows;
};

static int hear(const struct fact *local, const struct fact *remote, void *data)
{
	struct heard *heard = data;
	buf_printf(&heard->text, "%s:%s%s ", local ? local->key : remote->key, local ? "L" : "",
		   remote ? "R" : "");
	if (local && remote)
		assert_string_equal(local->key, remote->key);
	return ++heard->rows == (size_t)heard->stop_after;
}

static struct profile *made_by(void (*fill)(struct sink *sink))
{
	struct profile *profile = profile_new();
	struct sink *sink = sink_new_profile(profile);
	assert_non_null(sink);
	if (fill)
		fill(sink);
	sink_free(sink);
	profile_sort(profile);
	return profile;
}

static void joins(void (*here)(struct sink *), void (*there)(struct sink *), const char *rows,
		  size_t compared)
{
	cleanup_profile struct profile *local = made_by(here), *remote = made_by(there);
	struct heard heard = { .text = BUF_INIT(100000) };
	size_t count = 77;
	assert_int_equal(store_join(local, remote, hear, &heard, &count), 0);
	assert_string_equal(buf_text(&heard.text), rows);
	assert_int_equal(count, compared);
	buf_done(&heard.text);
}

static void here_facts(struct sink *sink)
{
	const char *const one[] = { "a", "b", NULL }, *const two[] = { "ab", NULL };
	sink_int(sink, "same.int", 7, "f");
	sink_text(sink, "same.text", "x", "f");
	sink_list(sink, "same.list", one, "f");
	sink_fail(sink, "same.denied", EACCES, "f");
	sink_int(sink, "z.int", 7, "f");
	sink_text(sink, "b.type", "1", "f");
	sink_list(sink, "c.list", two, "f");
	sink_bool(sink, "d.bool", true, "f");
	sink_text(sink, "e.status", "x", "f");
	sink_status(sink, "f.status", FACT_ABSENT, ENOENT, "f");
	sink_int(sink, "only.here", 1, "f");
}

static void there_facts(struct sink *sink)
{
	const char *const one[] = { "a", "b", NULL };
	/* Source and errno are no part of what is compared. */
	sink_int(sink, "same.int", 7, "g");
	sink_text(sink, "same.text", "x", "g");
	sink_list(sink, "same.list", one, "g");
	sink_fail(sink, "same.denied", EPERM, "g");
	sink_int(sink, "z.int", 8, "f");
	sink_int(sink, "b.type", 1, "f");
	sink_list(sink, "c.list", one, "f");
	sink_bool(sink, "d.bool", false, "f");
	sink_status(sink, "e.status", FACT_DENIED, EACCES, "f");
	sink_status(sink, "f.status", FACT_TIMEOUT, ETIMEDOUT, "f");
	sink_int(sink, "Only.there", 1, "f");
}

static void test_differences(void **state)
{
	(void)state;
	/* By key, byte by byte: upper case before lower. */
	joins(here_facts, there_facts,
	      "Only.there:R b.type:LR c.list:LR d.bool:LR e.status:LR f.status:LR only.here:L z.int:LR ",
	      12);
}

static void test_one_side(void **state)
{
	(void)state;
	joins(NULL, NULL, "", 0);
	joins(here_facts, here_facts, "", 11);
	joins(NULL, there_facts,
	      "Only.there:R b.type:R c.list:R d.bool:R e.status:R f.status:R same.denied:R "
	      "same.int:R same.list:R same.text:R z.int:R ",
	      11);
	joins(there_facts, NULL,
	      "Only.there:L b.type:L c.list:L d.bool:L e.status:L f.status:L same.denied:L "
	      "same.int:L same.list:L same.text:L z.int:L ",
	      11);
}

static void odd_keys(struct sink *sink)
{
	sink_int(sink, "a['; DROP TABLE a; --]", 1, "f");
	sink_int(sink, "a.%", 1, "f");
	sink_int(sink, "a._", 1, "f");
	sink_int(sink, "a.\xff", 1, "f");
	sink_int(sink, "1", 1, "f");
}

static void test_odd_keys(void **state)
{
	(void)state;
	joins(odd_keys, odd_keys, "", 5);
	joins(odd_keys, NULL, "1:L a.%:L a._:L a.\xff:L a['; DROP TABLE a; --]:L ", 5);
}

/* The row that says no is the last. */
static void test_stop(void **state)
{
	(void)state;
	cleanup_profile struct profile *local = made_by(here_facts), *remote = made_by(there_facts);
	struct heard heard = { .text = BUF_INIT(1000), .stop_after = 2 };
	size_t compared;
	assert_int_equal(store_join(local, remote, hear, &heard, &compared), -1);
	assert_int_equal(heard.rows, 2);
	buf_done(&heard.text);
}

/* The facts are given as they stand in the profiles, not as copies. */
static int borrowed(const struct fact *local, const struct fact *remote, void *data)
{
	const struct profile *const *sides = data;
	assert_ptr_equal(local, profile_find(sides[0], "z.int"));
	assert_ptr_equal(remote, profile_find(sides[1], "z.int"));
	return 0;
}

static void seven(struct sink *sink)
{
	sink_int(sink, "a", 1, "f");
	sink_int(sink, "z.int", 7, "f");
}

static void eight(struct sink *sink)
{
	sink_int(sink, "z.int", 8, "f");
	sink_int(sink, "a", 1, "f");
}

static void test_borrowed(void **state)
{
	(void)state;
	cleanup_profile struct profile *local = made_by(seven), *remote = made_by(eight);
	const struct profile *sides[] = { local, remote };
	size_t compared;
	assert_int_equal(store_join(local, remote, borrowed, sides, &compared), 0);
	assert_int_equal(compared, 2);
}

static void many(struct sink *sink)
{
	char key[32];
	for (int i = 0; i < FACT_COUNT_MAX; i++) {
		snprintf(key, sizeof(key), "k.%05d", i * 7919 % FACT_COUNT_MAX);
		sink_int(sink, key, i, "f");
	}
}

/* As many facts as there may be: every one compared, in a time that is far from quadratic. */
static void test_many(void **state)
{
	(void)state;
	struct timespec start, end;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	joins(many, many, "", FACT_COUNT_MAX);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	assert_true(end.tv_sec - start.tv_sec < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences), cmocka_unit_test(test_one_side),
		cmocka_unit_test(test_odd_keys),    cmocka_unit_test(test_stop),
		cmocka_unit_test(test_borrowed),    cmocka_unit_test(test_many),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
