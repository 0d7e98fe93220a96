// SPDX-License-Identifier: Apache-2.0
#include "format/fact_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/size.h"

#define VALUE_SHOWN 160
#define ITEMS_SHOWN 12

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
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

static void put_int(struct buf *out, const char *key, int64_t number)
{
	if (number >= 0 && ends_with(key, "_bytes"))
		buf_puts(out, size_text(number).text);
	else
		buf_printf(out, "%lld", (long long)number);
}

/* Items of list that are not in other (all of them when other is NULL). Returns how many. */
static size_t put_items(struct buf *out, const struct fact *list, const struct fact *other)
{
	size_t count = 0;
	for (const char *item = NULL; (item = fact_list_next(list, item));) {
		if (other && fact_list_has(other, item))
			continue;
		if (count < ITEMS_SHOWN) {
			buf_puts(out, count ? ", " : "");
			put_cut(out, item);
		}
		count++;
	}
	if (count > ITEMS_SHOWN)
		buf_printf(out, " and %zu more", count - ITEMS_SHOWN);
	return count;
}

static void put_value(const struct fact *fact, struct buf *out)
{
	switch (fact->type) {
	case FACT_TEXT:
		if (*fact->value)
			put_cut(out, fact->value);
		else
			buf_puts(out, "\"\"");
		break;
	case FACT_INT:
		put_int(out, fact->key, fact->number);
		break;
	case FACT_BOOL:
		buf_puts(out, fact->number ? "yes" : "no");
		break;
	case FACT_LIST:
		if (!put_items(out, fact, NULL))
			buf_puts(out, "none");
		break;
	}
}

void fact_text(const struct fact *fact, struct buf *out)
{
	if (!fact) {
		buf_puts(out, "nothing");
		return;
	}
	if (fact->status == FACT_OK) {
		put_value(fact, out);
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

static bool is_list(const struct fact *fact)
{
	return fact && fact->status == FACT_OK && fact->type == FACT_LIST;
}

void fact_text_change(const struct fact *local, const struct fact *remote, struct buf *out)
{
	if (is_list(local) && is_list(remote)) {
		size_t before = out->len;
		buf_puts(out, "gone: ");
		if (!put_items(out, local, remote))
			out->len = before;
		size_t mid = out->len;
		buf_puts(out, mid > before ? "; new: " : "new: ");
		if (!put_items(out, remote, local))
			out->len = mid;
		if (out->len == before)
			buf_puts(out, "another order");
		else if (out->data)
			out->data[out->len] = '\0';
		return;
	}
	fact_text(local, out);
	buf_puts(out, " -> ");
	fact_text(remote, out);
}
