// SPDX-License-Identifier: Apache-2.0
/* Numbers, lines, fields and keyed values, into room of every size. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

#include "base/errno_name.h"
#include "base/parse.h"
#include "base/parse_cgroup.h"
#include "base/parse_psi.h"
#include "base/parse_version.h"
#include "base/utf8.h"

/* A number that is read is what its text says, and no number leaves the out-parameter alone. */
static void numbers(const char *text)
{
	int64_t number = 4711, count = 4711;
	uint64_t positive = 4711, hex = 4711;
	char again[32];
	const char *digits = text + (*text == '-');
	if (parse_i64(text, &number)) {
		HOLDS(*digits && !digits[strspn(digits, "0123456789")]);
		snprintf(again, sizeof(again), "%lld", (long long)number);
		digits += strspn(digits, "0");
		HOLDS(number == 0 || !strcmp(again + (*again == '-'), digits));
	} else {
		HOLDS(number == 4711);
	}
	HOLDS(parse_u64(text, &positive) || positive == 4711);
	HOLDS(parse_hex64(text, &hex) || hex == 4711);
	HOLDS(parse_cpu_list(text, &count) ? count >= 0 : count == 4711);
	HOLDS(errno_parse(text) >= 0);
}

/* Walks to the end, in pieces of at most size - 1 bytes. */
static void walks(const char *text, size_t size)
{
	char *room = malloc(size);
	const char *line = text, *field = text;
	size_t lines = 0, fields = 0, len = strlen(text);
	HOLDS(room);
	while (parse_line(&line, room, size)) {
		HOLDS(strlen(room) < size && !strchr(room, '\n'));
		HOLDS(++lines <= len + 1);
	}
	HOLDS(!line || !*line);
	while (parse_field(&field, room, size)) {
		HOLDS(strlen(room) < size && !strpbrk(room, " \t"));
		HOLDS(++fields <= len + 1);
	}
	free(room);
}

static void keyed(const char *name, const char *text)
{
	char value[24];
	int64_t number = 4711;
	FRESH(value);
	if (parse_keyed(text, name, value, sizeof(value)))
		ENDED(value);
	HOLDS(parse_keyed_i64(text, name, &number) || number == 4711);
	FRESH(value);
	if (parse_psi(text, "some", "avg10", value, sizeof(value)))
		ENDED(value);
}

static void cgroups(const char *first, const char *text)
{
	char path[64];
	int64_t limit = 4711, quota = 4711;
	FRESH(path);
	if (parse_cgroup_path(text, first, path, sizeof(path))) {
		ENDED(path);
		HOLDS(path[0] == '/');
	}
	FRESH(path);
	if (parse_cgroup_level(first, text, path, sizeof(path)) == CGROUP_SIGHT_OWN)
		ENDED(path);
	HOLDS(parse_cgroup_limit(text, &limit) ? limit >= 0 : limit == 4711);
	HOLDS(parse_cgroup_cpu_max(text, &quota) ? quota > 0 : quota == 4711);
}

static void versions(const char *text)
{
	char word[16];
	FRESH(word);
	if (parse_version(text, word, sizeof(word))) {
		ENDED(word);
		HOLDS(word[0] >= '0' && word[0] <= '9');
	}
	FRESH(word);
	parse_first_line(text, word, sizeof(word));
	ENDED(word);
	for (const char *c = word; *c; c++)
		HOLDS((unsigned char)*c >= ' ' && *c != 0x7f);
}

/* The text before the first newline names what is asked for in the rest. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char *rest = strchr(text, '\n');
	static const size_t sizes[] = { 1, 2, 3, 16, 4096 };
	(void)utf8_valid((const char *)data, size);
	numbers(text);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		walks(text, sizes[i]);
	versions(text);
	if (rest) {
		*rest++ = '\0';
		numbers(text);
		keyed(text, rest);
		cgroups(text, rest);
		size_t len = strlen(rest);
		parse_unescape_octal(rest);
		HOLDS(strlen(rest) <= len);
	}
	free(text);
	return 0;
}
