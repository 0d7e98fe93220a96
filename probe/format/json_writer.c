// SPDX-License-Identifier: Apache-2.0
#include "format/json_writer.h"

#include <string.h>

#include "base/utf8.h"
#include "core/fact.h"
#include "core/redact.h"

static void put_char(struct buf *out, unsigned char c)
{
	static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	for (size_t i = 0; i + 1 < sizeof(named); i += 2) {
		if ((unsigned char)named[i] == c) {
			buf_printf(out, "\\%c", named[i + 1]);
			return;
		}
	}
	/* DEL and what lies below a blank: JSON asks for the latter, terminals thank for the former. */
	if (c < ' ' || c == 0x7f)
		buf_printf(out, "\\u%04x", c);
	else
		buf_putc(out, (char)c);
}

static void put_string(struct buf *out, const char *text, size_t len)
{
	uint32_t code;
	buf_putc(out, '"');
	for (size_t i = 0; i < len;) {
		size_t n = utf8_decode(text + i, len - i, &code);
		if (n == 0) {
			buf_puts(out, "\\ufffd");
			i++;
		} else if (n == 1) {
			put_char(out, (unsigned char)text[i++]);
		} else {
			buf_add(out, text + i, n);
			i += n;
		}
	}
	buf_putc(out, '"');
}

static void put_redacted(struct buf *out, const char *text, size_t len)
{
	cleanup_buf struct buf clean = BUF_INIT((size_t)4 * FACT_VALUE_MAX);
	redact_text(text, len, &clean);
	if (buf_failed(&clean))
		put_string(out, REDACTED, strlen(REDACTED));
	else
		put_string(out, buf_text(&clean), clean.len);
}

static void put_lead(struct json_writer *w, const char *name)
{
	if (w->comma)
		buf_puts(w->out, w->flat ? ", " : ",");
	if (!w->flat && w->depth) {
		buf_putc(w->out, '\n');
		for (unsigned int i = 0; i < w->depth; i++)
			buf_puts(w->out, "  ");
	}
	if (name) {
		put_redacted(w->out, name, strlen(name));
		buf_puts(w->out, ": ");
	}
	w->comma = true;
}

void json_open(struct json_writer *w, const char *name, char bracket)
{
	put_lead(w, name);
	buf_putc(w->out, bracket);
	w->depth++;
	w->comma = false;
}

void json_close(struct json_writer *w, char bracket)
{
	w->depth--;
	if (w->comma && !w->flat) {
		buf_putc(w->out, '\n');
		for (unsigned int i = 0; i < w->depth; i++)
			buf_puts(w->out, "  ");
	}
	buf_putc(w->out, bracket);
	w->comma = true;
}

void json_open_row(struct json_writer *w)
{
	json_open(w, NULL, '{');
	w->flat = true;
}

void json_close_row(struct json_writer *w)
{
	json_close(w, '}');
	w->flat = false;
}

void json_text_n(struct json_writer *w, const char *name, const char *text, size_t len)
{
	put_lead(w, name);
	put_redacted(w->out, text, len);
}

void json_text(struct json_writer *w, const char *name, const char *text)
{
	if (text) {
		json_text_n(w, name, text, strlen(text));
		return;
	}
	put_lead(w, name);
	buf_puts(w->out, "null");
}

void json_int(struct json_writer *w, const char *name, int64_t number)
{
	put_lead(w, name);
	buf_printf(w->out, "%lld", (long long)number);
}

void json_bool(struct json_writer *w, const char *name, bool value)
{
	put_lead(w, name);
	buf_puts(w->out, value ? "true" : "false");
}
