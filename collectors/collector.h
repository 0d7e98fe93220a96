/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector looks at one subject and speaks facts into a sink. It is one file and one row in list.h.
 * It runs in a forked child with a deadline (in this process where fork is refused), so it may hang or die
 * without harm to the report; it must leave no file, process, mount or descriptor behind.
 */
#ifndef COLLECTORS_COLLECTOR_H
#define COLLECTORS_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "core/sink.h"

/* What the caller asked for and what we were started with: recorded before anything was changed. */
struct scope {
	const char *root; /* "" here; a recorded tree in tests: files are read at root + path */
	const char *const *dirs; /* --dir, NULL-ended; may be NULL */
	const char *const *environ; /* environment as received, NULL-ended */
	const char *cwd; /* as received; NULL when getcwd failed */
	int cwd_errno;
};

struct collector {
	const char *name; /* prefix of its keys, and the word for --only and --skip */
	const char *about; /* one line for --help */
	int deadline_ms;
	bool shares; /* over within milliseconds, unless something is wrong: shares a child with others */
	void (*collect)(struct sink *sink, const struct scope *scope);
};

/* Value of a variable in scope->environ, or NULL. Borrowed. */
const char *scope_getenv(const struct scope *scope, const char *name);

#endif
