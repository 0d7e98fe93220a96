/* SPDX-License-Identifier: Apache-2.0 */
/* What the store's own files share. */
#ifndef CORE_STORE_IMPL_H
#define CORE_STORE_IMPL_H

#include <sqlite3.h>

#include "core/store.h"

/* Largest document that goes in or out; what uploads and files allow, too. */
#define STORE_DOCUMENT_MAX ((size_t)16 << 20)

struct store {
	sqlite3 *db;
	char *path;
};

/* Bounds what one text or row may take, in a database that holds outside text. */
void store_bound(sqlite3 *db);

/* An empty database in memory, or NULL with error filled. The library is initialised (we omit its autoinit). */
sqlite3 *store_memory(struct store_error *error);

/* Scoped ownership of SQLite's things. */
void store_close_db(sqlite3 **db);
void store_finalize(sqlite3_stmt **stmt);
#define cleanup_db   __attribute__((__cleanup__(store_close_db)))
#define cleanup_stmt __attribute__((__cleanup__(store_finalize)))

/* Prepares one statement. SQLITE_OK or SQLite's code. */
int store_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **stmt);

/* One line out of SQLite's code; errno may have the reason: callers set it to 0 before they try. */
void store_explain(struct store_error *error, const char *path, sqlite3 *db, int code);

void store_error_set(struct store_error *error, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
