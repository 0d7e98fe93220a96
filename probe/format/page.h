/* SPDX-License-Identifier: Apache-2.0 */
/* A page of text: labelled, wrapped, coloured. All that is put on it is escaped and redacted. */
#ifndef FORMAT_PAGE_H
#define FORMAT_PAGE_H

#include "core/fact.h"
#include "format/text.h"

enum ink { INK_PLAIN, INK_BOLD, INK_DIM, INK_RED, INK_YELLOW, INK_CYAN, INK_GREEN, INK_COUNT };

struct page {
	struct buf *out;
	const struct text_style *style;
};

/* The colour of a severity. */
enum ink page_ink_of(enum severity severity);

/* Text in a colour, then blanks up to `width` columns. */
void page_put(struct page *page, enum ink ink, const char *text, int width);

/*
 * A line from column 0 on: lead, blanks up to column `indent`, then text, wrapped there. With an empty lead
 * whoever called has filled the line up to `indent` already.
 */
void page_wrap(struct page *page, enum ink ink, const char *lead, int indent, const char *text);

/* An empty line. */
void page_line(struct page *page);

/* Appends a fact as a person says it: "4 GiB", "yes", "a, b", "absent", "denied (EACCES)". Not escaped yet. */
void page_value(const struct fact *fact, struct buf *out);

#endif
