/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing byte buffer with a ceiling. The first failure (out of memory, ceiling reached) sticks:
 * later appends do nothing and buf_failed() tells. Contents are always NUL-ended, and may hold NULs.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data; /* owned; NULL until the first append */
	size_t len;
	size_t size;
	size_t max;
	bool failed;
};

#define BUF_INIT(max_bytes) ((struct buf){ .max = (max_bytes) })
#define cleanup_buf	    __attribute__((__cleanup__(buf_done)))

/* Append; return 0, or -1 when the buffer has failed now or before. */
int buf_add(struct buf *buf, const void *data, size_t len);
int buf_puts(struct buf *buf, const char *text);
int buf_putc(struct buf *buf, char c);
int buf_printf(struct buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Room for n more bytes; the caller writes there, then adds to len. NULL when that fails. */
char *buf_reserve(struct buf *buf, size_t n);

/* The text so far, never NULL. Borrowed: valid until the next append. */
const char *buf_text(const struct buf *buf);

/* The contents as an owned string; the buffer is empty afterwards. NULL when it has failed. */
char *buf_steal(struct buf *buf);

static inline bool buf_failed(const struct buf *buf)
{
	return buf->failed;
}

/* Frees the contents and keeps the ceiling. Safe on a zeroed buffer. */
void buf_done(struct buf *buf);

#endif
