// SPDX-License-Identifier: Apache-2.0
/*
 * A profile document back into a struct, through SQLite's JSON functions. The text is hostile: every
 * kind is checked, every string bounded, and the first thing that does not fit refuses the whole.
 */
#include "core/store_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/errno_name.h"
#include "base/utf8.h"

#define SCHEMA	     "driftprobe.profile/"
#define SCHEMA_MAJOR 1
#define TEXT_MAX     4096
#define ROWS_MAX     2000

struct parser {
	sqlite3 *db;
	const char *json;
	size_t len;
	struct profile *profile;
	struct store_error *error;
};

static int refuse(struct parser *parser, const char *what, int row)
{
	store_error_set(parser->error, "damaged profile: %s%s%.0d; take it again", what,
			row ? " in row " : "", row);
	return -1;
}

/* A column that must be text without a NUL inside, of at most max bytes; NULL when it is not. */
static char *column_text(sqlite3_stmt *stmt, int column, size_t max)
{
	if (sqlite3_column_type(stmt, column) != SQLITE_TEXT)
		return NULL;
	const char *text = (const char *)sqlite3_column_text(stmt, column);
	size_t len = (size_t)sqlite3_column_bytes(stmt, column);
	if (!text || len > max || strlen(text) != len)
		return NULL;
	return strdup(text);
}

static int column_word(sqlite3_stmt *stmt, int column, int (*parse)(const char *))
{
	if (sqlite3_column_type(stmt, column) != SQLITE_TEXT)
		return -1;
	return parse((const char *)sqlite3_column_text(stmt, column));
}

/* The items of an array of strings, each ended by a NUL, as a LIST holds them. */
static int parse_list(struct parser *parser, sqlite3_stmt *items, const char *array,
		      struct fact *fact)
{
	cleanup_buf struct buf list = BUF_INIT(FACT_VALUE_MAX);
	int code = sqlite3_reset(items);
	if (!code)
		code = sqlite3_bind_text(items, 1, array, -1, SQLITE_STATIC);
	while (!code && (code = sqlite3_step(items)) == SQLITE_ROW) {
		cleanup_free char *item = column_text(items, 0, FACT_VALUE_MAX);
		if (!item || buf_add(&list, item, strlen(item) + 1))
			return refuse(parser, "a list holds something else than short strings", 0);
		code = SQLITE_OK;
	}
	sqlite3_reset(items);
	if (code != SQLITE_DONE)
		return refuse(parser, "a list cannot be read", 0);
	fact->type = FACT_LIST;
	fact->value_len = list.len;
	fact->value = buf_steal(&list);
	return fact->value ? 0 : -1;
}

enum { F_KEY, F_TYPE, F_VALUE, F_STATUS, F_ERRNO, F_SOURCE, F_STATUS_TYPE };

static int parse_value(struct parser *parser, sqlite3_stmt *row, sqlite3_stmt *items,
		       struct fact *fact)
{
	const char *type = (const char *)sqlite3_column_text(row, F_TYPE);
	if (!strcmp(type, "true") || !strcmp(type, "false")) {
		fact->type = FACT_BOOL;
		fact->number = !strcmp(type, "true");
		return 0;
	}
	if (!strcmp(type, "integer") && sqlite3_column_type(row, F_VALUE) == SQLITE_INTEGER) {
		fact->type = FACT_INT;
		fact->number = sqlite3_column_int64(row, F_VALUE);
		return 0;
	}
	if (!strcmp(type, "array"))
		return parse_list(parser, items, (const char *)sqlite3_column_text(row, F_VALUE),
				  fact);
	if (strcmp(type, "text") != 0)
		return refuse(parser, "a value is of no known kind", 0);
	fact->type = FACT_TEXT;
	fact->value = column_text(row, F_VALUE, FACT_VALUE_MAX);
	if (!fact->value)
		return refuse(parser, "a value is too long or holds a NUL", 0);
	fact->value_len = strlen(fact->value);
	return 0;
}

static int parse_fact(struct parser *parser, sqlite3_stmt *row, sqlite3_stmt *items,
		      struct fact *fact)
{
	bool has_value = sqlite3_column_type(row, F_TYPE) == SQLITE_TEXT;
	bool has_status = sqlite3_column_type(row, F_STATUS_TYPE) == SQLITE_TEXT;

	fact->key = column_text(row, F_KEY, FACT_KEY_MAX - 1);
	fact->source = column_text(row, F_SOURCE, TEXT_MAX * 16);
	if (!fact->source && sqlite3_column_type(row, F_SOURCE) == SQLITE_NULL)
		fact->source = strdup("");
	if (!fact->key || !*fact->key || !fact->source)
		return refuse(parser, "a fact without a proper key or source", 0);
	if (has_value == has_status)
		return refuse(parser, "a fact needs a value or a status", 0);
	if (has_value)
		return parse_value(parser, row, items, fact);

	int status = column_word(row, F_STATUS, fact_status_parse);
	if (status <= FACT_OK)
		return refuse(parser, "a fact has an unknown status", 0);
	fact->status = (enum fact_status)status;
	if (sqlite3_column_type(row, F_ERRNO) == SQLITE_TEXT)
		fact->err = errno_parse((const char *)sqlite3_column_text(row, F_ERRNO));
	return 0;
}

static sqlite3_stmt *ask(struct parser *parser, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	if (store_prepare(parser->db, sql, &stmt) ||
	    sqlite3_bind_text64(stmt, 1, parser->json, parser->len, SQLITE_STATIC, SQLITE_UTF8)) {
		sqlite3_finalize(stmt);
		refuse(parser, "it cannot be read", 0);
		return NULL;
	}
	return stmt;
}

static int parse_facts(struct parser *parser)
{
	cleanup_stmt sqlite3_stmt *items = NULL;
	cleanup_stmt sqlite3_stmt *rows =
		ask(parser, "SELECT value->>'key', json_type(value, '$.value'), value->>'value',"
			    " value->>'status', value->>'errno', value->>'source',"
			    " json_type(value, '$.status')"
			    " FROM json_each(?1, '$.facts')");
	int code = SQLITE_OK;

	if (!rows ||
	    store_prepare(parser->db,
			  "SELECT CASE type WHEN 'text' THEN value END FROM json_each(?1)", &items))
		return -1;
	while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
		struct fact fact = { 0 };
		if (parser->profile->fact_count >= FACT_COUNT_MAX)
			return refuse(parser, "it has too many facts", 0);
		if (parse_fact(parser, rows, items, &fact)) {
			fact_done(&fact);
			return -1;
		}
		if (profile_add_fact(parser->profile, fact))
			return refuse(parser, "out of memory", 0);
	}
	return code == SQLITE_DONE ? 0 : refuse(parser, "its facts cannot be read", 0);
}

static int take_layer(struct parser *parser, sqlite3_stmt *row)
{
	int confidence = column_word(row, 2, confidence_parse);
	struct layer layer = { column_text(row, 0, TEXT_MAX), column_text(row, 1, TEXT_MAX),
			       (enum confidence)confidence };
	bool fits = layer.id && layer.evidence && confidence >= 0;
	return profile_add_layer(parser->profile, layer) || !fits ? -1 : 0;
}

static int take_coverage(struct parser *parser, sqlite3_stmt *row)
{
	int status = column_word(row, 1, coverage_status_parse);
	struct coverage coverage = { column_text(row, 0, TEXT_MAX), (enum coverage_status)status,
				     sqlite3_column_int64(row, 2), column_text(row, 3, TEXT_MAX) };
	bool fits = coverage.collector && status >= 0;
	if (status < 0)
		coverage.status = COVERAGE_SKIPPED;
	return profile_add_coverage(parser->profile, coverage) || !fits ? -1 : 0;
}

static int take_label(struct parser *parser, sqlite3_stmt *row)
{
	cleanup_free char *name = column_text(row, 0, TEXT_MAX);
	cleanup_free char *value = column_text(row, 1, TEXT_MAX);
	return name && value ? profile_add_label(parser->profile, name, value) : -1;
}

/* The short lists of a document: what to read, and who takes a row. Findings are concluded anew. */
static const struct section {
	const char *name, *sql;
	int (*take)(struct parser *parser, sqlite3_stmt *row);
} sections[] = {
	{ "layers",
	  "SELECT value->>'id', value->>'evidence', value->>'confidence'"
	  " FROM json_each(?1, '$.layers')",
	  take_layer },
	{ "coverage",
	  "SELECT value->>'collector', value->>'status', value->>'duration_ms', value->>'note'"
	  " FROM json_each(?1, '$.coverage')",
	  take_coverage },
	{ "labels",
	  "SELECT key, CASE type WHEN 'text' THEN value END FROM json_each(?1, '$.labels')",
	  take_label },
};

static int parse_section(struct parser *parser, const struct section *section)
{
	cleanup_stmt sqlite3_stmt *rows = ask(parser, section->sql);
	int code = SQLITE_ERROR, count = 0;
	while (rows && (code = sqlite3_step(rows)) == SQLITE_ROW)
		if (++count > ROWS_MAX || section->take(parser, rows))
			return refuse(parser, section->name, count);
	return code == SQLITE_DONE ? 0 : refuse(parser, section->name, count);
}

static int check_schema(struct parser *parser, const char *schema)
{
	char *end = NULL;
	long major = -1;
	if (schema && !strncmp(schema, SCHEMA, strlen(SCHEMA)))
		major = strtol(schema + strlen(SCHEMA), &end, 10);
	if (!end || end == schema + strlen(SCHEMA) || *end || major < 1) {
		store_error_set(
			parser->error,
			"not a driftprobe profile; make one with driftprobe collect -o FILE");
		return -1;
	}
	if (major > SCHEMA_MAJOR) {
		store_error_set(parser->error,
				"made by a newer driftprobe (%s%ld); update this one to read it",
				SCHEMA, major);
		return -1;
	}
	return 0;
}

static int parse_head(struct parser *parser)
{
	struct profile *profile = parser->profile;
	cleanup_stmt sqlite3_stmt *head =
		ask(parser, "SELECT CASE json_type(?1) WHEN 'object' THEN ?1->>'schema' END,"
			    " ?1->>'id', ?1->>'taken_at', ?1->>'duration_ms',"
			    " ?1->>'$.probe.version', ?1->>'$.probe.arch', ?1->>'task',"
			    " json_type(?1, '$.facts')");
	if (!head || sqlite3_step(head) != SQLITE_ROW) {
		store_error_set(parser->error, "not JSON, or cut off; copy or make it again");
		return -1;
	}
	cleanup_free char *schema = column_text(head, 0, TEXT_MAX);
	if (check_schema(parser, schema))
		return -1;
	cleanup_free char *id = column_text(head, 1, sizeof(profile->id) - 1);
	cleanup_free char *taken = column_text(head, 2, sizeof(profile->taken_at) - 1);
	const char *facts = (const char *)sqlite3_column_text(head, 7);
	if (!id || !taken || !facts || strcmp(facts, "array") != 0)
		return refuse(parser, "no id, no time or no facts", 0);
	strcpy(profile->id, id);
	strcpy(profile->taken_at, taken);
	profile->duration_ms = sqlite3_column_int64(head, 3);
	profile->probe_version = column_text(head, 4, TEXT_MAX);
	profile->probe_arch = column_text(head, 5, TEXT_MAX);
	profile->task = column_text(head, 6, TEXT_MAX);
	return 0;
}

struct profile *store_parse_profile(const char *json, size_t len, struct store_error *error)
{
	cleanup_db sqlite3 *db = store_memory(error);
	cleanup_profile struct profile *profile = profile_new();
	struct parser parser = { db, json, len, profile, error };

	if (!db || !profile)
		return NULL;
	/* SQLite lets some broken UTF-8 pass as text: it must not reach our output. */
	if (!utf8_valid(json, len)) {
		store_error_set(error, "not JSON text; give a profile made by driftprobe collect");
		return NULL;
	}
	if (parse_head(&parser) || parse_facts(&parser))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (parse_section(&parser, &sections[i]))
			return NULL;
	profile_sort(profile);
	return steal_ptr(profile);
}
