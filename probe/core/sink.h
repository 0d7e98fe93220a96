/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a collector speaks its facts. The sink copies all that it is given. A sink that can take no more
 * (ceiling, closed pipe) drops facts and counts them; the guard turns the count into a coverage note.
 */
#ifndef CORE_SINK_H
#define CORE_SINK_H

#include "core/fact.h"

struct sink;

/* Value, then where it was seen: a path as opened, or a call such as "statfs(/tmp)". */
void sink_text(struct sink *sink, const char *key, const char *value, const char *source);
void sink_text_n(struct sink *sink, const char *key, const char *value, size_t len,
		 const char *source);
void sink_int(struct sink *sink, const char *key, int64_t value, const char *source);
/* A number, or the text "max" for INT64_MAX: a limit that is none, as the kernel spells it. */
void sink_limit(struct sink *sink, const char *key, int64_t value, const char *source);

void sink_bool(struct sink *sink, const char *key, bool value, const char *source);

/* items: NULL-ended array of strings. */
void sink_list(struct sink *sink, const char *key, const char *const *items, const char *source);

/* No value: fact_status_of(err) says why. err is a positive errno. */
void sink_fail(struct sink *sink, const char *key, int err, const char *source);

/* No value, with the status chosen by the caller; err 0 when no errno is involved. */
void sink_status(struct sink *sink, const char *key, enum fact_status status, int err,
		 const char *source);

/* One line for the coverage row of this collector: what it could not see. The last one stays. */
void sink_note(struct sink *sink, const char *note);

#endif
