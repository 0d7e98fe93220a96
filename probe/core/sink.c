// SPDX-License-Identifier: Apache-2.0
#include "core/sink_make.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

struct sink {
	struct profile *profile; /* one of these two */
	struct sink_area *area;
	size_t taken;
	size_t dropped;
	char *note; /* owned */
};

/* What stands before the bytes of key, value, source. */
struct record_head {
	uint32_t magic;
	uint16_t key_len, source_len;
	uint32_t value_len;
	int32_t err;
	uint8_t end, status, type, unused;
	int64_t number;
};

/* Of an area, for the end record alone: head and note. */
#define END_ROOM (sizeof(struct record_head) + NOTE_MAX)
#define NOTE_MAX 400

#define RECORD_MAGIC 0x64726670 /* "drfp" */

static struct sink *sink_new(struct profile *profile, struct sink_area *area)
{
	struct sink *sink = calloc(1, sizeof(*sink));
	if (sink)
		*sink = (struct sink){ .profile = profile, .area = area };
	return sink;
}

struct sink *sink_new_profile(struct profile *profile)
{
	return sink_new(profile, NULL);
}

struct sink *sink_new_area(struct sink_area *area)
{
	return sink_new(NULL, area);
}

void sink_free(struct sink *sink)
{
	if (sink)
		free(sink->note);
	free(sink);
}

size_t sink_dropped(const struct sink *sink)
{
	return sink->dropped;
}

const char *sink_last_note(const struct sink *sink)
{
	return sink->note;
}

static void record_put(char **at, const void *data, size_t len)
{
	if (len)
		memcpy(*at, data, len);
	*at += len;
}

/* A record counts once it is whole: a child that is killed leaves whole records. -1 when there is no room. */
static int record_write(struct sink_area *area, struct record_head head, const struct fact *fact)
{
	size_t len = sizeof(head) + head.key_len + head.value_len + head.source_len;
	size_t used = atomic_load(&area->used);
	size_t kept = head.end ? 0 : END_ROOM;
	char *at = area->data + used;

	if (len + kept > area->size - used)
		return -1;
	head.magic = RECORD_MAGIC;
	record_put(&at, &head, sizeof(head));
	record_put(&at, fact->key, head.key_len);
	record_put(&at, fact->value, head.value_len);
	record_put(&at, fact->source, head.source_len);
	atomic_store(&area->used, used + len);
	return 0;
}

/* Takes a borrowed fact: copied into the profile, or written. */
static void sink_take(struct sink *sink, const struct fact *fact)
{
	size_t key_len = strlen(fact->key), source_len = strlen(fact->source);

	if (source_len > UINT16_MAX)
		source_len = UINT16_MAX;
	if (key_len >= FACT_KEY_MAX || fact->value_len > FACT_VALUE_MAX ||
	    sink->taken >= FACT_COUNT_MAX) {
		sink->dropped++;
		return;
	}
	sink->taken++;
	if (!sink->profile) {
		struct record_head head = {
			.key_len = (uint16_t)key_len,
			.source_len = (uint16_t)source_len,
			.value_len = (uint32_t)fact->value_len,
			.err = fact->err,
			.status = (uint8_t)fact->status,
			.type = (uint8_t)fact->type,
			.number = fact->number,
		};
		if (record_write(sink->area, head, fact))
			sink->dropped++;
		return;
	}
	struct fact copy = *fact;
	copy.key = strdup(fact->key);
	copy.source = strndup(fact->source, source_len);
	copy.value = fact->value ? malloc(fact->value_len + 1) : NULL;
	if (!copy.key || !copy.source || (fact->value && !copy.value)) {
		fact_done(&copy);
		sink->dropped++;
		return;
	}
	if (copy.value) {
		memcpy(copy.value, fact->value, fact->value_len);
		copy.value[fact->value_len] = '\0';
	}
	if (profile_add_fact(sink->profile, copy))
		sink->dropped++;
}

void sink_text_n(struct sink *sink, const char *key, const char *value, size_t len,
		 const char *source)
{
	/* A NUL inside would end the text early for every reader: it ends it here. */
	len = strnlen(value, len);
	struct fact fact = { .key = (char *)key, .type = FACT_TEXT, .source = (char *)source };
	if (len > FACT_VALUE_MAX) {
		fact.status = FACT_TRUNCATED;
	} else {
		fact.value = (char *)value;
		fact.value_len = len;
	}
	sink_take(sink, &fact);
}

void sink_text(struct sink *sink, const char *key, const char *value, const char *source)
{
	sink_text_n(sink, key, value, strlen(value), source);
}

void sink_int(struct sink *sink, const char *key, int64_t value, const char *source)
{
	sink_take(sink, &(struct fact){ .key = (char *)key,
					.type = FACT_INT,
					.number = value,
					.source = (char *)source });
}

void sink_limit(struct sink *sink, const char *key, int64_t value, const char *source)
{
	if (value == INT64_MAX)
		sink_text(sink, key, "max", source);
	else
		sink_int(sink, key, value, source);
}

void sink_bool(struct sink *sink, const char *key, bool value, const char *source)
{
	sink_take(sink, &(struct fact){ .key = (char *)key,
					.type = FACT_BOOL,
					.number = value,
					.source = (char *)source });
}

void sink_list(struct sink *sink, const char *key, const char *const *items, const char *source)
{
	cleanup_buf struct buf value = BUF_INIT(FACT_VALUE_MAX);
	for (; *items; items++)
		buf_add(&value, *items, strlen(*items) + 1);
	if (buf_failed(&value)) {
		sink_status(sink, key, FACT_TRUNCATED, 0, source);
		return;
	}
	sink_take(sink, &(struct fact){ .key = (char *)key,
					.type = FACT_LIST,
					.value = (char *)buf_text(&value),
					.value_len = value.len,
					.source = (char *)source });
}

void sink_status(struct sink *sink, const char *key, enum fact_status status, int err,
		 const char *source)
{
	sink_take(sink, &(struct fact){ .key = (char *)key,
					.status = status,
					.err = err,
					.source = (char *)source });
}

void sink_fail(struct sink *sink, const char *key, int err, const char *source)
{
	sink_status(sink, key, fact_status_of(err), err, source);
}

void sink_note(struct sink *sink, const char *note)
{
	free(sink->note);
	sink->note = strndup(note, NOTE_MAX);
}

void sink_end(struct sink *sink, int64_t duration_ms)
{
	struct fact fact = { .key = (char *)"", .source = (char *)"" };
	struct record_head head = { .end = 1,
				    .err = (int32_t)duration_ms,
				    .number = (int64_t)sink->dropped };
	if (sink->note) {
		fact.value = sink->note;
		head.value_len = (uint32_t)strlen(sink->note);
	}
	record_write(sink->area, head, &fact);
}

static char *copy_bytes(const char *from, size_t len)
{
	char *to = malloc(len + 1);
	if (to) {
		memcpy(to, from, len);
		to[len] = '\0';
	}
	return to;
}

static bool head_plausible(const struct record_head *head)
{
	return head->magic == RECORD_MAGIC && head->key_len < FACT_KEY_MAX &&
	       head->value_len <= FACT_VALUE_MAX && head->status < FACT_STATUS_COUNT &&
	       head->type <= FACT_LIST;
}

long sink_decode(const char *data, size_t len, struct sink_record *record)
{
	struct record_head head;
	if (len < sizeof(head))
		return 0;
	memcpy(&head, data, sizeof(head));
	if (!head_plausible(&head))
		return -1;
	size_t total = sizeof(head) + head.key_len + head.value_len + head.source_len;
	if (len < total)
		return 0;

	const char *key = data + sizeof(head), *value = key + head.key_len;
	*record = (struct sink_record){ .end = head.end };
	if (head.end) {
		record->dropped = (size_t)head.number;
		record->duration_ms = head.err;
		if (head.value_len && !(record->note = copy_bytes(value, head.value_len)))
			return -1;
		return (long)total;
	}
	struct fact fact = {
		.key = copy_bytes(key, head.key_len),
		.status = head.status,
		.err = head.err,
		.type = head.type,
		.number = head.number,
		.source = copy_bytes(value + head.value_len, head.source_len),
	};
	if (head.status == FACT_OK && head.type != FACT_INT && head.type != FACT_BOOL) {
		fact.value = copy_bytes(value, head.value_len);
		fact.value_len = head.value_len;
	}
	if (!fact.key || !fact.source ||
	    (fact.status == FACT_OK && fact.type != FACT_INT && fact.type != FACT_BOOL &&
	     !fact.value)) {
		fact_done(&fact);
		return -1;
	}
	record->fact = fact;
	return (long)total;
}
