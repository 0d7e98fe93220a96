/* SPDX-License-Identifier: Apache-2.0 */
/* A profile: the facts of one environment at one moment, with its layers, findings and coverage. */
#ifndef CORE_PROFILE_H
#define CORE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fact.h"

enum severity { SEVERITY_FATAL, SEVERITY_DEGRADED, SEVERITY_SUBTLE, SEVERITY_INFO };
enum confidence { CONFIDENCE_CERTAIN, CONFIDENCE_LIKELY, CONFIDENCE_POSSIBLE };
enum who { WHO_TASK, WHO_IMAGE, WHO_RUNTIME, WHO_HOST };

/* Names as on the wire; *_parse return -1 for an unknown word. */
const char *severity_name(enum severity severity);
int severity_parse(const char *name);
const char *confidence_name(enum confidence confidence);
int confidence_parse(const char *name);
const char *who_name(enum who who);
int who_parse(const char *name);

/* All strings are owned by the profile that holds the struct. */
struct layer {
	char *id;
	char *evidence;
	enum confidence confidence;
};

struct finding {
	char *id; /* the rule's */
	enum severity severity;
	char *title;
	char *consequence;
	char **evidence; /* fact keys */
	size_t evidence_count;
	enum confidence confidence;
	char *remedy;
	enum who who;
};

enum coverage_status {
	COVERAGE_OK,
	COVERAGE_PARTIAL, /* facts were dropped, or it ran unguarded */
	COVERAGE_TIMEOUT,
	COVERAGE_CRASHED, /* a signal ended it: note names the signal */
	COVERAGE_SKIPPED,
	COVERAGE_STATUS_COUNT,
};

const char *coverage_status_name(enum coverage_status status);
int coverage_status_parse(const char *name);

struct coverage {
	char *collector;
	enum coverage_status status;
	int64_t duration_ms;
	char *note; /* may be NULL */
};

struct label {
	char *name;
	char *value;
};

struct profile {
	char id[37]; /* random UUID, lower case */
	char taken_at[32]; /* RFC 3339, UTC */
	int64_t duration_ms;
	char *probe_version;
	char *probe_arch;
	char *task; /* may be NULL */
	struct label *labels;
	size_t label_count;
	struct layer *layers;
	size_t layer_count;
	struct fact *facts; /* sorted by key once profile_sort() ran */
	size_t fact_count;
	struct finding *findings;
	size_t finding_count;
	struct coverage *coverage;
	size_t coverage_count;
};

/* A new empty profile, or NULL when out of memory. profile_free(NULL) is safe. */
struct profile *profile_new(void);
void profile_free(struct profile *profile);
static inline void profile_cleanup(struct profile **profile)
{
	profile_free(*profile);
}
#define cleanup_profile __attribute__((__cleanup__(profile_cleanup)))

/* Appends. Each takes ownership of what the struct holds, also when it fails with -1 (out of memory). */
int profile_add_fact(struct profile *profile, struct fact fact);
int profile_add_layer(struct profile *profile, struct layer layer);
int profile_add_finding(struct profile *profile, struct finding finding);
int profile_add_coverage(struct profile *profile, struct coverage coverage);
int profile_add_label(struct profile *profile, const char *name, const char *value);

/* Frees and empties, before they are concluded anew. */
void profile_clear_layers(struct profile *profile);
void profile_clear_findings(struct profile *profile);

/* Sorts facts by key; of facts with one key the first spoken stays. Findings: worst first. */
void profile_sort(struct profile *profile);

/* The findings alone: after rules have run over facts that are sorted already. */
void profile_sort_findings(struct profile *profile);

/* Look-ups in a sorted profile. Borrowed; NULL when there is no such fact. */
const struct fact *profile_find(const struct profile *profile, const char *key);

/* The next fact that matches pattern (see key_matches) after prev; NULL to begin with. */
const struct fact *profile_next(const struct profile *profile, const char *pattern,
				const struct fact *prev);

/* Values, only of facts that are ok and of that type; the fallback otherwise. */
int64_t profile_int(const struct profile *profile, const char *key, int64_t fallback);
bool profile_true(const struct profile *profile, const char *key); /* ok and true */
bool profile_false(const struct profile *profile, const char *key); /* ok and false */
const char *profile_text(const struct profile *profile, const char *key); /* NULL when not */

#endif
