// SPDX-License-Identifier: Apache-2.0
#include "base/os_release.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/sys.h"

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

const char *os_release_read(const char *root, struct os_release *os)
{
	cleanup_buf struct buf text = BUF_INIT(16384);
	const char *path = "/etc/os-release";
	int err = sys_read(root, path, &text);
	if (err == ENOENT) {
		path = "/usr/lib/os-release";
		err = sys_read(root, path, &text);
	}
	const struct {
		const char *name;
		char *value;
		size_t size;
		int *err;
	} fields[] = {
		{ "ID", os->id, sizeof(os->id), &os->id_err },
		{ "VERSION_ID", os->version, sizeof(os->version), &os->version_err },
		{ "PRETTY_NAME", os->name, sizeof(os->name), &os->name_err },
	};
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		*fields[i].err = err;
		if (!err && !os_release_value(buf_text(&text), fields[i].name, fields[i].value,
					      fields[i].size))
			*fields[i].err = ENOENT;
	}
	return path;
}
