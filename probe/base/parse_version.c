// SPDX-License-Identifier: Apache-2.0
#include "base/parse_version.h"

#include <ctype.h>
#include <string.h>

bool parse_version(const char *text, char *version, size_t size)
{
	for (const char *at = text; *at; at++) {
		if (!isdigit((unsigned char)*at) ||
		    (at > text && (isdigit((unsigned char)at[-1]) || at[-1] == '.')))
			continue;
		size_t n = strspn(at, "0123456789");
		if (at[n] != '.' || !isdigit((unsigned char)at[n + 1]))
			continue;
		n = strspn(at, "0123456789abcdefghijklmnopqrstuvwxyz.+_-");
		while (n && strchr(".+_-", at[n - 1]))
			n--;
		if (n >= size)
			return false;
		memcpy(version, at, n);
		version[n] = '\0';
		return true;
	}
	return false;
}

void parse_first_line(const char *text, char *line, size_t size)
{
	size_t n = 0;
	text += strspn(text, " \t\r\n");
	for (; *text && *text != '\n' && n + 1 < size; text++)
		if ((unsigned char)*text >= ' ' && *text != 0x7f)
			line[n++] = *text;
	line[n] = '\0';
}
