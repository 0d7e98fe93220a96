/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet of text: wrapping, colour, and every outside word escaped. */
#ifndef FORMAT_SHEET_H
#define FORMAT_SHEET_H

#include "base/buf.h"
#include "core/profile.h"
#include "format/text.h"

struct sheet {
	struct buf *out;
	const struct text_style *style;
};

enum sheet_ink {
	SHEET_PLAIN,
	SHEET_BOLD,
	SHEET_DIM,
	SHEET_RED,
	SHEET_YELLOW,
	SHEET_CYAN,
	SHEET_GREEN
};

enum sheet_ink sheet_ink_of(enum severity severity);

/* Text in a colour, escaped; padded with blanks to width. */
void sheet_put(struct sheet *sheet, enum sheet_ink ink, const char *text, int width);

/*
 * A paragraph, wrapped at the style's columns: the first line begins with lead (at most as wide as indent),
 * the others with indent blanks.
 */
void sheet_wrap(struct sheet *sheet, enum sheet_ink ink, const char *lead, int indent,
		const char *text);

void sheet_line(struct sheet *sheet);

/* A fact's value as a person reads it: bytes by the key's unit, lists with commas, a status with its errno. */
void sheet_value(const struct fact *fact, struct buf *out);

#endif
