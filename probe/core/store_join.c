// SPDX-License-Identifier: Apache-2.0
#include "core/store_impl.h"

#include <string.h>

static int fill(sqlite3 *db, const char *sql, const struct profile *profile)
{
	cleanup_stmt sqlite3_stmt *insert = NULL;
	int code = store_prepare(db, sql, &insert);
	for (size_t i = 0; i < profile->fact_count && !code; i++) {
		code = sqlite3_bind_int64(insert, 1, (sqlite3_int64)i);
		if (!code)
			code = sqlite3_bind_text(insert, 2, profile->facts[i].key, -1,
						 SQLITE_STATIC);
		if (!code && (code = sqlite3_step(insert)) == SQLITE_DONE)
			code = sqlite3_reset(insert);
	}
	return code;
}

static const struct fact *fact_at(const struct profile *profile, sqlite3_stmt *rows, int column)
{
	if (sqlite3_column_type(rows, column) == SQLITE_NULL)
		return NULL;
	return &profile->facts[sqlite3_column_int64(rows, column)];
}

static int walk(sqlite3 *db, const struct profile *local, const struct profile *remote,
		int (*row)(const struct fact *, const struct fact *, void *), void *data,
		size_t *compared)
{
	cleanup_stmt sqlite3_stmt *rows = NULL;
	int code = store_prepare(db,
				 "SELECT a.at, b.at, coalesce(a.key, b.key) AS k"
				 " FROM a FULL JOIN b ON a.key = b.key ORDER BY k",
				 &rows);
	*compared = 0;
	while (!code && (code = sqlite3_step(rows)) == SQLITE_ROW) {
		const struct fact *here = fact_at(local, rows, 0);
		const struct fact *there = fact_at(remote, rows, 1);
		++*compared;
		code = SQLITE_OK;
		if ((!here || !there || !fact_same(here, there)) && row(here, there, data))
			return -1;
	}
	return code == SQLITE_DONE ? 0 : -1;
}

int store_join(const struct profile *local, const struct profile *remote,
	       int (*row)(const struct fact *local, const struct fact *remote, void *data),
	       void *data, size_t *compared)
{
	struct store_error error;
	cleanup_db sqlite3 *db = store_memory(&error);
	if (!db ||
	    sqlite3_exec(db,
			 "CREATE TABLE a(at INTEGER, key TEXT PRIMARY KEY) WITHOUT ROWID;"
			 "CREATE TABLE b(at INTEGER, key TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN",
			 NULL, NULL, NULL) ||
	    fill(db, "INSERT OR IGNORE INTO a VALUES(?1, ?2)", local) ||
	    fill(db, "INSERT OR IGNORE INTO b VALUES(?1, ?2)", remote))
		return -1;
	return walk(db, local, remote, row, data, compared);
}
