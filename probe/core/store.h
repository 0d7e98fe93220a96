/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store: SQLite, used as archive, as JSON reader and as join engine. Only store*.c include sqlite3.h.
 * One file, WAL, many processes at once. Profiles in it are JSON documents as on the wire (already
 * redacted); views show their facts as rows.
 */
#ifndef CORE_STORE_H
#define CORE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/profile.h"

struct store;

#define STORE_ERROR_MAX 512

/* One line for the user, filled on failure: what failed and what to do. */
struct store_error {
	char text[STORE_ERROR_MAX];
};

/* $XDG_STATE_HOME/driftprobe/store.db or ~/.local/state/driftprobe/store.db. -1 when neither is known. */
int store_default_path(char *out, size_t size);

/*
 * Opens, and creates with its folders when create is set. NULL on failure with error filled: locked for
 * over 5 s, disk full, read-only, not a database, made by a newer version.
 */
struct store *store_open(const char *path, bool create, struct store_error *error);
void store_close(struct store *store);
static inline void store_cleanup(struct store **store)
{
	store_close(*store);
}
#define cleanup_store __attribute__((__cleanup__(store_cleanup)))

/* Adds a document (driftprobe.profile/1). 0; -1 with error filled. Adding an id again changes nothing. */
int store_add(struct store *store, const char *json, size_t len, struct store_error *error);

/*
 * The document whose id is, or begins with, prefix ("latest": the newest; "latest:TASK": of that task).
 * Owned string, or NULL with error filled (none, or several: they are named).
 */
char *store_document(struct store *store, const char *prefix, struct store_error *error);

/*
 * JSON text to a profile, through SQLite's JSON functions, in memory. Bounded: FACT_COUNT_MAX facts,
 * FACT_VALUE_MAX bytes a value. The text is hostile input. NULL with error filled: not JSON, not a profile,
 * a newer schema (driftprobe.profile/2 …), a field of a wrong kind.
 */
struct profile *store_parse_profile(const char *json, size_t len, struct store_error *error);

/*
 * Full outer join of two profiles by key, through SQLite: calls row for each key whose facts differ, with
 * the facts (NULL on the side that has none), by key. 0; -1 when out of memory or when row returned non-zero.
 */
int store_join(const struct profile *local, const struct profile *remote,
	       int (*row)(const struct fact *local, const struct fact *remote, void *data),
	       void *data, size_t *compared);

#endif
