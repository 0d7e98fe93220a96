// SPDX-License-Identifier: Apache-2.0
#include "format/sheet.h"

#include <string.h>

#include "base/errno_name.h"
#include "base/parse.h"
#include "base/size.h"
#include "base/utf8.h"
#include "format/escape.h"

static const char *const inks[] = {
	[SHEET_PLAIN] = "",	    [SHEET_BOLD] = "\033[1m",	 [SHEET_DIM] = "\033[2m",
	[SHEET_RED] = "\033[31m",   [SHEET_YELLOW] = "\033[33m", [SHEET_CYAN] = "\033[36m",
	[SHEET_GREEN] = "\033[32m",
};

enum sheet_ink sheet_ink_of(enum severity severity)
{
	static const enum sheet_ink of[] = { [SEVERITY_FATAL] = SHEET_RED,
					     [SEVERITY_DEGRADED] = SHEET_YELLOW,
					     [SEVERITY_SUBTLE] = SHEET_CYAN,
					     [SEVERITY_INFO] = SHEET_DIM };
	return of[severity];
}

/* Columns that text takes: one a code point, which is right for what we print ourselves. */
static int width_of(const char *text, size_t len)
{
	int width = 0;
	uint32_t code;
	for (size_t i = 0; i < len; width++) {
		size_t n = utf8_decode(text + i, len - i, &code);
		i += n ? n : 1;
	}
	return width;
}

static void blanks(struct sheet *sheet, int from, int to)
{
	for (; from < to; from++)
		buf_putc(sheet->out, ' ');
}

static void ink_on(struct sheet *sheet, enum sheet_ink ink)
{
	if (sheet->style->colour && ink != SHEET_PLAIN)
		buf_puts(sheet->out, inks[ink]);
}

static void ink_off(struct sheet *sheet, enum sheet_ink ink)
{
	if (sheet->style->colour && ink != SHEET_PLAIN)
		buf_puts(sheet->out, "\033[0m");
}

void sheet_put(struct sheet *sheet, enum sheet_ink ink, const char *text, int width)
{
	ink_on(sheet, ink);
	size_t before = sheet->out->len;
	escape_text(text, strlen(text), sheet->out);
	int used = width_of(buf_text(sheet->out) + before, sheet->out->len - before);
	ink_off(sheet, ink);
	blanks(sheet, used, width);
}

void sheet_line(struct sheet *sheet)
{
	buf_putc(sheet->out, '\n');
}

void sheet_wrap(struct sheet *sheet, enum sheet_ink ink, const char *lead, int indent,
		const char *text)
{
	cleanup_buf struct buf clean = BUF_INIT((size_t)1 << 20);
	int columns = sheet->style->columns > indent + 20 ? sheet->style->columns : indent + 20;
	int at = width_of(lead, strlen(lead));
	int gap = 0; /* blanks before the next word; 0 at the beginning of a line */

	escape_text(text, strlen(text), &clean);
	buf_puts(sheet->out, lead);
	/* A lead that was put before us counts as the indent. */
	if (*lead)
		blanks(sheet, at, indent);
	at = indent;
	ink_on(sheet, ink);
	for (const char *word = buf_text(&clean); *word;) {
		size_t len = strcspn(word, " ");
		int width = width_of(word, len);
		if (gap && at + gap + width > columns) {
			ink_off(sheet, ink);
			buf_putc(sheet->out, '\n');
			blanks(sheet, 0, indent);
			at = indent;
			gap = 0;
			ink_on(sheet, ink);
		}
		blanks(sheet, 0, gap);
		buf_add(sheet->out, word, len);
		at += gap + width;
		word += len;
		/* Two blanks in a row are meant: they set something apart. */
		gap = word[strspn(word, " ")] ? 1 + (word[0] == ' ' && word[1] == ' ') : 0;
		word += strspn(word, " ");
	}
	ink_off(sheet, ink);
	buf_putc(sheet->out, '\n');
}

static void value_list(const struct fact *fact, struct buf *out)
{
	size_t shown = 0, count = fact_list_count(fact);
	for (const char *item = NULL; shown < 12 && (item = fact_list_next(fact, item)); shown++)
		buf_printf(out, "%s%.200s", shown ? ", " : "", item);
	if (!count)
		buf_puts(out, "none");
	else if (count > shown)
		buf_printf(out, ", and %zu more", count - shown);
}

void sheet_value(const struct fact *fact, struct buf *out)
{
	if (!fact) {
		buf_puts(out, "nothing");
		return;
	}
	if (fact->status != FACT_OK) {
		const char *name = errno_name(fact->err);
		buf_puts(out, fact_status_name(fact->status));
		if (fact->err && name)
			buf_printf(out, " (%s)", name);
		return;
	}
	if (fact->type == FACT_LIST)
		value_list(fact, out);
	else if (fact->type == FACT_TEXT)
		buf_printf(out, "%.300s", *fact->value ? fact->value : "\"\"");
	else if (fact->type == FACT_BOOL)
		buf_puts(out, fact->number ? "yes" : "no");
	else if (parse_suffix(fact->key, "_bytes"))
		buf_puts(out, size_text(fact->number).text);
	else
		buf_printf(out, "%lld", (long long)fact->number);
}
