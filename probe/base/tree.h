/* SPDX-License-Identifier: Apache-2.0 */
/* Small questions about files below a root. Functions return 0 or a positive errno. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stddef.h>

#include "base/buf.h"

/* Can root + path be opened so (O_RDONLY, O_PATH …)? Never waits for a fifo. */
int tree_open(const char *root, const char *path, int how);

/*
 * Words of a file, between blanks, newlines and commas, into items (max + 1 pointers into text, NULL-ended);
 * what is more is left out. Leaves out the word `skip` where it is not NULL.
 */
int tree_words(const char *root, const char *path, const char *skip, struct buf *text,
	       const char **items, size_t max);

/* The word in brackets of a file such as "none [integrity] confidentiality"; the whole line without one. */
int tree_chosen(const char *root, const char *path, char *word, size_t size);

/* "glibc", "musl" or "none", by the program loaders that are there. */
int tree_libc(const char *root, const char **name, const char **path);

#endif
