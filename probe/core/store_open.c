// SPDX-License-Identifier: Apache-2.0
/* Opening the store's file, wherever it lies and whoever else is at it. */
#include "core/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/sys.h"

#define STORE_VERSION 1
#define STORE_BUSY_MS 5000

/* Some filesystems refuse mkdir with another errno than EEXIST, also where the folder is there. */
static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * mkdir -p of the folder that path lies in, private to the user. 0 or errno, also of writing there where the file
 * has to be made: SQLite tries again without making it, and says that there is no such file.
 */
static int make_folders(const char *path)
{
	if (!*path)
		return ENOENT;
	cleanup_free char *copy = strdup(path);
	if (!copy)
		return ENOMEM;
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0700) && errno != EEXIST) {
			int err = errno;
			if (!is_folder(copy))
				return err;
		}
		*slash = '/';
	}
	char *last = strrchr(copy, '/');
	if (last)
		last[last == copy] = '\0';
	return access(path, F_OK) && access(last ? copy : ".", W_OK | X_OK) ? errno : 0;
}

/* One line out of SQLite's code: what happened, and what to do about it. */
static const struct problem {
	int code;
	const char *text;
	const char *remedy;
	bool reason; /* say errno's words, too */
} problems[] = {
	{ SQLITE_BUSY, "locked by another process for over 5 s", "try again", false },
	{ SQLITE_LOCKED, "locked by another process", "try again", false },
	{ SQLITE_FULL, "the disk is full", "free space or choose --store", false },
	{ SQLITE_READONLY, "read-only", "choose another place with --store", false },
	{ SQLITE_NOTADB, "not a driftprobe store, or damaged", "move it away or choose --store",
	  false },
	{ SQLITE_CORRUPT, "not a driftprobe store, or damaged", "move it away or choose --store",
	  false },
	{ SQLITE_NOMEM, "out of memory", "give it more", false },
	{ SQLITE_TOOBIG, "over 16 MiB, which no profile is", "store smaller ones", false },
	{ SQLITE_CANTOPEN, "cannot be opened", "choose another place with --store", true },
	{ SQLITE_IOERR, "cannot be used", "choose another place with --store", true },
	{ SQLITE_PROTOCOL, "locks do not work there", "choose another place with --store", false },
	/* The last row is for all other codes. */
	{ 0, "SQLite fails", "move it away or choose --store", true },
};

void store_explain(struct store_error *error, const char *path, sqlite3 *db, int code)
{
	/* Errors at the end of a transaction do not get to where SQLite keeps the system's number. */
	int last = errno, err = db ? sqlite3_system_errno(db) : 0, primary = code & 0xff;
	const struct problem *problem = problems;

	if (!err)
		err = last;
	if (code == SQLITE_IOERR_NOMEM)
		primary = SQLITE_NOMEM;
	else if (primary == SQLITE_IOERR && (err == ENOSPC || err == EDQUOT))
		primary = SQLITE_FULL;
	while (problem->code && problem->code != primary)
		problem++;
	if (problem->reason)
		store_error_set(error, "store %.300s: %s (%s); %s", path, problem->text,
				err ? strerror(err) : sqlite3_errstr(code), problem->remedy);
	else
		store_error_set(error, "store %.300s: %s; %s", path, problem->text,
				problem->remedy);
}

static const char schema_sql[] =
	"CREATE TABLE IF NOT EXISTS profile("
	" id TEXT PRIMARY KEY NOT NULL, taken_at TEXT NOT NULL, task TEXT,"
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

/* A number that one statement gives. SQLITE_OK or SQLite's code. */
static int read_number(sqlite3 *db, const char *sql, int *number)
{
	cleanup_stmt sqlite3_stmt *stmt = NULL;
	int code = store_prepare(db, sql, &stmt);
	if (!code)
		code = sqlite3_step(stmt);
	if (code != SQLITE_ROW)
		return code;
	*number = sqlite3_column_int(stmt, 0);
	return SQLITE_OK;
}

static int read_version(sqlite3 *db, int *version)
{
	return read_number(db, "PRAGMA user_version", version);
}

static int run(sqlite3 *db, const char *sql)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/*
 * Two processes may find the fresh file at once: the second waits for the lock, then has nothing to do. What
 * another program keeps in an SQLite file stays as it is.
 */
static int migrate(sqlite3 *db)
{
	int version = 0, foreign = 0;
	int code = run(db, "BEGIN IMMEDIATE");
	if (code)
		return code;
	code = read_version(db, &version);
	if (!code)
		code = read_number(db, "SELECT count(*) FROM sqlite_schema", &foreign);
	if (!code && !version)
		code = foreign ? SQLITE_NOTADB : run(db, schema_sql);
	if (!code)
		code = run(db, "COMMIT");
	if (code)
		run(db, "ROLLBACK");
	return code;
}

/* How to get at the file: each way is for places where the one before does not work. */
enum way {
	WAY_SHARED,
	WAY_ALONE, /* no memory can be shared between processes: WAL without its -shm file */
	WAY_FROZEN, /* neither file nor folder can be written to: read as if nobody ever did */
};

/* The path as an URI of a file that nobody writes to. NULL when out of memory. */
static char *frozen_uri(const char *path)
{
	cleanup_buf struct buf uri = BUF_INIT(65536);
	buf_puts(&uri, "file:");
	for (; *path; path++)
		buf_printf(&uri, "%%%02X", (unsigned char)*path);
	buf_puts(&uri, "?immutable=1");
	return buf_steal(&uri);
}

static int connect_by(struct store *store, enum way way, bool create, int *version)
{
	cleanup_free char *uri = way == WAY_FROZEN ? frozen_uri(store->path) : NULL;
	int flags = way == WAY_FROZEN ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
				      : SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
	if (way == WAY_FROZEN && !uri)
		return SQLITE_NOMEM;
	sqlite3_close(store->db);
	store->db = NULL;
	int code = sqlite3_open_v2(uri ? uri : store->path, &store->db, flags, NULL);
	if (code)
		return code;
	store_bound(store->db);
	sqlite3_busy_timeout(store->db, STORE_BUSY_MS);
	if (way == WAY_ALONE)
		run(store->db, "PRAGMA locking_mode = EXCLUSIVE");
	/* The first read is what opens file, journal and shared memory. */
	return read_version(store->db, version);
}

static bool is_regular(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_out_of_reach(int code)
{
	code &= 0xff;
	return code == SQLITE_CANTOPEN || code == SQLITE_IOERR || code == SQLITE_READONLY;
}

/* Changes that wait in the -wal file would not be seen. */
static bool has_wal(const char *path)
{
	char name[SYS_PATH_MAX + 8];
	struct stat st;
	int n = snprintf(name, sizeof(name), "%s-wal", path);
	return n < 0 || (size_t)n >= sizeof(name) || (!stat(name, &st) && st.st_size);
}

static int connect_somehow(struct store *store, bool create, int *version)
{
	int code = connect_by(store, WAY_SHARED, create, version);
	if (!is_out_of_reach(code) || !is_regular(store->path))
		return code;
	int again = connect_by(store, WAY_ALONE, create, version);
	if (is_out_of_reach(again) && !create && !has_wal(store->path))
		again = connect_by(store, WAY_FROZEN, create, version);
	return again;
}

/*
 * WAL is chosen once, when the store is made: readers and writers do not wait for each other then. Network and
 * sandbox filesystems that cannot share memory between processes keep SQLite's default, a rollback journal.
 */
static int choose_journal(struct store *store, int *version)
{
	int code = run(store->db, "PRAGMA journal_mode = WAL");
	if (!code)
		code = read_version(store->db, version);
	if (!is_out_of_reach(code))
		return SQLITE_OK; /* BUSY: another process makes the same choice */
	code = connect_by(store, WAY_ALONE, true, version);
	return code ? code : run(store->db, "PRAGMA journal_mode = DELETE");
}

static int store_setup(struct store *store, bool create, struct store_error *error)
{
	int version = 0;
	errno = 0;
	int code = connect_somehow(store, create, &version);
	if (!code && version > STORE_VERSION) {
		store_error_set(error,
				"store %.300s: made by a newer driftprobe (store version %d); "
				"update this one",
				store->path, version);
		return -1;
	}
	if (!code && version < STORE_VERSION)
		code = create ? choose_journal(store, &version) : SQLITE_NOTADB;
	if (!code && version < STORE_VERSION)
		code = migrate(store->db);
	/* Another program's file may have the same version number. */
	if (!code && (code = run(store->db, "SELECT id, taken_at, task, document, added_at"
					    " FROM profile LIMIT 0")) == SQLITE_ERROR)
		code = SQLITE_NOTADB;
	if (code)
		store_explain(error, store->path, store->db, code);
	return code ? -1 : 0;
}

struct store *store_open(const char *path, bool create, struct store_error *error)
{
	struct store *store = calloc(1, sizeof(*store));
	int err = create ? make_folders(path) : access(path, F_OK) ? errno : 0;

	if (!store || !(store->path = strdup(path))) {
		store_error_set(error, "out of memory");
		store_close(store);
		return NULL;
	}
	if (err) {
		store_error_set(
			error,
			create ? "store %.300s: its folder cannot be made or written to (%s); choose --store"
			       : "store %.300s: cannot be opened (%s); choose --store",
			path, strerror(err));
		store_close(store);
		return NULL;
	}
	sqlite3_initialize();
	/* 0600 from the start: profiles name users, hosts and paths. */
	mode_t mask = umask(0177);
	int failed = store_setup(store, create, error);
	umask(mask);
	if (failed) {
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
