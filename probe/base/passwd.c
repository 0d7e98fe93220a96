// SPDX-License-Identifier: Apache-2.0
#include "base/passwd.h"

#include <stddef.h>
#include <string.h>

#include "base/parse.h"

#define PASSWD_FIELDS 7
#define GROUP_FIELDS  4

struct field {
	const char *at;
	size_t len;
};

/* Splits the line at text into exactly count fields. The line ends at a newline or at the end of the text. */
static bool split(const char *text, size_t len, struct field *fields, size_t count)
{
	const char *end = text + len;
	for (size_t i = 0; i < count; i++) {
		bool last = i == count - 1;
		const char *colon = memchr(text, ':', (size_t)(end - text));
		if (last == (colon != NULL))
			return false;
		const char *stop = last ? end : colon;
		fields[i] = (struct field){ text, (size_t)(stop - text) };
		text = stop + !last;
	}
	return true;
}

static bool copy(struct field field, char *out, size_t size)
{
	if (field.len >= size)
		return false;
	memcpy(out, field.at, field.len);
	out[field.len] = '\0';
	return true;
}

static bool id_is(struct field field, uint32_t id)
{
	char text[16];
	uint64_t number;
	return copy(field, text, sizeof(text)) && parse_u64(text, &number) && number == id;
}

/* The next line with a name and that id; *text moves behind it. */
static bool next_entry(const char **text, uint32_t id, struct field *fields, size_t count)
{
	while (**text) {
		const char *line = *text;
		size_t len = strcspn(line, "\n");
		*text = line + len + (line[len] == '\n');
		if (split(line, len, fields, count) && fields[0].len && id_is(fields[2], id))
			return true;
	}
	return false;
}

bool passwd_find(const char *text, uint32_t uid, struct passwd_entry *entry)
{
	struct field fields[PASSWD_FIELDS];
	struct passwd_entry found;
	while (next_entry(&text, uid, fields, PASSWD_FIELDS)) {
		if (copy(fields[0], found.name, sizeof(found.name)) &&
		    copy(fields[5], found.home, sizeof(found.home)) &&
		    copy(fields[6], found.shell, sizeof(found.shell))) {
			*entry = found;
			return true;
		}
	}
	return false;
}

bool group_find(const char *text, uint32_t gid, char name[PASSWD_NAME_MAX])
{
	struct field fields[GROUP_FIELDS];
	while (next_entry(&text, gid, fields, GROUP_FIELDS))
		if (copy(fields[0], name, PASSWD_NAME_MAX))
			return true;
	return false;
}
