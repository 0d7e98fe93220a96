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
enum {
	FIELD_ID,
	FIELD_PARENT,
	FIELD_DEVICE,
	FIELD_ROOT,
	FIELD_POINT,
	FIELD_OPTIONS,
	FIELD_OPTIONAL
};

/* What the kernel puts behind a root whose directory is gone (a bind mount of it outlives it). */
#define DELETED "//deleted"

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
	int64_t id, parent;
	if (!parse_i64(field[FIELD_ID], &id) || !parse_i64(field[FIELD_PARENT], &parent))
		return false;
	char *root = field[FIELD_ROOT];
	size_t len = strlen(root), tail = strlen(DELETED);
	/* Before escapes are undone: a directory may be called that, but not with two slashes. */
	bool deleted = len > tail && !strcmp(root + len - tail, DELETED);
	if (deleted)
		root[len - tail] = '\0';
	parse_unescape_octal(root);
	parse_unescape_octal(field[FIELD_POINT]);
	parse_unescape_octal(type);
	parse_unescape_octal(source);
	*mount = (struct mount){ .id = id,
				 .parent = parent,
				 .root = root,
				 .point = field[FIELD_POINT],
				 .options = field[FIELD_OPTIONS],
				 .type = type,
				 .source = source,
				 .super_options = super,
				 .deleted = deleted };
	return true;
}

/* Grows with the lines that are good: a text of newlines must not cost a table of its length. */
static struct mount *next_slot(struct mount_table *table, size_t *size)
{
	if (table->count == *size) {
		size_t bigger = *size ? *size * 2 : 64;
		struct mount *mounts = realloc(table->mounts, bigger * sizeof(*mounts));
		if (!mounts)
			return NULL;
		table->mounts = mounts;
		*size = bigger;
	}
	return &table->mounts[table->count];
}

int mountinfo_parse(char *text, struct mount_table *table)
{
	size_t size = 0;
	*table = (struct mount_table){ .text = text };
	for (char *line = text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		struct mount *mount = next_slot(table, &size);
		if (!mount) {
			mountinfo_done(table);
			return -1;
		}
		if (parse_mount(line, mount))
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

static bool lies_below(const char *path, const char *point)
{
	size_t len = strcmp(point, "/") ? strlen(point) : 0;
	return !strncmp(path, point, len) && (path[len] == '/' || !path[len]);
}

/* Mounted on something that the table has? Else it is where a walk can start. */
static bool has_parent(const struct mount_table *table, const struct mount *mount)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->mounts[i].id == mount->parent && &table->mounts[i] != mount)
			return true;
	return false;
}

/*
 * One step of the walk: of the mounts on top of `on` (NULL: of those where it can start) the first that the
 * path comes by, which is the one with the shortest point.
 */
static const struct mount *step(const struct mount_table *table, const char *path,
				const struct mount *on)
{
	const struct mount *first = NULL;
	for (size_t i = 0; i < table->count; i++) {
		const struct mount *m = &table->mounts[i];
		if (m == on || !lies_below(path, m->point) ||
		    (first && strlen(m->point) > strlen(first->point)))
			continue;
		if (on ? m->parent == on->id : !has_parent(table, m))
			first = m;
	}
	return first;
}

const struct mount *mountinfo_lookup(const struct mount_table *table, const char *path)
{
	const struct mount *at = step(table, path, NULL), *next;
	/* No more steps than mounts: in a hostile table parents go round in circles. */
	for (size_t steps = 0; at && steps < table->count && (next = step(table, path, at));
	     steps++)
		at = next;
	return at;
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
