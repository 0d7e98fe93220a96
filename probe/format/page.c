// SPDX-License-Identifier: Apache-2.0
#include "format/page.h"

#include <string.h>

#include "base/errno_name.h"
#include "base/size.h"
#include "format/escape.h"

/* An escape can take six times the room of what it stands for. */
#define PAGE_TEXT_MAX ((size_t)6 * FACT_VALUE_MAX)

#define VALUE_SHOWN 160
#define ITEMS_SHOWN 12

static const char *const inks[INK_COUNT] = {
	[INK_BOLD] = "\x1b[1m",	   [INK_DIM] = "\x1b[2m",   [INK_RED] = "\x1b[1;31m",
	[INK_YELLOW] = "\x1b[33m", [INK_CYAN] = "\x1b[36m", [INK_GREEN] = "\x1b[32m",
};

enum ink page_ink_of(enum severity severity)
{
	static const enum ink of[] = {
		[SEVERITY_FATAL] = INK_RED,
		[SEVERITY_DEGRADED] = INK_YELLOW,
		[SEVERITY_SUBTLE] = INK_CYAN,
		[SEVERITY_INFO] = INK_DIM,
	};
	return of[severity];
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

static void ink_on(const struct page *page, enum ink ink)
{
	if (page->style->colour && inks[ink])
		buf_puts(page->out, inks[ink]);
}

static void ink_off(const struct page *page, enum ink ink)
{
	if (page->style->colour && inks[ink])
		buf_puts(page->out, "\x1b[0m");
}

void page_put(struct page *page, enum ink ink, const char *text, int width)
{
	cleanup_buf struct buf clean = BUF_INIT(PAGE_TEXT_MAX);
	escape_text(text, strlen(text), &clean);
	ink_on(page, ink);
	buf_puts(page->out, buf_text(&clean));
	ink_off(page, ink);
	put_blanks(page->out, width - columns_of(buf_text(&clean), clean.len));
}

/* A word that fits on no line stands out to the right: a path that is cut in two can be copied by nobody. */
static void put_words(struct page *page, int column, int indent, const char *text)
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
}

void page_wrap(struct page *page, enum ink ink, const char *lead, int indent, const char *text)
{
	cleanup_buf struct buf head = BUF_INIT(PAGE_TEXT_MAX), body = BUF_INIT(PAGE_TEXT_MAX);
	escape_text(lead, strlen(lead), &head);
	escape_text(text, strlen(text), &body);
	int column = columns_of(buf_text(&head), head.len);

	buf_puts(page->out, buf_text(&head));
	if (column && column < indent)
		put_blanks(page->out, indent - column);
	if (column < indent)
		column = indent;
	ink_on(page, ink);
	put_words(page, column, indent, buf_text(&body));
	ink_off(page, ink);
	buf_putc(page->out, '\n');
}

void page_line(struct page *page)
{
	buf_putc(page->out, '\n');
}

/* At most VALUE_SHOWN bytes, cut between characters. */
static void put_cut(struct buf *out, const char *text)
{
	size_t len = strlen(text), end = len;
	if (len > VALUE_SHOWN) {
		end = VALUE_SHOWN;
		while (end && ((unsigned char)text[end] & 0xc0) == 0x80)
			end--;
	}
	buf_add(out, text, end);
	if (end < len)
		buf_puts(out, "...");
}

static void put_list(const struct fact *fact, struct buf *out)
{
	size_t count = 0;
	for (const char *item = NULL; (item = fact_list_next(fact, item)); count++) {
		if (count >= ITEMS_SHOWN)
			continue;
		buf_puts(out, count ? ", " : "");
		put_cut(out, item);
	}
	if (count > ITEMS_SHOWN)
		buf_printf(out, ", and %zu more", count - ITEMS_SHOWN);
	if (!count)
		buf_puts(out, "none");
}

static void put_int(const struct fact *fact, struct buf *out)
{
	size_t len = strlen(fact->key);
	if (fact->number >= 0 && len > 6 && !strcmp(fact->key + len - 6, "_bytes"))
		buf_puts(out, size_text(fact->number).text);
	else
		buf_printf(out, "%lld", (long long)fact->number);
}

static void put_known(const struct fact *fact, struct buf *out)
{
	switch (fact->type) {
	case FACT_TEXT:
		put_cut(out, *fact->value ? fact->value : "\"\"");
		break;
	case FACT_INT:
		put_int(fact, out);
		break;
	case FACT_BOOL:
		buf_puts(out, fact->number ? "yes" : "no");
		break;
	case FACT_LIST:
		put_list(fact, out);
		break;
	}
}

void page_value(const struct fact *fact, struct buf *out)
{
	if (!fact) {
		buf_puts(out, "nothing");
		return;
	}
	if (fact->status == FACT_OK) {
		put_known(fact, out);
		return;
	}
	buf_puts(out, fact_status_name(fact->status));
	/* Of what does not exist the errno says nothing new. */
	if (fact->err && fact->status != FACT_ABSENT) {
		const char *name = errno_name(fact->err);
		if (name)
			buf_printf(out, " (%s)", name);
		else
			buf_printf(out, " (errno %d)", fact->err);
	}
}
