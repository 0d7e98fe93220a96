/* SPDX-License-Identifier: Apache-2.0 */
/* Documents in and out of files, pipes and the store. Says what is wrong itself, as one line on stderr. */
#ifndef CMD_DOCUMENT_H
#define CMD_DOCUMENT_H

#include <stdbool.h>

#include "base/buf.h"
#include "core/profile.h"
#include "format/text.h"

/*
 * The profile that name stands for: a file (plain or .zst), "-" (stdin), "live" (this environment, now),
 * else an id, a prefix of one, or "latest" in the store (NULL: the default one). NULL on failure.
 */
struct profile *document_profile(const char *name, const char *store);

/*
 * Writes to a file (through a temporary one beside it, compressed when the name ends in .zst), or to stdout
 * for "-". 0, or -1.
 */
int document_write(const char *name, const struct buf *document);

/* Writes to stdout, and notices when that fails. 0, or -1. */
int document_print(const struct buf *text);

/* Keeps a document in a store; path NULL: the default one. 0, or -1. */
int document_keep(const char *path, const struct buf *document);

/* How to write for people on this stdout. */
struct text_style document_style(bool no_color, bool all);

#endif
