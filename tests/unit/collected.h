/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a collector over a root, and looks at what it said. After cmocka.h. */
#ifndef TESTS_UNIT_COLLECTED_H
#define TESTS_UNIT_COLLECTED_H

#include <stdio.h>
#include <string.h>

#include "collectors/collector.h"
#include "core/sink_make.h"

/* Owned. Nothing may have been dropped. The note goes into note (512 bytes, "" for none) unless that is NULL. */
static inline struct profile *collected_noting(const struct collector *collector,
					       const struct scope *scope, char *note)
{
	struct profile *profile = profile_new();
	struct sink *sink = sink_new_profile(profile);
	collector->collect(sink, scope);
	assert_int_equal(sink_dropped(sink), 0);
	if (note)
		snprintf(note, 512, "%s", sink_last_note(sink) ? sink_last_note(sink) : "");
	sink_free(sink);
	profile_sort(profile);
	return profile;
}

static inline struct profile *collected_by(const struct collector *collector, const char *root,
					   const char *const *environment)
{
	struct scope scope = { .root = root, .environ = environment };
	return collected_noting(collector, &scope, NULL);
}

static inline const struct fact *found(const struct profile *profile, const char *key)
{
	const struct fact *fact = profile_find(profile, key);
	if (!fact)
		fail_msg("no fact %s", key);
	return fact;
}

static inline void assert_status(const struct profile *profile, const char *key,
				 enum fact_status status, int err)
{
	const struct fact *fact = found(profile, key);
	if (fact->status != status || fact->err != err)
		fail_msg("%s: %s, errno %d", key, fact_status_name(fact->status), fact->err);
}

static inline void assert_number(const struct profile *profile, const char *key, int64_t number)
{
	const struct fact *fact = found(profile, key);
	if (fact->status != FACT_OK || fact->type != FACT_INT || fact->number != number)
		fail_msg("%s: %s, %lld", key, fact_status_name(fact->status),
			 (long long)fact->number);
}

static inline void assert_text(const struct profile *profile, const char *key, const char *text)
{
	const struct fact *fact = found(profile, key);
	if (fact->status != FACT_OK || fact->type != FACT_TEXT || strcmp(fact->value, text) != 0)
		fail_msg("%s: %s, %s", key, fact_status_name(fact->status),
			 fact->value ? fact->value : "not a text");
}

#endif
