// SPDX-License-Identifier: Apache-2.0
#include "base/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False when it cannot be made absolute. */
static bool clean_path(char out[SYS_PATH_MAX], const char *cwd, const char *path)
{
	char full[SYS_PATH_MAX], *to = out;
	const char *before = *path == '/' ? "" : cwd;
	if (!before || snprintf(full, sizeof(full), "%s/%s", before, path) >= (int)sizeof(full))
		return false;
	for (const char *at = full; *at;) {
		at += strspn(at, "/");
		size_t n = strcspn(at, "/");
		if (n && !(n == 1 && *at == '.')) {
			*to++ = '/';
			memcpy(to, at, n);
			to += n;
		}
		at += n;
	}
	if (to == out)
		*to++ = '/';
	*to = '\0';
	return true;
}

static struct place *place_find(struct places *places, const char *path)
{
	for (size_t i = 0; i < places->count; i++)
		if (!strcmp(places->all[i].path, path))
			return &places->all[i];
	return NULL;
}

static struct place *place_new(struct places *places, const char *path)
{
	if (!places->all)
		places->all = calloc(PLACES_MAX, sizeof(*places->all));
	if (!places->all || places->count == PLACES_MAX)
		return NULL;
	struct place *place = &places->all[places->count++];
	strcpy(place->path, path);
	return place;
}

void places_add(struct places *places, const char *cwd, const char *path, const char *role)
{
	char clean[SYS_PATH_MAX];
	struct place *place = NULL;
	size_t r = 0;
	if (!path || !*path)
		return;
	if (clean_path(clean, cwd, path)) {
		place = place_find(places, clean);
		if (!place)
			place = place_new(places, clean);
	}
	if (!place) {
		places->left_out++;
		return;
	}
	while (r < ROLES_MAX && place->roles[r] && strcmp(place->roles[r], role) != 0)
		r++;
	if (r < ROLES_MAX)
		place->roles[r] = role;
}

void places_look(struct places *places, size_t i, const char *root, int deadline_ms)
{
	struct directory *d = &places->all[i].found;
	d->stat_err = sys_path(d->path, sizeof(d->path), root, places->all[i].path);
	if (d->stat_err)
		return;
	directory_look(d, deadline_ms);
	if (d->stat_err || !d->is_directory)
		return;
	for (size_t j = 0; j < i; j++) {
		const struct directory *o = &places->all[j].found;
		/* By path, too: one directory bound twice may be read-only at one of its places. */
		if (!o->stat_err && o->device == d->device && o->inode == d->inode &&
		    !strcmp(o->real, d->real)) {
			d->trial = o->trial;
			d->hung = o->hung;
			d->ended_by = o->ended_by;
			return;
		}
	}
	directory_try(d, deadline_ms);
}

void places_note(const struct places *places, struct buf *note)
{
	bool refused = false;
	for (size_t i = 0; i < places->count; i++) {
		const struct place *place = &places->all[i];
		refused |= place->found.fork_refused;
		if (place->found.trial.littered)
			buf_printf(note, "%sa file %s may have stayed in %s", note->len ? "; " : "",
				   place->found.trial.names[0], place->path);
	}
	if (refused)
		buf_printf(note, "%sfork was refused: nothing was executed, no deadline held",
			   note->len ? "; " : "");
	if (places->left_out)
		buf_printf(note, "%s%zu directories left out: relative, too long or too many",
			   note->len ? "; " : "", places->left_out);
}

void places_done(struct places *places)
{
	free(places->all);
	*places = (struct places){ 0 };
}
