// SPDX-License-Identifier: Apache-2.0
/* Outside text on its way out: to a terminal, into JSON, into a key. */
#include "tests/fuzz/fuzz.h"

#include "base/program_head.h"
#include "base/utf8.h"
#include "core/fact.h"
#include "core/redact.h"
#include "core/sink_make.h"
#include "format/escape.h"

static void plain(const struct buf *out)
{
	const char *text = buf_text(out);
	HOLDS(!buf_failed(out) && utf8_valid(text, out->len));
	for (size_t i = 0; i < out->len; i++)
		HOLDS((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

static void escapes(const char *data, size_t size)
{
	cleanup_buf struct buf out = BUF_INIT((size_t)64 << 20), clean = BUF_INIT((size_t)64 << 20);
	escape_text(data, size, &out);
	plain(&out);
	redact_text(data, size, &clean);
	HOLDS(!buf_failed(&clean));
}

/* A name survives the way into a key and out again, unless it was cut. */
static void keys(const char *name)
{
	char back[FACT_KEY_MAX];
	struct key key = key_make("tools.tool", name, "version");
	HOLDS(strlen(key.text) < FACT_KEY_MAX);
	HOLDS(key_matches(key.text, "tools.tool[*].version"));
	HOLDS(key_name(key.text, back, sizeof(back)) >= 0);
	HOLDS(!strncmp(back, name, strlen(back)));
	if (strlen(name) < 100)
		HOLDS(!strcmp(back, name));
	(void)key_matches(name, "a.*");
	(void)key_matches("tools.tool[x].version", name);
	(void)key_name(name, back, sizeof(back));
}

static void records(const char *data, size_t size)
{
	for (size_t at = 0; at < size;) {
		struct sink_record record = { 0 };
		long n = sink_decode(data + at, size - at, &record);
		HOLDS(n <= (long)(size - at));
		if (n <= 0)
			return;
		if (!record.end)
			fact_done(&record.fact);
		free(record.note);
		at += (size_t)n;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), needs[64];
	escapes(text, size);
	keys(text);
	records(text, size);
	FRESH(needs);
	program_head_parse(data, size, needs, sizeof(needs));
	ENDED(needs);
	free(text);
	return 0;
}
