// SPDX-License-Identifier: Apache-2.0
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *buf_reserve(struct buf *buf, size_t n)
{
	if (buf->failed)
		return NULL;
	if (n > buf->max || buf->len > buf->max - n) {
		buf->failed = true;
		return NULL;
	}
	size_t need = buf->len + n + 1;
	if (need > buf->size) {
		size_t size = buf->size ? buf->size + buf->size / 2 : 256;
		if (size < need)
			size = need;
		char *data = realloc(buf->data, size);
		if (!data) {
			buf->failed = true;
			return NULL;
		}
		buf->data = data;
		buf->size = size;
	}
	return buf->data + buf->len;
}

int buf_add(struct buf *buf, const void *data, size_t len)
{
	char *to = buf_reserve(buf, len);
	if (!to)
		return -1;
	if (len)
		memcpy(to, data, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
	return 0;
}

int buf_puts(struct buf *buf, const char *text)
{
	return buf_add(buf, text, strlen(text));
}

int buf_putc(struct buf *buf, char c)
{
	return buf_add(buf, &c, 1);
}

int buf_printf(struct buf *buf, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *to = n < 0 ? NULL : buf_reserve(buf, (size_t)n);
	if (to) {
		vsnprintf(to, (size_t)n + 1, fmt, again);
		buf->len += (size_t)n;
	}
	va_end(again);
	return to ? 0 : -1;
}

const char *buf_text(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}

char *buf_steal(struct buf *buf)
{
	if (buf->failed)
		return NULL;
	char *text = buf->data ? buf->data : calloc(1, 1);
	*buf = BUF_INIT(buf->max);
	return text;
}

void buf_done(struct buf *buf)
{
	free(buf->data);
	*buf = BUF_INIT(buf->max);
}
