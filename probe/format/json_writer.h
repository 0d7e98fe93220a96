/* SPDX-License-Identifier: Apache-2.0 */
/* A small JSON emitter: it knows commas, nesting and escapes. Each string passes the redactor. */
#ifndef FORMAT_JSON_WRITER_H
#define FORMAT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct json_writer {
	struct buf *out;
	unsigned int depth;
	bool comma; /* something stands before in this object or array */
	bool flat; /* inside a row that stays on one line */
};

void json_open(struct json_writer *w, const char *name, char bracket);
void json_close(struct json_writer *w, char bracket);

/* An object that stays on one line: so that grep and diff work on a document. */
void json_open_row(struct json_writer *w);
void json_close_row(struct json_writer *w);

/* name NULL inside an array. A NULL text is null. */
void json_text(struct json_writer *w, const char *name, const char *text);
void json_text_n(struct json_writer *w, const char *name, const char *text, size_t len);
void json_int(struct json_writer *w, const char *name, int64_t number);
void json_bool(struct json_writer *w, const char *name, bool value);

#endif
