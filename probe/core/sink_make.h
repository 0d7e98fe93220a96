/* SPDX-License-Identifier: Apache-2.0 */
/* Making sinks: for the guard, and for tests that run a collector over a recorded root. */
#ifndef CORE_SINK_MAKE_H
#define CORE_SINK_MAKE_H

#include "core/profile.h"
#include "core/sink.h"

/* A sink that adds facts to a profile, borrowed. NULL when out of memory. */
struct sink *sink_new_profile(struct profile *profile);

/*
 * Memory that two processes see: one speaks records into it, the other decodes them when the first has ended,
 * however it ended. Not a pipe, since each record would wake the reader, which costs more than the record.
 */
struct sink_area {
	_Atomic size_t used; /* bytes of whole records in data */
	size_t size; /* of data */
	char data[];
};

/* A sink that speaks records into an area, borrowed; sink_decode() on the other side reads them. */
struct sink *sink_new_area(struct sink_area *area);

/* NULL is safe. */
void sink_free(struct sink *sink);

size_t sink_dropped(const struct sink *sink);

/* The last note, or NULL. Borrowed. */
const char *sink_last_note(const struct sink *sink);

/* What a record holds: a fact, or the end-of-run report (clean end, with note and dropped count). */
struct sink_record {
	bool end;
	struct fact fact; /* owned by the caller when !end: fact_done() */
	char *note; /* owned; may be NULL */
	size_t dropped;
	int64_t duration_ms;
};

/* Writes the end record; what has none was cut off. */
void sink_end(struct sink *sink, int64_t duration_ms);

/*
 * Decodes the record at the start of data. Returns its length; 0 when more bytes are needed; -1 when it is
 * corrupt or out of memory.
 */
long sink_decode(const char *data, size_t len, struct sink_record *record);

#endif
