// SPDX-License-Identifier: Apache-2.0
#include "format/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/fact.h"
#include "format/escape.h"

/* An escape can take six times the room of what it stands for. */
#define PAGE_TEXT_MAX ((size_t)6 * FACT_VALUE_MAX)

static const char *const inks[INK_COUNT] = {
	[INK_PLAIN] = "",	  [INK_STRONG] = "\x1b[1m",  [INK_DIM] = "\x1b[2m",
	[INK_RED] = "\x1b[1;31m", [INK_YELLOW] = "\x1b[33m", [INK_CYAN] = "\x1b[36m",
};

enum ink page_severity_ink(enum severity severity)
{
	static const enum ink of[] = {
		[SEVERITY_FATAL] = INK_RED,
		[SEVERITY_DEGRADED] = INK_YELLOW,
		[SEVERITY_SUBTLE] = INK_CYAN,
		[SEVERITY_INFO] = INK_DIM,
	};
	return of[severity];
}

static void put_inked(const struct page *page, enum ink ink, const char *text)
{
	bool coloured = page->style->colour && ink != INK_PLAIN && *text;
	if (coloured)
		buf_puts(page->out, inks[ink]);
	buf_puts(page->out, text);
	if (coloured)
		buf_puts(page->out, "\x1b[0m");
}

static int columns_of(const char *text, size_t len)
{
	int columns = 0;
	for (size_t i = 0; i < len; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

static void put_blanks(struct buf *out, int count)
{
	while (count-- > 0)
		buf_putc(out, ' ');
}

/* Words from column `column` on; a word that fits on no line stands out to the right. */
static void put_wrapped(const struct page *page, int column, int indent, const char *text)
{
	bool first = true;
	while (*text) {
		size_t len = strcspn(text, " ");
		int width = columns_of(text, len);
		if (!first && column + 1 + width > page->style->columns) {
			buf_putc(page->out, '\n');
			put_blanks(page->out, indent);
			column = indent;
			first = true;
		}
		if (!first)
			buf_putc(page->out, ' ');
		buf_add(page->out, text, len);
		column += width + !first;
		first = false;
		text += len;
		text += *text == ' ';
	}
	buf_putc(page->out, '\n');
}

void page_field(const struct page *page, int at, int indent, enum ink ink, const char *label,
		const char *text)
{
	cleanup_buf struct buf head = BUF_INIT(PAGE_TEXT_MAX);
	cleanup_buf struct buf body = BUF_INIT(PAGE_TEXT_MAX);
	escape_text(label, strlen(label), &head);
	escape_text(text, strlen(text), &body);
	int column = at + columns_of(buf_text(&head), head.len);

	put_blanks(page->out, at);
	put_inked(page, ink, buf_text(&head));
	if (!body.len) {
		buf_putc(page->out, '\n');
		return;
	}
	int gap = column < indent ? indent - column : column > at;
	put_blanks(page->out, gap);
	put_wrapped(page, column + gap, indent, buf_text(&body));
}

void page_text(const struct page *page, int indent, const char *text)
{
	page_field(page, indent, indent, INK_PLAIN, "", text);
}

void page_printf(const struct page *page, int indent, const char *fmt, ...)
{
	char text[2048];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	page_text(page, indent, text);
}

void page_heading(const struct page *page, const char *text)
{
	page_field(page, 0, 0, INK_STRONG, text, "");
}

void page_blank(const struct page *page)
{
	buf_putc(page->out, '\n');
}
