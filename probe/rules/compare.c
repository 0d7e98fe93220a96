// SPDX-License-Identifier: Apache-2.0
#include "rules/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/store.h"
#include "rules/drift_kind.h"

struct comparison {
	const struct profile *local, *remote;
	struct drift *drift;
	bool all;
};

static bool looked(const struct fact *fact)
{
	return fact->status == FACT_OK || fact->status == FACT_ABSENT;
}

/* Collectors that speak about another's subject, with keys that only a listing tells to be missing. */
static const struct {
	const char *pattern, *collector;
} spoken_by[] = {
	{ "tools.tool[*].version*", "versions" }, { "tools.tool[*].runs", "versions" },
	{ "tools.tool[*].exit", "versions" },	  { "filesystem.mount[*].*", "mounts" },
	{ "filesystem.dev[*].*", "devices" },
};

/* Has the side a coverage row for the key's collector that says nothing was left out? */
static bool covered(const struct profile *profile, const char *key)
{
	const char *name = key;
	size_t len = strcspn(key, ".[");
	for (size_t i = 0; i < sizeof(spoken_by) / sizeof(*spoken_by); i++) {
		if (key_matches(key, spoken_by[i].pattern)) {
			name = spoken_by[i].collector;
			len = strlen(name);
		}
	}
	for (size_t i = 0; i < profile->coverage_count; i++) {
		const struct coverage *row = &profile->coverage[i];
		if (strlen(row->collector) == len && !strncmp(row->collector, name, len))
			return row->status == COVERAGE_OK;
	}
	return false;
}

/* A missing fact is a "no" only for a subject from outside (a mount, an interface) that was listed whole. */
static bool says_no(const struct profile *profile, const struct fact *fact, const char *key)
{
	if (fact)
		return fact->status == FACT_ABSENT;
	return strchr(key, '[') && covered(profile, key);
}

static enum drift_change classify(const struct comparison *cmp, const struct fact *here,
				  const struct fact *there)
{
	const char *key = here ? here->key : there->key;
	bool here_ok = here && here->status == FACT_OK,
	     there_ok = there && there->status == FACT_OK;

	if ((here && !looked(here)) || (there && !looked(there)))
		return DRIFT_NOT_COMPARABLE;
	if (here_ok && there_ok) {
		if (here->type == FACT_BOOL && there->type == FACT_BOOL)
			return here->number ? DRIFT_LOST : DRIFT_GAINED;
		return DRIFT_CHANGED;
	}
	if (here_ok && says_no(cmp->remote, there, key))
		return DRIFT_LOST;
	if (there_ok && says_no(cmp->local, here, key))
		return DRIFT_GAINED;
	return DRIFT_NOT_COMPARABLE;
}

static bool cites(const struct finding *finding, const char *key)
{
	for (size_t i = 0; i < finding->evidence_count; i++)
		if (!strcmp(finding->evidence[i], key))
			return true;
	return false;
}

static bool has_finding(const struct profile *profile, const char *id)
{
	for (size_t i = 0; i < profile->finding_count; i++)
		if (!strcmp(profile->findings[i].id, id))
			return true;
	return false;
}

/* The worst finding of the remote side alone that rests on this key. */
static const struct finding *finding_for(const struct comparison *cmp, const char *key)
{
	for (size_t i = 0; i < cmp->remote->finding_count; i++) {
		const struct finding *finding = &cmp->remote->findings[i];
		if (cites(finding, key) && !has_finding(cmp->local, finding->id))
			return finding;
	}
	return NULL;
}

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static int add_row(struct drift *drift, struct drift_row row)
{
	struct drift_row *rows = array_grown(drift->rows, drift->count, sizeof(*rows));
	if (rows)
		drift->rows = rows;
	if (!rows || !row.title) {
		drift_row_done(&row);
		return -1;
	}
	rows[drift->count++] = row;
	return 0;
}

static int add_for_finding(struct comparison *cmp, const struct finding *finding, const char *key,
			   enum drift_change change, const struct fact *here,
			   const struct fact *there)
{
	struct drift_row row = { .key = key,
				 .change = change,
				 .local = here,
				 .remote = there,
				 .severity = finding->severity,
				 .rule = finding->id,
				 .title = copy(finding->title),
				 .consequence = copy(finding->consequence),
				 .remedy = copy(finding->remedy),
				 .who = finding->who };
	return add_row(cmp->drift, row);
}

static int take(const struct fact *here, const struct fact *there, void *data)
{
	struct comparison *cmp = data;
	const char *key = here ? here->key : there->key;
	struct drift_case c = { cmp->local, cmp->remote, here, there, .change = 0 };
	c.change = classify(cmp, here, there);

	const struct drift_kind *kind = drift_kind_find(&c);
	const struct finding *finding = kind->firm ? NULL : finding_for(cmp, key);
	if (finding && c.change != DRIFT_NOT_COMPARABLE &&
	    (!kind->id || finding->severity <= c.severity))
		return add_for_finding(cmp, finding, key, c.change, here, there);
	if (!kind->id && !cmp->all) {
		cmp->drift->ignored++;
		return 0;
	}
	struct drift_row row = { .key = key,
				 .change = c.change,
				 .local = here,
				 .remote = there,
				 .severity = kind->id ? c.severity : SEVERITY_INFO,
				 .rule = kind->id ? kind->id : "drift.noise",
				 .title = copy(kind->id ? kind->title : "Passing differences"),
				 .consequence = copy(kind->consequence),
				 .remedy = copy(kind->remedy),
				 .who = kind->who };
	return add_row(cmp->drift, row);
}

/* A finding of the remote side whose facts have no counterpart here (another cwd) still is a difference. */
static int add_unmatched(struct comparison *cmp)
{
	for (size_t i = 0; i < cmp->remote->finding_count; i++) {
		const struct finding *finding = &cmp->remote->findings[i];
		bool told = has_finding(cmp->local, finding->id) || !finding->evidence_count;
		for (size_t j = 0; j < cmp->drift->count && !told; j++)
			told = !strcmp(cmp->drift->rows[j].rule, finding->id);
		if (told)
			continue;
		const char *key = finding->evidence[0];
		const struct fact *here = profile_find(cmp->local, key);
		const struct fact *there = profile_find(cmp->remote, key);
		if (add_for_finding(cmp, finding, key, DRIFT_CHANGED, here, there))
			return -1;
	}
	return 0;
}

static int row_compare(const void *a, const void *b)
{
	const struct drift_row *x = a, *y = b;
	if (x->severity != y->severity)
		return x->severity < y->severity ? -1 : 1;
	int order = strcmp(x->rule, y->rule);
	return order ? order : strcmp(x->key, y->key);
}

struct drift *compare_profiles(const struct profile *local, const struct profile *remote, bool all)
{
	struct drift *drift = calloc(1, sizeof(*drift));
	struct comparison cmp = { local, remote, drift, all };
	if (!drift || store_join(local, remote, take, &cmp, &drift->compared) ||
	    add_unmatched(&cmp)) {
		drift_free(drift);
		return NULL;
	}
	if (drift->count)
		qsort(drift->rows, drift->count, sizeof(*drift->rows), row_compare);
	return drift;
}
