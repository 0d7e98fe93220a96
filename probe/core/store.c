// SPDX-License-Identifier: Apache-2.0
#include "core/store_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

#define STORE_VERSION	      1
#define STORE_BUSY_MS	      5000
#define STORE_PREFIX_MIN_TEXT "4"

struct store {
	sqlite3 *db;
	char *path;
};

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

sqlite3 *store_memory(struct store_error *error)
{
	sqlite3 *db = NULL;
	sqlite3_initialize();
	if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)) {
		store_error_set(error, "out of memory");
		sqlite3_close(db);
		return NULL;
	}
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

/* mkdir -p of the folder that path lies in, private to the user. 0 or errno. */
static int make_folders(const char *path)
{
	cleanup_free char *copy = strdup(path);
	if (!copy)
		return ENOMEM;
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0700) && errno != EEXIST)
			return errno;
		*slash = '/';
	}
	return 0;
}

/* One line out of SQLite's code: what happened, and what to do about it. */
static void explain(struct store_error *error, const char *path, sqlite3 *db, int code)
{
	int err = db ? sqlite3_system_errno(db) : 0;
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		store_error_set(error,
				"store %s: locked by another process for over %d s; try again",
				path, STORE_BUSY_MS / 1000);
		break;
	case SQLITE_FULL:
		store_error_set(error, "store %s: the disk is full; free space or choose --store",
				path);
		break;
	case SQLITE_READONLY:
		store_error_set(error, "store %s: read-only; choose another place with --store",
				path);
		break;
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		store_error_set(
			error,
			"store %s: not a driftprobe store, or damaged; move it away or choose --store",
			path);
		break;
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		store_error_set(error,
				"store %s: cannot be used (%s); choose another place with --store",
				path, err ? strerror(err) : sqlite3_errstr(code));
		break;
	default:
		store_error_set(error, "store %s: %s", path, sqlite3_errstr(code));
	}
}

static const char schema_sql[] =
	"CREATE TABLE IF NOT EXISTS profile("
	" id TEXT PRIMARY KEY, taken_at TEXT NOT NULL, task TEXT,"
	" document TEXT NOT NULL, added_at TEXT NOT NULL, uploaded_at TEXT);"
	"CREATE INDEX IF NOT EXISTS profile_taken ON profile(taken_at);"
	"CREATE VIEW IF NOT EXISTS fact AS SELECT p.id AS profile, f.value->>'key' AS key,"
	" f.value->>'value' AS value, coalesce(f.value->>'status', 'ok') AS status,"
	" f.value->>'errno' AS errno, f.value->>'source' AS source"
	" FROM profile p, json_each(p.document, '$.facts') f;"
	"CREATE VIEW IF NOT EXISTS finding AS SELECT p.id AS profile, f.value->>'id' AS id,"
	" f.value->>'severity' AS severity, f.value->>'title' AS title"
	" FROM profile p, json_each(p.document, '$.findings') f;"
	"CREATE VIEW IF NOT EXISTS label AS SELECT p.id AS profile, l.key AS name, l.value AS value"
	" FROM profile p, json_each(p.document, '$.labels') l;"
	"PRAGMA user_version = 1;";

static int read_version(sqlite3 *db, int *version)
{
	cleanup_stmt sqlite3_stmt *stmt = NULL;
	int code = store_prepare(db, "PRAGMA user_version", &stmt);
	if (!code)
		code = sqlite3_step(stmt);
	if (code != SQLITE_ROW)
		return code;
	*version = sqlite3_column_int(stmt, 0);
	return SQLITE_OK;
}

/* Two processes may find the fresh file at once: the second waits for the lock, then has nothing to do. */
static int migrate(sqlite3 *db)
{
	int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (!code)
		code = sqlite3_exec(db, schema_sql, NULL, NULL, NULL);
	if (!code)
		return sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return code;
}

static int store_setup(struct store *store, bool create, struct store_error *error)
{
	int version = 0;
	sqlite3_busy_timeout(store->db, STORE_BUSY_MS);
	int code = read_version(store->db, &version);
	if (!code && version > STORE_VERSION) {
		store_error_set(
			error,
			"store %s: made by a newer driftprobe (store version %d); update this one",
			store->path, version);
		return -1;
	}
	if (!code && create) {
		/* Not to be had on some network and sandbox filesystems: the default journal does then. */
		sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		sqlite3_exec(store->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
		if (version < STORE_VERSION)
			code = migrate(store->db);
	} else if (!code && version < STORE_VERSION) {
		code = SQLITE_NOTADB;
	}
	if (code)
		explain(error, store->path, store->db, code);
	return code ? -1 : 0;
}

struct store *store_open(const char *path, bool create, struct store_error *error)
{
	struct store *store = calloc(1, sizeof(*store));
	int flags = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
	int err = create ? make_folders(path) : 0;

	if (!store || !(store->path = strdup(path))) {
		store_error_set(error, "out of memory");
		store_close(store);
		return NULL;
	}
	if (err) {
		store_error_set(error, "store %s: its folder cannot be made (%s); choose --store",
				path, strerror(err));
		store_close(store);
		return NULL;
	}
	sqlite3_initialize();
	/* 0600 from the start: profiles name users, hosts and paths. */
	mode_t mask = umask(0177);
	int code = sqlite3_open_v2(path, &store->db, flags, NULL);
	if (!code && create)
		code = sqlite3_exec(store->db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
	if (code)
		explain(error, path, store->db, code);
	else
		code = store_setup(store, create, error);
	umask(mask);
	if (code) {
		store_close(store);
		return NULL;
	}
	return store;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}

int store_add(struct store *store, const char *json, size_t len, struct store_error *error)
{
	cleanup_stmt sqlite3_stmt *stmt = NULL;
	int code = store_prepare(
		store->db,
		"INSERT OR IGNORE INTO profile(id, taken_at, task, document, added_at)"
		" VALUES(?1->>'id', ?1->>'taken_at', ?1->>'task', ?1,"
		" strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
		&stmt);
	if (!code)
		code = sqlite3_bind_text64(stmt, 1, json, len, SQLITE_STATIC, SQLITE_UTF8);
	if (!code)
		code = sqlite3_step(stmt);
	if (code == SQLITE_DONE)
		return 0;
	explain(error, store->path, store->db, code);
	return -1;
}

static const char latest_sql[] = "SELECT id, document FROM profile WHERE ?1 = '' OR task = ?1"
				 " ORDER BY taken_at DESC, added_at DESC, rowid DESC LIMIT 1";
static const char prefix_sql[] =
	"SELECT id, document FROM profile WHERE id = ?1 OR"
	" (length(?1) >= " STORE_PREFIX_MIN_TEXT " AND substr(id, 1, length(?1)) = ?1)"
	" ORDER BY id LIMIT 3";

char *store_document(struct store *store, const char *prefix, struct store_error *error)
{
	bool latest = !strcmp(prefix, "latest") || !strncmp(prefix, "latest:", 7);
	const char *task = !strncmp(prefix, "latest:", 7) ? prefix + 7 : "";
	cleanup_stmt sqlite3_stmt *stmt = NULL;
	char first[64] = "";
	char *document = NULL;
	int code = store_prepare(store->db, latest ? latest_sql : prefix_sql, &stmt);

	if (!code)
		code = sqlite3_bind_text(stmt, 1, latest ? task : prefix, -1, SQLITE_STATIC);
	while (!code && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *id = (const char *)sqlite3_column_text(stmt, 0);
		const char *text = (const char *)sqlite3_column_text(stmt, 1);
		if (document) {
			store_error_set(error,
					"store %s: several profiles begin with %s: %s, %s, …",
					store->path, prefix, first, id ? id : "?");
			free(document);
			return NULL;
		}
		snprintf(first, sizeof(first), "%s", id ? id : "");
		document = text ? strdup(text) : NULL;
		code = document ? SQLITE_OK : SQLITE_NOMEM;
	}
	if (code == SQLITE_DONE && document)
		return document;
	free(document);
	if (code == SQLITE_DONE)
		store_error_set(error, "store %s: no profile %s%s", store->path,
				latest ? "there yet, or none of that task: " : "begins with ",
				prefix);
	else
		explain(error, store->path, store->db, code);
	return NULL;
}
