// SPDX-License-Identifier: Apache-2.0
/*
 * A profile document back into a struct, through SQLite's JSON functions. The text is hostile: every
 * kind is checked, every string bounded, and the first thing that does not fit refuses the whole.
 */
#include "core/store_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define SCHEMA	     "driftprobe.profile/"
#define SCHEMA_MAJOR "1"
#define TEXT_MAX     4096
#define ROWS_MAX     2000

/*
 * A field of an object in SQL. ->> alone would give an object or a number as text, too: what is there but of
 * another kind becomes a value that C can tell from a missing one.
 */
#define KIND_OF(object, path) "coalesce(json_type(" object ", '$." path "'), 'null')"
#define TEXT_OF(object, path)                                                                      \
	"CASE " KIND_OF(object, path) " WHEN 'text' THEN " object "->>'$." path                    \
				      "' WHEN 'null' THEN NULL ELSE 0 END"
#define INT_OF(object, path)                                                                       \
	"CASE " KIND_OF(object, path) " WHEN 'integer' THEN " object "->>'$." path                 \
				      "' WHEN 'null' THEN 0 ELSE 'wrong' END"

/* The objects of an array, as o: NULL where a row is of another kind. */
#define ROWS_OF(path)                                                                              \
	" FROM (SELECT CASE type WHEN 'object' THEN value END AS o FROM json_each(?1, '$." path    \
	"'))"

int parser_refuse(struct parser *parser, const char *fmt, ...)
{
	char what[STORE_ERROR_MAX / 2];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (parser->starved || sqlite3_errcode(parser->db) == SQLITE_NOMEM)
		store_error_set(parser->error, "out of memory");
	else
		store_error_set(parser->error, "damaged profile: %s; take it again", what);
	return -1;
}

bool parser_take_text(struct parser *parser, sqlite3_stmt *row, int column, size_t max, char **out)
{
	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return true;
	if (sqlite3_column_type(row, column) != SQLITE_TEXT)
		return false;
	const char *text = (const char *)sqlite3_column_text(row, column);
	size_t len = (size_t)sqlite3_column_bytes(row, column);
	if (text && (len > max || !utf8_valid(text, len)))
		return false;
	*out = text ? strdup(text) : NULL;
	parser->starved |= !*out;
	return *out != NULL;
}

bool parser_need_text(struct parser *parser, sqlite3_stmt *row, int column, size_t max, char **out)
{
	return parser_take_text(parser, row, column, max, out) && *out;
}

int parser_word(struct parser *parser, sqlite3_stmt *row, int column, int (*parse)(const char *))
{
	cleanup_free char *word = NULL;
	return parser_need_text(parser, row, column, TEXT_MAX, &word) ? parse(word) : -1;
}

bool parser_is(sqlite3_stmt *row, int column, const char *word)
{
	const char *is = (const char *)sqlite3_column_text(row, column);
	return is && !strcmp(is, word);
}

static bool take_count(sqlite3_stmt *row, int column, int64_t *number)
{
	if (sqlite3_column_type(row, column) != SQLITE_INTEGER)
		return false;
	*number = sqlite3_column_int64(row, column);
	return *number >= 0;
}

sqlite3_stmt *parser_ask(struct parser *parser, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	if (store_prepare(parser->db, sql, &stmt) ||
	    sqlite3_bind_text64(stmt, 1, parser->json, parser->len, SQLITE_STATIC, SQLITE_UTF8)) {
		sqlite3_finalize(stmt);
		parser_refuse(parser, "it cannot be read");
		return NULL;
	}
	return stmt;
}

static bool take_layer(struct parser *parser, sqlite3_stmt *row)
{
	struct layer layer = { 0 };
	int confidence = parser_word(parser, row, 2, confidence_parse);
	bool fits = parser_need_text(parser, row, 0, TEXT_MAX, &layer.id) &&
		    parser_need_text(parser, row, 1, TEXT_MAX, &layer.evidence) && confidence >= 0;
	layer.confidence = fits ? (enum confidence)confidence : CONFIDENCE_POSSIBLE;
	return !profile_add_layer(parser->profile, layer) && fits;
}

static bool take_coverage(struct parser *parser, sqlite3_stmt *row)
{
	struct coverage coverage = { 0 };
	int status = parser_word(parser, row, 1, coverage_status_parse);
	bool fits = parser_need_text(parser, row, 0, TEXT_MAX, &coverage.collector) &&
		    take_count(row, 2, &coverage.duration_ms) &&
		    parser_take_text(parser, row, 3, TEXT_MAX, &coverage.note) && status >= 0;
	coverage.status = fits ? (enum coverage_status)status : COVERAGE_SKIPPED;
	return !profile_add_coverage(parser->profile, coverage) && fits;
}

static bool take_label(struct parser *parser, sqlite3_stmt *row)
{
	cleanup_free char *name = NULL, *value = NULL;
	return parser_need_text(parser, row, 0, TEXT_MAX, &name) &&
	       parser_need_text(parser, row, 1, TEXT_MAX, &value) &&
	       !profile_add_label(parser->profile, name, value);
}

static bool take_probe(struct parser *parser, sqlite3_stmt *row)
{
	struct profile *profile = parser->profile;
	char **to = parser_is(row, 0, "version") ? &profile->probe_version
		    : parser_is(row, 0, "arch")	 ? &profile->probe_arch
						 : NULL;
	/* The first counts, as everywhere; null is as good as missing. */
	if (!to || *to || parser_is(row, 1, "null"))
		return true;
	return parser_is(row, 1, "text") && parser_need_text(parser, row, 2, TEXT_MAX, to);
}

/* The short lists of a document: what to read, and who takes a row. Findings are concluded anew. */
static const struct section {
	const char *name, *sql;
	bool (*take)(struct parser *parser, sqlite3_stmt *row);
} sections[] = {
	{ "layers",
	  "SELECT " TEXT_OF("o", "id") ", " TEXT_OF("o", "evidence") ", " TEXT_OF("o", "confidence")
		  ROWS_OF("layers"),
	  take_layer },
	{ "coverage",
	  "SELECT " TEXT_OF("o", "collector") ", " TEXT_OF("o", "status") ", " INT_OF(
		  "o", "duration_ms") ", " TEXT_OF("o", "note") ROWS_OF("coverage"),
	  take_coverage },
	{ "probe", "SELECT key, type, atom FROM json_each(?1, '$.probe')", take_probe },
	{ "labels",
	  "SELECT key, CASE type WHEN 'text' THEN value END FROM json_each(?1, '$.labels')",
	  take_label },
};

static int parse_section(struct parser *parser, const struct section *section)
{
	cleanup_stmt sqlite3_stmt *rows = parser_ask(parser, section->sql);
	int code = SQLITE_ERROR, count = 0;
	if (!rows)
		return -1;
	while ((code = sqlite3_step(rows)) == SQLITE_ROW)
		if (++count > ROWS_MAX || !section->take(parser, rows))
			return parser_refuse(parser, "row %d of its %s is not as it should be",
					     count, section->name);
	return code == SQLITE_DONE ? 0
				   : parser_refuse(parser, "its %s cannot be read", section->name);
}

static int check_schema(struct parser *parser, const char *schema)
{
	size_t n = strlen(SCHEMA);
	const char *major = schema && !strncmp(schema, SCHEMA, n) ? schema + n : "";
	bool known = *major && *major != '0' && !major[strspn(major, "0123456789")];

	if (known && !strcmp(major, SCHEMA_MAJOR))
		return 0;
	if (known)
		store_error_set(parser->error,
				"this profile was made by a newer driftprobe (schema %.60s); "
				"update this one",
				schema);
	else if (schema && !strncmp(schema, "driftprobe.", 11))
		store_error_set(parser->error,
				"not a driftprobe profile but %.60s; make one with "
				"driftprobe collect -o FILE",
				schema);
	else
		store_error_set(parser->error, "not a driftprobe profile; make one with "
					       "driftprobe collect -o FILE");
	return -1;
}

/* An escaped NUL, at which SQLite cuts a text off: two texts would look like one. */
static bool has_nul(const char *json, size_t len)
{
	for (size_t i = 0; i + 5 < len; i++) {
		if (json[i] != '\\')
			continue;
		if (!memcmp(json + i + 1, "u0000", 5))
			return true;
		i++;
	}
	return false;
}

enum { H_SCHEMA, H_ID, H_TAKEN, H_TASK, H_TEXTS, H_DURATION = H_TEXTS, H_FACTS };

/* What stands at the top, of which kind. */
static const struct head_field {
	const char *name, *type;
} head_fields[] = {
	[H_SCHEMA] = { "schema", "text" },
	[H_ID] = { "id", "text" },
	[H_TAKEN] = { "taken_at", "text" },
	[H_TASK] = { "task", "text" },
	[H_DURATION] = { "duration_ms", "integer" },
	[H_FACTS] = { "facts", "array" },
	{ "probe", "object" },
	{ "labels", "object" },
	{ "layers", "array" },
	{ "coverage", "array" },
};

struct head {
	char *texts[H_TEXTS];
	unsigned int seen; /* bits of head_fields[] */
	const char *wrong; /* the first field of another kind */
};

static void head_done(struct head *head)
{
	for (size_t i = 0; i < H_TEXTS; i++)
		free(head->texts[i]);
}

/* A field that is null is as good as missing. */
static bool take_head(struct parser *parser, sqlite3_stmt *row, size_t i, struct head *head)
{
	if (parser_is(row, 1, "null"))
		return true;
	head->seen |= 1u << i;
	if (!parser_is(row, 1, head_fields[i].type))
		return false;
	if (i == H_DURATION)
		return take_count(row, 2, &parser->profile->duration_ms);
	return i >= H_TEXTS || parser_need_text(parser, row, 2, TEXT_MAX, &head->texts[i]);
}

/* Strict JSON only: later versions of SQLite would let JSON5 pass. Of fields with one name the first counts. */
static int read_head(struct parser *parser, struct head *head)
{
	cleanup_stmt sqlite3_stmt *valid =
		parser_ask(parser, "SELECT json_type(?1) WHERE json_valid(?1)");
	cleanup_stmt sqlite3_stmt *rows =
		parser_ask(parser, "SELECT key, type, atom FROM json_each(?1)");
	if (!valid || !rows)
		return -1;
	int code = sqlite3_step(valid);
	if (code != SQLITE_ROW) {
		store_error_set(parser->error,
				code == SQLITE_NOMEM
					? "out of memory"
					: "not JSON, or cut off; copy or make it again");
		return -1;
	}
	if (!parser_is(valid, 0, "object"))
		return 0; /* without a schema */
	while ((code = sqlite3_step(rows)) == SQLITE_ROW)
		for (size_t i = 0; i < ARRAY_SIZE(head_fields); i++)
			if (!(head->seen & 1u << i) && parser_is(rows, 0, head_fields[i].name) &&
			    !take_head(parser, rows, i, head) && !head->wrong)
				head->wrong = head_fields[i].name;
	return code == SQLITE_DONE ? 0 : parser_refuse(parser, "it cannot be read");
}

/* Ids and times go into file names and messages: they have no other characters. */
static bool copy_short(const char *text, const char *alphabet, size_t size, char *out)
{
	if (!text || !*text || strlen(text) >= size || text[strspn(text, alphabet)])
		return false;
	strcpy(out, text);
	return true;
}

static int parse_head(struct parser *parser)
{
	__attribute__((__cleanup__(head_done))) struct head head = { 0 };
	struct profile *profile = parser->profile;

	if (read_head(parser, &head))
		return -1;
	if (parser->starved)
		return parser_refuse(parser, "does not fit");
	if (check_schema(parser, head.texts[H_SCHEMA]))
		return -1;
	if (has_nul(parser->json, parser->len))
		return parser_refuse(parser, "a text holds a NUL");
	if (head.wrong)
		return parser_refuse(parser, "%s is of a wrong kind", head.wrong);
	if (!copy_short(head.texts[H_ID], "0123456789abcdefghijklmnopqrstuvwxyz-",
			sizeof(profile->id), profile->id))
		return parser_refuse(parser, "no proper id");
	if (!copy_short(head.texts[H_TAKEN], "0123456789TZ:.+-", sizeof(profile->taken_at),
			profile->taken_at))
		return parser_refuse(parser, "no proper taken_at");
	if (!(head.seen & 1u << H_FACTS))
		return parser_refuse(parser, "no facts");
	profile->task = steal_ptr(head.texts[H_TASK]);
	return 0;
}

struct profile *store_parse_profile(const char *json, size_t len, struct store_error *error)
{
	/* SQLite lets some broken UTF-8 pass as text: it must not reach our output. */
	if (len > STORE_DOCUMENT_MAX || !utf8_valid(json, len)) {
		store_error_set(error, len > STORE_DOCUMENT_MAX
					       ? "over 16 MiB, which no profile is; refused"
					       : "not JSON text; give a profile made by "
						 "driftprobe collect");
		return NULL;
	}
	cleanup_db sqlite3 *db = store_memory(error);
	cleanup_profile struct profile *profile = profile_new();
	struct parser parser = { db, json, len, profile, error, false };

	if (!db)
		return NULL;
	if (!profile) {
		store_error_set(error, "out of memory");
		return NULL;
	}
	if (parse_head(&parser) || parser_facts(&parser))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (parse_section(&parser, &sections[i]))
			return NULL;
	profile_sort(profile);
	return steal_ptr(profile);
}
