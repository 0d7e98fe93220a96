// SPDX-License-Identifier: Apache-2.0
#include "base/os_release.h"

#include <string.h>

/* Inside double quotes a backslash protects these only; elsewhere any character; inside single quotes none. */
static bool escapes(char quote, char next)
{
	return next && (quote == '"' ? strchr("\"$\\`", next) != NULL : !quote);
}

static bool unquote(const char *at, const char *end, char *value, size_t size)
{
	size_t len = 0;
	char quote = 0;
	for (; at < end; at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'') {
			quote = quote ? 0 : *at;
			continue;
		}
		if (*at == '\\' && at + 1 < end && escapes(quote, at[1]))
			at++;
		if (len + 1 >= size)
			return false;
		value[len++] = *at;
	}
	value[len] = '\0';
	return !quote;
}

bool os_release_value(const char *text, const char *name, char *value, size_t size)
{
	size_t len = strlen(name);
	const char *found = NULL;
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && line[len] == '=')
			found = line + len + 1;
	}
	if (!found)
		return false;
	const char *end = found + strcspn(found, "\n");
	while (end > found && strchr(" \t\r", end[-1]))
		end--;
	return unquote(found, end, value, size);
}
