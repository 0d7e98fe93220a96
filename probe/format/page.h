/* SPDX-License-Identifier: Apache-2.0 */
/* A page of text: labelled, wrapped, coloured. All that is put on it is escaped and redacted. */
#ifndef FORMAT_PAGE_H
#define FORMAT_PAGE_H

#include "format/text.h"

enum ink { INK_PLAIN, INK_STRONG, INK_DIM, INK_RED, INK_YELLOW, INK_CYAN, INK_COUNT };

struct page {
	const struct text_style *style;
	struct buf *out;
};

/* The colour of a severity. */
enum ink page_severity_ink(enum severity severity);

/* A line: label in its colour from column `at` on, then text from column `indent` on, wrapped there. */
void page_field(const struct page *page, int at, int indent, enum ink ink, const char *label,
		const char *text);

/* Text from column `indent` on, wrapped there. */
void page_text(const struct page *page, int indent, const char *text);
void page_printf(const struct page *page, int indent, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A line in a colour, from column 0 on. */
void page_heading(const struct page *page, const char *text);

void page_blank(const struct page *page);

#endif
