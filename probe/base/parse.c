// SPDX-License-Identifier: Apache-2.0
#include "base/parse.h"

#include <ctype.h>
#include <string.h>

bool parse_u64(const char *text, uint64_t *number)
{
	uint64_t value = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return false;
	}
	*number = value;
	return true;
}

bool parse_i64(const char *text, int64_t *number)
{
	bool negative = *text == '-';
	uint64_t value;
	if (!parse_u64(text + negative, &value))
		return false;
	if (value > (uint64_t)INT64_MAX + negative)
		return false;
	*number = negative ? (int64_t)(0 - value) : (int64_t)value;
	return true;
}

bool parse_hex64(const char *text, uint64_t *number)
{
	uint64_t value = 0;
	size_t digits = 0;
	for (; isxdigit((unsigned char)*text); text++, digits++) {
		int c = tolower((unsigned char)*text);
		value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	if (*text || !digits || digits > 16)
		return false;
	*number = value;
	return true;
}

static void copy_cut(char *to, size_t size, const char *from, size_t len)
{
	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

bool parse_line(const char **cursor, char *line, size_t size)
{
	const char *start = *cursor;
	if (!start || !*start)
		return false;
	const char *end = strchr(start, '\n');
	copy_cut(line, size, start, end ? (size_t)(end - start) : strlen(start));
	*cursor = end ? end + 1 : NULL;
	return true;
}

bool parse_field(const char **cursor, char *field, size_t size)
{
	if (!*cursor)
		return false;
	const char *start = *cursor + strspn(*cursor, " \t");
	size_t len = strcspn(start, " \t\n");
	if (!len)
		return false;
	copy_cut(field, size, start, len);
	*cursor = start + len;
	return true;
}

bool parse_keyed(const char *text, const char *name, char *value, size_t size)
{
	size_t len = strlen(name);
	while (text && *text) {
		const char *end = strchr(text, '\n');
		const char *stop = end ? end : text + strlen(text);
		const char *at = text + len;
		if (!strncmp(text, name, len) && (*at == ':' || *at == ' ' || *at == '\t')) {
			at += *at == ':';
			while (at < stop && (*at == ' ' || *at == '\t'))
				at++;
			while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t'))
				stop--;
			copy_cut(value, size, at, (size_t)(stop - at));
			return true;
		}
		text = end ? end + 1 : NULL;
	}
	return false;
}

bool parse_keyed_i64(const char *text, const char *name, int64_t *number)
{
	char value[64];
	int64_t n;
	if (!parse_keyed(text, name, value, sizeof(value)))
		return false;
	char *unit = strchr(value, ' ');
	if (unit)
		*unit++ = '\0';
	if (!parse_i64(value, &n))
		return false;
	if (unit && (strcmp(unit, "kB") != 0 || __builtin_mul_overflow(n, 1024, &n)))
		return false;
	*number = n;
	return true;
}

/* One "a" or "a-b" of a kernel list; the kernel's own lists stay far below this many ids. */
#define CPU_ID_MAX (1 << 20)

static bool parse_cpu_range(const char **cursor, int64_t *count)
{
	const char *at = *cursor;
	int64_t bound[2] = { 0, 0 };
	int n = 0;
	do {
		at += n; /* the '-' before the second number */
		if (!isdigit((unsigned char)*at))
			return false;
		for (; isdigit((unsigned char)*at); at++) {
			bound[n] = bound[n] * 10 + (*at - '0');
			if (bound[n] > CPU_ID_MAX)
				return false;
		}
	} while (++n < 2 && *at == '-');
	*count = n == 2 ? bound[1] - bound[0] + 1 : 1;
	*cursor = at;
	return *count > 0;
}

bool parse_cpu_list(const char *text, int64_t *count)
{
	int64_t total = 0, n;
	while (*text && *text != '\n') {
		if (!parse_cpu_range(&text, &n))
			return false;
		total += n;
		if (*text == ',')
			text++;
		else if (*text && *text != '\n')
			return false;
	}
	*count = total;
	return true;
}

bool parse_suffix(const char *text, const char *suffix)
{
	size_t n = strlen(text), m = strlen(suffix);
	return n >= m && !strcmp(text + n - m, suffix);
}

void parse_unescape_octal(char *text)
{
	char *to = text;
	for (; *text; text++) {
		const unsigned char *d = (const unsigned char *)text + 1;
		if (*text == '\\' && d[0] >= '0' && d[0] <= '3' && d[1] >= '0' && d[1] <= '7' &&
		    d[2] >= '0' && d[2] <= '7') {
			char c = (char)((d[0] - '0') << 6 | (d[1] - '0') << 3 | (d[2] - '0'));
			if (c) { /* an escaped NUL would cut the string: keep the escape */
				*to++ = c;
				text += 3;
				continue;
			}
		}
		*to++ = *text;
	}
	*to = '\0';
}
