// SPDX-License-Identifier: Apache-2.0
/*
 * A profile document back into a struct, through SQLite's JSON functions. The text is hostile: every
 * kind is checked, every string bounded, and the first thing that does not fit refuses the whole.
 */
#include "core/store_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/errno_name.h"
#include "base/utf8.h"

#define SCHEMA	     "driftprobe.profile/"
#define SCHEMA_MAJOR "1"
#define TEXT_MAX     4096
#define SOURCE_MAX   65536
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

struct parser {
	sqlite3 *db;
	const char *json;
	size_t len;
	struct profile *profile;
	struct store_error *error;
	bool starved; /* memory ran out: the document is not to blame */
};

__attribute__((format(printf, 2, 3))) static int refuse(struct parser *parser, const char *fmt, ...)
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

/*
 * A text column into *out, which stays NULL when the field is missing. False when it is of another kind, over
 * max bytes, or holds what a \u escape can smuggle past a check of the document: half a surrogate pair.
 */
static bool take_text(struct parser *parser, sqlite3_stmt *row, int column, size_t max, char **out)
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

/* The same for a field that has to be there. */
static bool need_text(struct parser *parser, sqlite3_stmt *row, int column, size_t max, char **out)
{
	return take_text(parser, row, column, max, out) && *out;
}

/* A word out of a fixed set; -1 when it is none of them. */
static int take_word(struct parser *parser, sqlite3_stmt *row, int column,
		     int (*parse)(const char *))
{
	cleanup_free char *word = NULL;
	return need_text(parser, row, column, TEXT_MAX, &word) ? parse(word) : -1;
}

static bool take_count(sqlite3_stmt *row, int column, int64_t *number)
{
	if (sqlite3_column_type(row, column) != SQLITE_INTEGER)
		return false;
	*number = sqlite3_column_int64(row, column);
	return *number >= 0;
}

static sqlite3_stmt *ask(struct parser *parser, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	if (store_prepare(parser->db, sql, &stmt) ||
	    sqlite3_bind_text64(stmt, 1, parser->json, parser->len, SQLITE_STATIC, SQLITE_UTF8)) {
		sqlite3_finalize(stmt);
		refuse(parser, "it cannot be read");
		return NULL;
	}
	return stmt;
}

/* The facts: functions give what is wrong with one, or NULL. */
enum { F_KEY, F_TYPE, F_VALUE, F_NUMBER, F_STATUS_TYPE, F_STATUS, F_ERRNO, F_SOURCE };

static const char facts_sql[] = "SELECT " TEXT_OF(
	"o",
	"key") ", json_type(o, '$.value'), o->>'$.value',"
	       " CASE WHEN json_type(o, '$.value') IN ('integer', 'real') THEN o->'$.value' END,"
	       " json_type(o, '$.status'), " TEXT_OF("o", "status") ", " TEXT_OF(
		       "o", "errno") ", " TEXT_OF("o", "source") ROWS_OF("facts");

static const char items_sql[] = "SELECT CASE type WHEN 'text' THEN value END FROM json_each(?1)";

/* The items of an array of strings, each ended by a NUL, as a LIST holds them. */
static const char *take_list(struct parser *parser, sqlite3_stmt *items, const char *array,
			     struct fact *fact)
{
	cleanup_buf struct buf list = BUF_INIT(FACT_VALUE_MAX);
	int code = sqlite3_reset(items);
	if (!code)
		code = sqlite3_bind_text(items, 1, array, -1, SQLITE_STATIC);
	while (!code && (code = sqlite3_step(items)) == SQLITE_ROW) {
		cleanup_free char *item = NULL;
		if (!need_text(parser, items, 0, FACT_VALUE_MAX, &item) ||
		    buf_add(&list, item, strlen(item) + 1))
			return "has a list of something else than short strings";
		code = SQLITE_OK;
	}
	sqlite3_reset(items);
	if (code != SQLITE_DONE)
		return "has a list that cannot be read";
	fact->type = FACT_LIST;
	fact->value_len = list.len;
	fact->value = buf_steal(&list);
	parser->starved |= !fact->value;
	return fact->value ? NULL : "has a list that does not fit";
}

static const char *take_value(struct parser *parser, sqlite3_stmt *row, sqlite3_stmt *items,
			      struct fact *fact)
{
	const char *type = (const char *)sqlite3_column_text(row, F_TYPE);
	bool number = !strcmp(type, "integer") || !strcmp(type, "real");
	if (!strcmp(type, "true") || !strcmp(type, "false")) {
		fact->type = FACT_BOOL;
		fact->number = !strcmp(type, "true");
		return NULL;
	}
	if (number && sqlite3_column_type(row, F_VALUE) == SQLITE_INTEGER) {
		fact->type = FACT_INT;
		fact->number = sqlite3_column_int64(row, F_VALUE);
		return NULL;
	}
	if (!strcmp(type, "array"))
		return take_list(parser, items, (const char *)sqlite3_column_text(row, F_VALUE),
				 fact);
	if (!number && strcmp(type, "text") != 0)
		return "has a value of no known kind";
	/* Numbers with a fraction, or beyond 64 bits: as they are written, since rounding would be drift. */
	fact->type = FACT_TEXT;
	if (!need_text(parser, row, number ? F_NUMBER : F_VALUE, FACT_VALUE_MAX, &fact->value))
		return "has a value that is too long or not text";
	fact->value_len = strlen(fact->value);
	return NULL;
}

static const char *take_status(struct parser *parser, sqlite3_stmt *row, struct fact *fact)
{
	cleanup_free char *err = NULL;
	int status = take_word(parser, row, F_STATUS, fact_status_parse);
	if (status <= FACT_OK)
		return "has an unknown status";
	fact->status = (enum fact_status)status;
	if (!take_text(parser, row, F_ERRNO, TEXT_MAX, &err))
		return "has an errno that is no name";
	fact->err = err ? errno_parse(err) : 0;
	return NULL;
}

static const char *take_fact(struct parser *parser, sqlite3_stmt *row, sqlite3_stmt *items,
			     struct fact *fact)
{
	bool has_value = sqlite3_column_type(row, F_TYPE) != SQLITE_NULL;
	bool has_status = sqlite3_column_type(row, F_STATUS_TYPE) != SQLITE_NULL;

	if (!need_text(parser, row, F_KEY, FACT_KEY_MAX - 1, &fact->key) || !*fact->key)
		return "has no proper key";
	if (!take_text(parser, row, F_SOURCE, SOURCE_MAX, &fact->source))
		return "has no proper source";
	if (!fact->source && !(fact->source = strdup(""))) {
		parser->starved = true;
		return "does not fit";
	}
	if (has_value == has_status)
		return "has neither a value nor a status, or both";
	return has_value ? take_value(parser, row, items, fact) : take_status(parser, row, fact);
}

static int parse_facts(struct parser *parser)
{
	struct profile *profile = parser->profile;
	cleanup_stmt sqlite3_stmt *items = NULL, *rows = ask(parser, facts_sql);
	int code = SQLITE_OK;

	if (!rows)
		return -1;
	if (store_prepare(parser->db, items_sql, &items))
		return refuse(parser, "its facts cannot be read");
	while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
		struct fact fact = { 0 };
		if (profile->fact_count >= FACT_COUNT_MAX)
			return refuse(parser, "over %d facts", FACT_COUNT_MAX);
		const char *problem = take_fact(parser, rows, items, &fact);
		if (problem) {
			refuse(parser, "fact %zu (%.100s) %s", profile->fact_count + 1,
			       fact.key ? fact.key : "no key", problem);
			fact_done(&fact);
			return -1;
		}
		parser->starved = profile_add_fact(profile, fact) != 0;
		if (parser->starved)
			return refuse(parser, "does not fit");
	}
	return code == SQLITE_DONE ? 0 : refuse(parser, "its facts cannot be read");
}

static bool take_layer(struct parser *parser, sqlite3_stmt *row)
{
	struct layer layer = { 0 };
	int confidence = take_word(parser, row, 2, confidence_parse);
	bool fits = need_text(parser, row, 0, TEXT_MAX, &layer.id) &&
		    need_text(parser, row, 1, TEXT_MAX, &layer.evidence) && confidence >= 0;
	layer.confidence = fits ? (enum confidence)confidence : CONFIDENCE_POSSIBLE;
	return !profile_add_layer(parser->profile, layer) && fits;
}

static bool take_coverage(struct parser *parser, sqlite3_stmt *row)
{
	struct coverage coverage = { 0 };
	int status = take_word(parser, row, 1, coverage_status_parse);
	bool fits = need_text(parser, row, 0, TEXT_MAX, &coverage.collector) &&
		    take_count(row, 2, &coverage.duration_ms) &&
		    take_text(parser, row, 3, TEXT_MAX, &coverage.note) && status >= 0;
	coverage.status = fits ? (enum coverage_status)status : COVERAGE_SKIPPED;
	return !profile_add_coverage(parser->profile, coverage) && fits;
}

static bool take_label(struct parser *parser, sqlite3_stmt *row)
{
	cleanup_free char *name = NULL, *value = NULL;
	return need_text(parser, row, 0, TEXT_MAX, &name) &&
	       need_text(parser, row, 1, TEXT_MAX, &value) &&
	       !profile_add_label(parser->profile, name, value);
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
	{ "labels",
	  "SELECT key, CASE type WHEN 'text' THEN value END FROM json_each(?1, '$.labels')",
	  take_label },
};

static int parse_section(struct parser *parser, const struct section *section)
{
	cleanup_stmt sqlite3_stmt *rows = ask(parser, section->sql);
	int code = SQLITE_ERROR, count = 0;
	if (!rows)
		return -1;
	while ((code = sqlite3_step(rows)) == SQLITE_ROW)
		if (++count > ROWS_MAX || !section->take(parser, rows))
			return refuse(parser, "row %d of its %s is not as it should be", count,
				      section->name);
	return code == SQLITE_DONE ? 0 : refuse(parser, "its %s cannot be read", section->name);
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

enum { H_SCHEMA, H_ID, H_TAKEN, H_DURATION, H_VERSION, H_ARCH, H_TASK, H_KINDS };

/* Strict JSON only: later versions of SQLite would let JSON5 pass. */
static const char head_sql[] =
	"SELECT CASE json_type(?1) WHEN 'object' THEN " TEXT_OF("?1", "schema") " END, " TEXT_OF("?1", "id") ", " TEXT_OF("?1", "taken_at") ", " INT_OF("?1", "duration_ms") ", " TEXT_OF(
		"?1",
		"probe.version") ", " TEXT_OF("?1",
					      "probe.arch") ", " TEXT_OF("?1",
									 "task") ", " KIND_OF("?1",
											      "facts") " = 'array' AND " KIND_OF("?1",
																 "layers") " IN ('array', 'null') AND " KIND_OF("?1",
																						"coverage") " IN ('array', 'null') AND " KIND_OF("?1",
																												 "labels") " IN ('object', 'null') WHERE json_valid(?1)";

/* Ids and times go into file names and messages: they have no other characters. */
static bool take_short(struct parser *parser, sqlite3_stmt *row, int column, const char *alphabet,
		       size_t size, char *out)
{
	cleanup_free char *text = NULL;
	if (!need_text(parser, row, column, size - 1, &text) || !*text ||
	    text[strspn(text, alphabet)])
		return false;
	strcpy(out, text);
	return true;
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

static int parse_head(struct parser *parser)
{
	struct profile *profile = parser->profile;
	cleanup_stmt sqlite3_stmt *head = ask(parser, head_sql);
	cleanup_free char *schema = NULL;
	int code = head ? sqlite3_step(head) : SQLITE_ERROR;

	if (!head)
		return -1;
	if (code != SQLITE_ROW) {
		store_error_set(parser->error,
				code == SQLITE_NOMEM
					? "out of memory"
					: "not JSON, or cut off; copy or make it again");
		return -1;
	}
	if (!take_text(parser, head, H_SCHEMA, TEXT_MAX, &schema) && parser->starved)
		return refuse(parser, "no schema");
	if (check_schema(parser, schema))
		return -1;
	if (has_nul(parser->json, parser->len))
		return refuse(parser, "a text holds a NUL");
	if (!take_short(parser, head, H_ID, "0123456789abcdefghijklmnopqrstuvwxyz-",
			sizeof(profile->id), profile->id))
		return refuse(parser, "no proper id");
	if (!take_short(parser, head, H_TAKEN, "0123456789TZ:.+-", sizeof(profile->taken_at),
			profile->taken_at))
		return refuse(parser, "no proper taken_at");
	if (!sqlite3_column_int(head, H_KINDS))
		return refuse(parser, "facts, layers, coverage or labels of a wrong kind");
	if (!take_count(head, H_DURATION, &profile->duration_ms) ||
	    !take_text(parser, head, H_VERSION, TEXT_MAX, &profile->probe_version) ||
	    !take_text(parser, head, H_ARCH, TEXT_MAX, &profile->probe_arch) ||
	    !take_text(parser, head, H_TASK, TEXT_MAX, &profile->task))
		return refuse(parser, "duration_ms, probe or task of a wrong kind");
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
	if (parse_head(&parser) || parse_facts(&parser))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (parse_section(&parser, &sections[i]))
			return NULL;
	profile_sort(profile);
	return steal_ptr(profile);
}
