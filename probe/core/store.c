// SPDX-License-Identifier: Apache-2.0
#include "core/store_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define STORE_PREFIX_MIN 4 /* letters of an id */

void store_error_set(struct store_error *error, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(error->text, sizeof(error->text), fmt, ap);
	va_end(ap);
}

void store_close_db(sqlite3 **db)
{
	sqlite3_close(*db);
}

void store_finalize(sqlite3_stmt **stmt)
{
	sqlite3_finalize(*stmt);
}

int store_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **stmt)
{
	return sqlite3_prepare_v2(db, sql, -1, stmt, NULL);
}

void store_bound(sqlite3 *db)
{
	/* Some room beside the document: a row has other columns. */
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, (int)STORE_DOCUMENT_MAX + 65536);
	/* Not TRUSTED_SCHEMA off: SQLite 3.40 lets no view use JSON functions then. */
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

sqlite3 *store_memory(struct store_error *error)
{
	sqlite3 *db = NULL;
	sqlite3_initialize();
	if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)) {
		store_error_set(error, "out of memory");
		sqlite3_close(db);
		return NULL;
	}
	store_bound(db);
	return db;
}

int store_default_path(char *out, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n = -1;
	/* The base-directory specification: a relative path is to be ignored. */
	if (state && *state == '/')
		n = snprintf(out, size, "%s/driftprobe/store.db", state);
	else if (home && *home == '/')
		n = snprintf(out, size, "%s/.local/state/driftprobe/store.db", home);
	return n > 0 && (size_t)n < size ? 0 : -1;
}

int store_add(struct store *store, const char *json, size_t len, struct store_error *error)
{
	/* What is in the store can be read back: nothing that is not a profile gets in. */
	cleanup_profile struct profile *profile = store_parse_profile(json, len, error);
	cleanup_stmt sqlite3_stmt *stmt = NULL;
	if (!profile)
		return -1;
	int code = store_prepare(store->db,
				 "INSERT INTO profile(id, taken_at, task, document, added_at)"
				 " VALUES(?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"
				 " ON CONFLICT(id) DO NOTHING",
				 &stmt);
	if (!code)
		code = sqlite3_bind_text(stmt, 1, profile->id, -1, SQLITE_STATIC);
	if (!code)
		code = sqlite3_bind_text(stmt, 2, profile->taken_at, -1, SQLITE_STATIC);
	if (!code)
		code = sqlite3_bind_text(stmt, 3, profile->task, -1, SQLITE_STATIC);
	if (!code)
		code = sqlite3_bind_text64(stmt, 4, json, len, SQLITE_STATIC, SQLITE_UTF8);
	errno = 0;
	if (!code)
		code = sqlite3_step(stmt);
	if (code == SQLITE_DONE)
		return 0;
	store_explain(error, store->path, store->db, code);
	return -1;
}

static const char latest_sql[] = "SELECT id, document FROM profile WHERE ?1 = '' OR task = ?1"
				 " ORDER BY taken_at DESC, added_at DESC, rowid DESC LIMIT 1";
/* An exact id comes first. '~' is beyond every character that ids have. */
static const char prefix_sql[] = "SELECT id, document FROM profile WHERE id >= ?1"
				 " AND id < ?1 || '~' ORDER BY id LIMIT 2";

static void explain_none(struct store *store, const char *name, struct store_error *error)
{
	bool latest = !strncmp(name, "latest", 6) && (!name[6] || name[6] == ':');
	if (latest && name[6])
		store_error_set(error, "store %.300s: no profile of the task %.100s", store->path,
				name + 7);
	else if (latest)
		store_error_set(error, "store %.300s: no profile yet; driftprobe collect makes one",
				store->path);
	else
		store_error_set(error, "store %.300s: no profile has the id %.100s%s", store->path,
				name,
				strlen(name) < STORE_PREFIX_MIN
					? "; give at least 4 characters of it"
					: " or one that begins so");
}

/* The document of the only row, or of the one with exactly that id. */
static char *take_document(struct store *store, sqlite3_stmt *stmt, const char *name, bool latest,
			   struct store_error *error)
{
	char first[64] = "";
	cleanup_free char *document = NULL;
	int code;
	errno = 0;
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *id = (const char *)sqlite3_column_text(stmt, 0);
		const char *text = (const char *)sqlite3_column_text(stmt, 1);
		bool exact = id && !strcmp(id, name);
		if (!latest && !exact && strlen(name) < STORE_PREFIX_MIN)
			continue;
		if (document) {
			store_error_set(error,
					"store %.200s: several profiles begin with %.40s "
					"(%.40s, %.40s, …); give more of the id",
					store->path, name, first, id ? id : "?");
			return NULL;
		}
		snprintf(first, sizeof(first), "%s", id ? id : "");
		document = text ? strdup(text) : NULL;
		if (!document) {
			code = SQLITE_NOMEM;
			break;
		}
		if (exact || latest)
			return steal_ptr(document);
	}
	if (code == SQLITE_DONE && document)
		return steal_ptr(document);
	if (code == SQLITE_DONE)
		explain_none(store, name, error);
	else
		store_explain(error, store->path, store->db, code);
	return NULL;
}

char *store_document(struct store *store, const char *prefix, struct store_error *error)
{
	bool latest = !strncmp(prefix, "latest", 6) && (!prefix[6] || prefix[6] == ':');
	const char *task = latest && prefix[6] ? prefix + 7 : "";
	cleanup_stmt sqlite3_stmt *stmt = NULL;
	int code = store_prepare(store->db, latest ? latest_sql : prefix_sql, &stmt);

	if (!code)
		code = sqlite3_bind_text(stmt, 1, latest ? task : prefix, -1, SQLITE_STATIC);
	if (!code)
		return take_document(store, stmt, prefix, latest, error);
	store_explain(error, store->path, store->db, code);
	return NULL;
}
