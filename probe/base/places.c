// SPDX-License-Identifier: Apache-2.0
#include "base/places.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/child.h"

#define PLACES_BYTES (PLACES_MAX * sizeof(struct place))

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
	if (!places->all) {
		/* Seen by the survey's child, too; what is not used takes no memory. */
		void *all = mmap(NULL, PLACES_BYTES, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (all == MAP_FAILED)
			return NULL;
		places->all = all;
	}
	if (places->count == PLACES_MAX)
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

/* Takes over the trial of an earlier place that is the same directory. */
static bool same_as_earlier(struct place *all, size_t i)
{
	struct directory *d = &all[i].found;
	for (size_t j = 0; j < i; j++) {
		const struct directory *o = &all[j].found;
		/* By path, too: one directory bound twice may be read-only at one of its places. */
		if (!o->stat_err && o->device == d->device && o->inode == d->inode &&
		    !strcmp(o->real, d->real)) {
			d->trial = o->trial;
			d->hung = o->hung;
			d->ended_by = o->ended_by;
			return true;
		}
	}
	return false;
}

/* Up to the first place without a path: the list is full, or the rest of it is zero. */
static int survey_step(void *shared)
{
	struct place *all = shared;
	for (size_t i = 0; i < PLACES_MAX && all[i].path[0]; i++) {
		struct directory *d = &all[i].found;
		if (!all[i].done) {
			directory_look_here(d);
			if (!d->stat_err && d->is_directory && !same_as_earlier(all, i))
				directory_try_here(d);
		}
		all[i].done = true;
	}
	return 0;
}

static void place_aim(struct place *place, const char *root)
{
	struct directory *d = &place->found;
	d->stat_err = sys_path(d->path, sizeof(d->path), root, place->path);
	place->done = d->stat_err;
}

void places_survey(struct places *places, const char *root, int deadline_ms)
{
	if (!places->count)
		return;
	for (size_t i = 0; i < places->count; i++)
		place_aim(&places->all[i], root);
	child_run_shared(survey_step, places->all, deadline_ms);
	/* What had only begun is done again from the start. */
	for (size_t i = 0; i < places->count; i++) {
		if (places->all[i].done)
			continue;
		directory_clean(&places->all[i].found);
		places->all[i].found = (struct directory){ 0 };
		place_aim(&places->all[i], root);
	}
}

void places_look(struct places *places, size_t i, const char *root, int deadline_ms)
{
	struct place *place = &places->all[i];
	if (place->done)
		return;
	place_aim(place, root);
	if (!place->done) {
		directory_look(&place->found, deadline_ms);
		if (!place->found.stat_err && place->found.is_directory &&
		    !same_as_earlier(places->all, i))
			directory_try(&place->found, deadline_ms);
	}
	place->done = true;
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
	if (places->all)
		munmap(places->all, PLACES_BYTES);
	*places = (struct places){ 0 };
}
