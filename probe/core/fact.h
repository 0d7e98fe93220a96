/* SPDX-License-Identifier: Apache-2.0 */
/* A fact: one observed truth about an environment. Key, value or status, errno, source. */
#ifndef CORE_FACT_H
#define CORE_FACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FACT_KEY_MAX   512
#define FACT_VALUE_MAX 65536
#define FACT_COUNT_MAX 20000

/* What was seen; only a rule says what it means. "Could not look" is never ABSENT. */
enum fact_status {
	FACT_OK,
	FACT_ABSENT, /* it does not exist here */
	FACT_DENIED, /* we were refused */
	FACT_UNSUPPORTED, /* this kernel does not know it */
	FACT_MALFORMED, /* it answered, but not in a form we know */
	FACT_TRUNCATED, /* more than we are ready to read */
	FACT_TIMEOUT,
	FACT_SKIPPED, /* not asked for, or no budget */
	FACT_STATUS_COUNT,
};

enum fact_type {
	FACT_TEXT,
	FACT_INT,
	FACT_BOOL,
	FACT_LIST, /* strings in order; each ended by a NUL inside value */
};

struct fact {
	char *key; /* collector.subject.property; see key_make() */
	enum fact_status status;
	int err; /* errno beside the status, 0 when none */
	enum fact_type type; /* of the value; meaningful when status is FACT_OK */
	char *value; /* TEXT: string; LIST: NUL-ended strings in a row; else NULL */
	size_t value_len; /* bytes in value, without the closing NUL for TEXT */
	int64_t number; /* INT, BOOL */
	char *source; /* file or call it came from */
};

/* A key, by value, so that it can be built inside a call. Truncation keeps it a valid key. */
struct key {
	char text[FACT_KEY_MAX];
};

/*
 * key_make("tools.tool", "python3", "version") is tools.tool[python3].version. The name comes from
 * outside: bytes that are not printable ASCII, and '%', '[', ']', are written as %XX. A property of NULL
 * ends the key at the bracket.
 */
struct key key_make(const char *subject, const char *name, const char *property);

/* The bracketed name of a key, unescaped, into out. Returns its length, or -1 when there is none. */
int key_name(const char *key, char *out, size_t size);

/* Does key match a pattern in which "[*]" stands for any bracketed name and a final "*" for any rest? */
bool key_matches(const char *key, const char *pattern);

/* "ok", "absent", … as in the files on the wire; parse returns -1 for an unknown word. */
const char *fact_status_name(enum fact_status status);
int fact_status_parse(const char *name);

/*
 * What an errno of a look means: ENOENT ENOTDIR ENODEV ENXIO absent; EACCES EPERM EROFS denied; ENOSYS
 * EOPNOTSUPP EINVAL unsupported; ETIMEDOUT timeout; EFBIG EOVERFLOW truncated; EBADMSG malformed; ENOMEM,
 * EMFILE, EAGAIN and all else: skipped, since we lacked the means to look.
 */
enum fact_status fact_status_of(int err);

/* Next string of a LIST; pass NULL first; NULL at the end. Borrowed from the fact. */
const char *fact_list_next(const struct fact *fact, const char *item);
size_t fact_list_count(const struct fact *fact);
bool fact_list_has(const struct fact *fact, const char *item);

/* Same status, type and value (source and errno are not compared). */
bool fact_same(const struct fact *a, const struct fact *b);

/* Frees what the fact holds, not the struct. */
void fact_done(struct fact *fact);

#endif
