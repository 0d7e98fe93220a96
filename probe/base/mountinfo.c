// SPDX-License-Identifier: Apache-2.0
#include "base/mountinfo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/sys.h"

/*
 * 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 * (1)(2)(3)   (4)   (5)      (6)      (7)   (8) (9)   (10)         (11)
 * Optional fields (7) are none or more, ended by a lone "-". The source (10) may be empty: two blanks.
 */
enum { FIELD_ROOT = 3, FIELD_POINT, FIELD_OPTIONS, FIELD_OPTIONAL };

/* Cuts the next field off at a blank. An empty field between two blanks is a field. */
static char *cut_field(char **line)
{
	char *field = *line;
	if (!field)
		return NULL;
	char *blank = strchr(field, ' ');
	if (blank)
		*blank = '\0';
	*line = blank ? blank + 1 : NULL;
	return field;
}

static bool parse_mount(char *line, struct mount *mount)
{
	char *field[FIELD_OPTIONAL], *at = line, *type, *source, *super;

	for (int i = 0; i < FIELD_OPTIONAL; i++) {
		field[i] = cut_field(&at);
		if (!field[i] || !*field[i])
			return false;
	}
	char *optional;
	do
		optional = cut_field(&at);
	while (optional && strcmp(optional, "-") != 0);
	type = cut_field(&at);
	source = cut_field(&at);
	super = at;
	if (!optional || !type || !*type || !source || !super || field[FIELD_POINT][0] != '/')
		return false;
	parse_unescape_octal(field[FIELD_ROOT]);
	parse_unescape_octal(field[FIELD_POINT]);
	parse_unescape_octal(source);
	*mount = (struct mount){
		field[FIELD_ROOT], field[FIELD_POINT], field[FIELD_OPTIONS], type, source, super
	};
	return true;
}

int mountinfo_parse(char *text, struct mount_table *table)
{
	size_t lines = 1;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	*table =
		(struct mount_table){ .text = text, .mounts = calloc(lines, sizeof(struct mount)) };
	if (!table->mounts) {
		mountinfo_done(table);
		return -1;
	}
	for (char *line = text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (parse_mount(line, &table->mounts[table->count]))
			table->count++;
		else
			table->malformed++;
	}
	return 0;
}

int mountinfo_read(const char *root, struct mount_table *table)
{
	cleanup_buf struct buf text = BUF_INIT(MOUNTINFO_TEXT_MAX);
	int err = sys_read(root, "/proc/self/mountinfo", &text);
	if (err)
		return err;
	char *owned = buf_steal(&text);
	if (!owned)
		return ENOMEM;
	return mountinfo_parse(owned, table) ? ENOMEM : 0;
}

void mountinfo_done(struct mount_table *table)
{
	free(table->mounts);
	free(table->text);
	*table = (struct mount_table){ 0 };
}

const struct mount *mountinfo_lookup(const struct mount_table *table, const char *path)
{
	const struct mount *best = NULL;
	size_t best_len = 0;
	for (size_t i = 0; i < table->count; i++) {
		const char *point = table->mounts[i].point;
		size_t len = strcmp(point, "/") ? strlen(point) : 0;
		/* ">=": of mounts on one point the last one listed is on top. */
		if (!strncmp(path, point, len) && (path[len] == '/' || !path[len]) &&
		    (!best || len >= best_len)) {
			best = &table->mounts[i];
			best_len = len;
		}
	}
	return best;
}

bool mount_has_option(const char *options, const char *word)
{
	size_t len = strlen(word);
	for (const char *at = options; *at;) {
		size_t n = strcspn(at, ",");
		if (n == len && !strncmp(at, word, n))
			return true;
		at += n + (at[n] == ',');
	}
	return false;
}
