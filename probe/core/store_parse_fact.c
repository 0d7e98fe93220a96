// SPDX-License-Identifier: Apache-2.0
/* The facts of a profile's document. */
#include "core/store_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/errno_name.h"

#define SOURCE_MAX 65536
#define WORD_MAX   64

/*
 * The facts, a row for each member: SQLite renders and reads each fact once. A fact without members, or one that
 * is no object, still gives a row.
 */
static const char facts_sql[] =
	"SELECT f.key, m.key, m.type,"
	" CASE typeof(m.value) WHEN 'real' THEN printf('%!.17g', m.value) ELSE m.value END"
	" FROM json_each(?1, '$.facts') f"
	" LEFT JOIN json_each(CASE f.type WHEN 'object' THEN f.value END) m";
enum { M_FACT, M_NAME, M_TYPE, M_VALUE };

static const char items_sql[] = "SELECT CASE type WHEN 'text' THEN value END FROM json_each(?1)";

/* A fact whose members come one by one. */
struct draft {
	struct fact fact;
	sqlite3_stmt *items; /* borrowed: reads lists */
	sqlite3_int64 at; /* its place among the facts */
	unsigned int seen; /* bits of members[] */
	const char *problem; /* the first thing wrong with it */
};

/* A member that is text, or null where that is as good as missing. */
static bool member_text(struct parser *parser, sqlite3_stmt *row, size_t max, char **out)
{
	return parser_is(row, M_TYPE, "null") ||
	       (parser_is(row, M_TYPE, "text") && parser_need_text(parser, row, M_VALUE, max, out));
}

static const char *take_key(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	return member_text(parser, row, FACT_KEY_MAX - 1, &draft->fact.key) ? NULL
									    : "has no proper key";
}

static const char *take_source(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	return member_text(parser, row, SOURCE_MAX, &draft->fact.source) ? NULL
									 : "has no proper source";
}

static const char *take_status(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	int status = parser_is(row, M_TYPE, "text")
			     ? parser_word(parser, row, M_VALUE, fact_status_parse)
			     : -1;
	if (status <= FACT_OK)
		return "has an unknown status";
	draft->fact.status = (enum fact_status)status;
	return NULL;
}

static const char *take_errno(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	cleanup_free char *name = NULL;
	if (!member_text(parser, row, WORD_MAX, &name))
		return "has an errno that is no name";
	draft->fact.err = name ? errno_parse(name) : 0;
	return NULL;
}

/* The items of an array of strings, each ended by a NUL, as a LIST holds them. */
static const char *take_list(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	cleanup_buf struct buf list = BUF_INIT(FACT_VALUE_MAX);
	sqlite3_stmt *items = draft->items;
	int code = sqlite3_reset(items);
	if (!code)
		code = sqlite3_bind_value(items, 1, sqlite3_column_value(row, M_VALUE));
	while (!code && (code = sqlite3_step(items)) == SQLITE_ROW) {
		cleanup_free char *item = NULL;
		if (!parser_need_text(parser, items, 0, FACT_VALUE_MAX, &item) ||
		    buf_add(&list, item, strlen(item) + 1))
			return "has a list of something else than short strings";
		code = SQLITE_OK;
	}
	sqlite3_reset(items);
	if (code != SQLITE_DONE)
		return "has a list that cannot be read";
	draft->fact.type = FACT_LIST;
	draft->fact.value_len = list.len;
	draft->fact.value = buf_steal(&list);
	parser->starved |= !draft->fact.value;
	return draft->fact.value ? NULL : "has a list that does not fit";
}

static const char *take_int(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	(void)parser;
	draft->fact.type = FACT_INT;
	draft->fact.number = sqlite3_column_int64(row, M_VALUE);
	return NULL;
}

static const char *take_bool(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	take_int(parser, row, draft);
	draft->fact.type = FACT_BOOL;
	return NULL;
}

static const char *take_string(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	draft->fact.type = FACT_TEXT;
	if (!parser_need_text(parser, row, M_VALUE, FACT_VALUE_MAX, &draft->fact.value))
		return "has a value that is too long or not text";
	draft->fact.value_len = strlen(draft->fact.value);
	return NULL;
}

/* Kinds of a value: JSON's, and what SQLite makes of it. */
static const struct kind {
	const char *type;
	int column;
	const char *(*take)(struct parser *parser, sqlite3_stmt *row, struct draft *draft);
} kinds[] = {
	{ "text", SQLITE_TEXT, take_string },
	{ "integer", SQLITE_INTEGER, take_int },
	{ "true", SQLITE_INTEGER, take_bool },
	{ "false", SQLITE_INTEGER, take_bool },
	{ "array", SQLITE_TEXT, take_list },
	/* A fraction, or beyond 64 bits: as text, with all the digits that a double has. */
	{ "real", SQLITE_TEXT, take_string },
	{ "integer", SQLITE_TEXT, take_string },
};

static const char *take_value(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (parser_is(row, M_TYPE, kinds[i].type) &&
		    sqlite3_column_type(row, M_VALUE) == kinds[i].column)
			return kinds[i].take(parser, row, draft);
	return "has a value of no known kind";
}

enum { HAS_KEY, HAS_VALUE, HAS_STATUS };

static const struct member {
	const char *name;
	const char *(*take)(struct parser *parser, sqlite3_stmt *row, struct draft *draft);
} members[] = {
	[HAS_KEY] = { "key", take_key },
	[HAS_VALUE] = { "value", take_value },
	[HAS_STATUS] = { "status", take_status },
	{ "errno", take_errno },
	{ "source", take_source },
};

/* Of members with one name the first counts; those with names unknown to us are a later version's. */
static void take_member(struct parser *parser, sqlite3_stmt *row, struct draft *draft)
{
	const char *name = (const char *)sqlite3_column_text(row, M_NAME);
	for (size_t i = 0; name && !draft->problem && i < ARRAY_SIZE(members); i++) {
		if (strcmp(members[i].name, name) != 0 || draft->seen & 1u << i)
			continue;
		draft->seen |= 1u << i;
		draft->problem = members[i].take(parser, row, draft);
	}
}

/* Adds a fact that is complete, or says what is wrong with it. */
static int finish_fact(struct parser *parser, struct draft *draft)
{
	struct fact fact = draft->fact;
	bool has_value = draft->seen & 1u << HAS_VALUE, has_status = draft->seen & 1u << HAS_STATUS;

	draft->fact = (struct fact){ 0 };
	if (!draft->problem && (!fact.key || !*fact.key))
		draft->problem = "has no proper key";
	if (!draft->problem && has_value == has_status)
		draft->problem = "has neither a value nor a status, or both";
	if (!draft->problem && !fact.source && !(fact.source = strdup(""))) {
		parser->starved = true;
		draft->problem = "does not fit";
	}
	if (draft->problem) {
		parser_refuse(parser, "fact %zu (%.100s) %s", parser->profile->fact_count + 1,
			      fact.key ? fact.key : "no key", draft->problem);
		fact_done(&fact);
		return -1;
	}
	parser->starved = profile_add_fact(parser->profile, fact) != 0;
	return parser->starved ? parser_refuse(parser, "does not fit") : 0;
}

/* What a loop that stops early leaves behind. */
static void draft_done(struct draft *draft)
{
	fact_done(&draft->fact);
}

int parser_facts(struct parser *parser)
{
	__attribute__((__cleanup__(draft_done))) struct draft draft = { .at = -1 };
	cleanup_stmt sqlite3_stmt *items = NULL, *rows = parser_ask(parser, facts_sql);
	int code;

	if (!rows)
		return -1;
	if (store_prepare(parser->db, items_sql, &items))
		return parser_refuse(parser, "its facts cannot be read");
	draft.items = items;
	while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
		sqlite3_int64 at = sqlite3_column_int64(rows, M_FACT);
		if (at >= FACT_COUNT_MAX)
			return parser_refuse(parser, "over %d facts", FACT_COUNT_MAX);
		if (at != draft.at) {
			if (draft.at >= 0 && finish_fact(parser, &draft))
				return -1;
			draft = (struct draft){ .at = at, .items = items };
		}
		take_member(parser, rows, &draft);
	}
	if (code != SQLITE_DONE)
		return parser_refuse(parser, "its facts cannot be read");
	return draft.at >= 0 ? finish_fact(parser, &draft) : 0;
}
