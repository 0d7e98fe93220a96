// SPDX-License-Identifier: Apache-2.0
#include "core/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NAMES(what, type, ...)                                                                     \
	static const char *const what##_names[] = { __VA_ARGS__ };                                 \
	const char *what##_name(type value)                                                        \
	{                                                                                          \
		return what##_names[value];                                                        \
	}                                                                                          \
	int what##_parse(const char *name)                                                         \
	{                                                                                          \
		for (size_t i = 0; i < sizeof(what##_names) / sizeof(char *); i++)                 \
			if (!strcmp(what##_names[i], name))                                        \
				return (int)i;                                                     \
		return -1;                                                                         \
	}

NAMES(severity, enum severity, "fatal", "degraded", "subtle", "info")
NAMES(confidence, enum confidence, "certain", "likely", "possible")
NAMES(who, enum who, "task", "image", "runtime", "host")
NAMES(coverage_status, enum coverage_status, "ok", "partial", "timeout", "crashed", "skipped")

struct profile *profile_new(void)
{
	return calloc(1, sizeof(struct profile));
}

static void layer_done(struct layer *layer)
{
	free(layer->id);
	free(layer->evidence);
}

static void finding_done(struct finding *finding)
{
	free(finding->id);
	free(finding->title);
	free(finding->consequence);
	free(finding->remedy);
	for (size_t i = 0; i < finding->evidence_count; i++)
		free(finding->evidence[i]);
	free(finding->evidence);
}

static void coverage_done(struct coverage *coverage)
{
	free(coverage->collector);
	free(coverage->note);
}

static void label_done(struct label *label)
{
	free(label->name);
	free(label->value);
}

#define FREE_ALL(array, count, done)                                                               \
	do {                                                                                       \
		for (size_t i_ = 0; i_ < (count); i_++)                                            \
			done(&(array)[i_]);                                                        \
		free(array);                                                                       \
	} while (0)

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	FREE_ALL(profile->labels, profile->label_count, label_done);
	FREE_ALL(profile->layers, profile->layer_count, layer_done);
	FREE_ALL(profile->facts, profile->fact_count, fact_done);
	FREE_ALL(profile->findings, profile->finding_count, finding_done);
	FREE_ALL(profile->coverage, profile->coverage_count, coverage_done);
	free(profile->probe_version);
	free(profile->probe_arch);
	free(profile->task);
	free(profile);
}

#define APPEND(array, count, item, done)                                                           \
	do {                                                                                       \
		void *more_ = array_grown((array), (count), sizeof(*(array)));                     \
		if (!more_) {                                                                      \
			done(&(item));                                                             \
			return -1;                                                                 \
		}                                                                                  \
		(array) = more_;                                                                   \
		(array)[(count)++] = (item);                                                       \
		return 0;                                                                          \
	} while (0)

int profile_add_fact(struct profile *profile, struct fact fact)
{
	APPEND(profile->facts, profile->fact_count, fact, fact_done);
}

int profile_add_layer(struct profile *profile, struct layer layer)
{
	APPEND(profile->layers, profile->layer_count, layer, layer_done);
}

int profile_add_finding(struct profile *profile, struct finding finding)
{
	APPEND(profile->findings, profile->finding_count, finding, finding_done);
}

int profile_add_coverage(struct profile *profile, struct coverage coverage)
{
	APPEND(profile->coverage, profile->coverage_count, coverage, coverage_done);
}

int profile_add_label(struct profile *profile, const char *name, const char *value)
{
	struct label label = { strdup(name), strdup(value) };
	if (!label.name || !label.value) {
		label_done(&label);
		return -1;
	}
	APPEND(profile->labels, profile->label_count, label, label_done);
}

void profile_clear_layers(struct profile *profile)
{
	FREE_ALL(profile->layers, profile->layer_count, layer_done);
	profile->layers = NULL;
	profile->layer_count = 0;
}

void profile_clear_findings(struct profile *profile)
{
	FREE_ALL(profile->findings, profile->finding_count, finding_done);
	profile->findings = NULL;
	profile->finding_count = 0;
}

static int fact_compare(const void *a, const void *b)
{
	return strcmp(((const struct fact *)a)->key, ((const struct fact *)b)->key);
}

static int finding_compare(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	if (x->severity != y->severity)
		return x->severity < y->severity ? -1 : 1;
	if (x->confidence != y->confidence)
		return x->confidence < y->confidence ? -1 : 1;
	return strcmp(x->id, y->id);
}

/* Stable merge sort by key, so that of facts with one key the first spoken comes first. */
static void facts_merge_sort(struct fact *facts, struct fact *spare, size_t count)
{
	if (count < 2)
		return;
	size_t half = count / 2, a = 0, b = half;
	facts_merge_sort(facts, spare, half);
	facts_merge_sort(facts + half, spare, count - half);
	memcpy(spare, facts, count * sizeof(*facts));
	for (size_t i = 0; i < count; i++) {
		bool left = b == count || (a < half && fact_compare(&spare[a], &spare[b]) <= 0);
		facts[i] = spare[left ? a++ : b++];
	}
}

void profile_sort(struct profile *profile)
{
	struct fact *spare = malloc((profile->fact_count + 1) * sizeof(*spare));
	if (spare)
		facts_merge_sort(profile->facts, spare, profile->fact_count);
	else if (profile->fact_count)
		qsort(profile->facts, profile->fact_count, sizeof(*profile->facts), fact_compare);
	free(spare);

	size_t kept = 0;
	for (size_t i = 0; i < profile->fact_count; i++) {
		if (kept && !strcmp(profile->facts[kept - 1].key, profile->facts[i].key))
			fact_done(&profile->facts[i]);
		else
			profile->facts[kept++] = profile->facts[i];
	}
	profile->fact_count = kept;
	profile_sort_findings(profile);
}

void profile_sort_findings(struct profile *profile)
{
	if (profile->finding_count)
		qsort(profile->findings, profile->finding_count, sizeof(*profile->findings),
		      finding_compare);
}

const struct fact *profile_find(const struct profile *profile, const char *key)
{
	if (!profile->fact_count)
		return NULL;
	struct fact wanted = { .key = (char *)key };
	return bsearch(&wanted, profile->facts, profile->fact_count, sizeof(wanted), fact_compare);
}

/* Index of the first fact whose key is not below the first len bytes of text. */
static size_t lower_bound(const struct profile *profile, const char *text, size_t len)
{
	size_t low = 0, high = profile->fact_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strncmp(profile->facts[middle].key, text, len) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct fact *profile_next(const struct profile *profile, const char *pattern,
				const struct fact *prev)
{
	/* Facts are sorted, so those that share the plain head of the pattern stand together. */
	size_t head = strcspn(pattern, "[*");
	size_t at =
		prev ? (size_t)(prev - profile->facts) + 1 : lower_bound(profile, pattern, head);
	for (; at < profile->fact_count; at++) {
		const char *key = profile->facts[at].key;
		if (strncmp(key, pattern, head) != 0)
			break;
		if (key_matches(key, pattern))
			return &profile->facts[at];
	}
	return NULL;
}

static const struct fact *find_typed(const struct profile *profile, const char *key,
				     enum fact_type type)
{
	const struct fact *fact = profile_find(profile, key);
	return fact && fact->status == FACT_OK && fact->type == type ? fact : NULL;
}

int64_t profile_int(const struct profile *profile, const char *key, int64_t fallback)
{
	const struct fact *fact = find_typed(profile, key, FACT_INT);
	return fact ? fact->number : fallback;
}

bool profile_true(const struct profile *profile, const char *key)
{
	const struct fact *fact = find_typed(profile, key, FACT_BOOL);
	return fact && fact->number;
}

bool profile_false(const struct profile *profile, const char *key)
{
	const struct fact *fact = find_typed(profile, key, FACT_BOOL);
	return fact && !fact->number;
}

const char *profile_text(const struct profile *profile, const char *key)
{
	const struct fact *fact = find_typed(profile, key, FACT_TEXT);
	return fact ? fact->value : NULL;
}
