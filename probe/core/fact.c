// SPDX-License-Identifier: Apache-2.0
#include "core/fact.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_names[FACT_STATUS_COUNT] = {
	[FACT_OK] = "ok",
	[FACT_ABSENT] = "absent",
	[FACT_DENIED] = "denied",
	[FACT_UNSUPPORTED] = "unsupported",
	[FACT_MALFORMED] = "malformed",
	[FACT_TRUNCATED] = "truncated",
	[FACT_TIMEOUT] = "timeout",
	[FACT_SKIPPED] = "skipped",
};

const char *fact_status_name(enum fact_status status)
{
	return status_names[status];
}

int fact_status_parse(const char *name)
{
	for (int i = 0; i < FACT_STATUS_COUNT; i++)
		if (!strcmp(status_names[i], name))
			return i;
	return -1;
}

static const struct {
	int err;
	enum fact_status status;
} status_of[] = {
	{ ENOENT, FACT_ABSENT },	  { ENOTDIR, FACT_ABSENT },
	{ ENODEV, FACT_ABSENT },	  { ENXIO, FACT_ABSENT },
	{ EACCES, FACT_DENIED },	  { EPERM, FACT_DENIED },
	{ EROFS, FACT_DENIED },		  { ENOSYS, FACT_UNSUPPORTED },
	{ EOPNOTSUPP, FACT_UNSUPPORTED }, { EINVAL, FACT_UNSUPPORTED },
	{ ETIMEDOUT, FACT_TIMEOUT },	  { EFBIG, FACT_TRUNCATED },
	{ EOVERFLOW, FACT_TRUNCATED },	  { EBADMSG, FACT_MALFORMED },
};

enum fact_status fact_status_of(int err)
{
	for (size_t i = 0; i < sizeof(status_of) / sizeof(status_of[0]); i++)
		if (status_of[i].err == err)
			return status_of[i].status;
	return FACT_SKIPPED;
}

static bool key_escapes(unsigned char c)
{
	return c <= ' ' || c > '~' || c == '%' || c == '[' || c == ']';
}

struct key key_make(const char *subject, const char *name, const char *property)
{
	struct key key;
	/* The name is what may be long: it is cut so that bracket and property always fit. */
	size_t tail = 2 + (property ? strlen(property) + 1 : 0);
	size_t end = FACT_KEY_MAX - tail - 3;
	size_t at = (size_t)snprintf(key.text, FACT_KEY_MAX / 2, "%s[", subject);

	for (; *name && at < end; name++) {
		if (key_escapes((unsigned char)*name))
			at += (size_t)sprintf(key.text + at, "%%%02X", (unsigned char)*name);
		else
			key.text[at++] = *name;
	}
	snprintf(key.text + at, FACT_KEY_MAX - at, property ? "].%s" : "]", property);
	return key;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int key_name(const char *key, char *out, size_t size)
{
	const char *at = strchr(key, '[');
	size_t len = 0;

	if (!at || !size)
		return -1;
	for (at++; *at && *at != ']' && len + 1 < size; at++) {
		int high = *at == '%' && at[1] ? hex_digit(at[1]) : -1;
		int low = high >= 0 ? hex_digit(at[2]) : -1;
		if (low >= 0)
			at += 2;
		out[len++] = low >= 0 ? (char)(high << 4 | low) : *at;
	}
	out[len] = '\0';
	return *at == ']' ? (int)len : -1;
}

bool key_matches(const char *key, const char *pattern)
{
	while (*pattern) {
		if (!strncmp(pattern, "[*]", 3)) {
			const char *close = *key == '[' ? strchr(key, ']') : NULL;
			if (!close)
				return false;
			key = close + 1;
			pattern += 3;
			continue;
		}
		if (*pattern == '*' && !pattern[1])
			return true;
		if (*key++ != *pattern++)
			return false;
	}
	return !*key;
}

const char *fact_list_next(const struct fact *fact, const char *item)
{
	if (fact->status != FACT_OK || fact->type != FACT_LIST || !fact->value)
		return NULL;
	item = item ? item + strlen(item) + 1 : fact->value;
	return item < fact->value + fact->value_len ? item : NULL;
}

size_t fact_list_count(const struct fact *fact)
{
	size_t count = 0;
	for (const char *item = NULL; (item = fact_list_next(fact, item));)
		count++;
	return count;
}

bool fact_list_has(const struct fact *fact, const char *wanted)
{
	for (const char *item = NULL; (item = fact_list_next(fact, item));)
		if (!strcmp(item, wanted))
			return true;
	return false;
}

bool fact_same(const struct fact *a, const struct fact *b)
{
	if (a->status != b->status)
		return false;
	if (a->status != FACT_OK)
		return true;
	if (a->type != b->type)
		return false;
	if (a->type == FACT_INT || a->type == FACT_BOOL)
		return a->number == b->number;
	return a->value_len == b->value_len && !memcmp(a->value, b->value, a->value_len);
}

void fact_done(struct fact *fact)
{
	free(fact->key);
	free(fact->value);
	free(fact->source);
	*fact = (struct fact){ 0 };
}
