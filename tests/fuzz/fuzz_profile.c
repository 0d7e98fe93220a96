// SPDX-License-Identifier: Apache-2.0
/* A profile document: refused with a line, or read, and then written so that it can be read again. */
#include "tests/fuzz/fuzz.h"

#include "base/utf8.h"
#include "core/store.h"
#include "format/json.h"

static void check_facts(const struct profile *profile)
{
	for (size_t i = 0; i < profile->fact_count; i++) {
		const struct fact *fact = &profile->facts[i];
		HOLDS(fact->key[0] && strlen(fact->key) < FACT_KEY_MAX);
		HOLDS(utf8_valid(fact->key, strlen(fact->key)));
		HOLDS(!i || strcmp(profile->facts[i - 1].key, fact->key) < 0);
		HOLDS(fact->status < FACT_STATUS_COUNT && fact->source);
		HOLDS(fact->value_len <= FACT_VALUE_MAX);
		if (fact->status == FACT_OK && fact->type == FACT_TEXT)
			HOLDS(strlen(fact->value) == fact->value_len);
		if (fact->status == FACT_OK && fact->type == FACT_LIST)
			HOLDS(fact->value && fact_list_count(fact) <= fact->value_len);
	}
}

static int differs(const struct fact *local, const struct fact *remote, void *data)
{
	(void)local, (void)remote, (void)data;
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct store_error error = { "" };
	cleanup_profile struct profile *profile =
		store_parse_profile((const char *)data, size, &error);
	cleanup_buf struct buf out = BUF_INIT((size_t)64 << 20);
	size_t compared;

	HOLDS((profile == NULL) == (error.text[0] != '\0'));
	if (!profile)
		return 0;
	check_facts(profile);
	HOLDS(!store_join(profile, profile, differs, NULL, &compared));
	HOLDS(compared == profile->fact_count);
	json_profile(profile, &out);
	HOLDS(!buf_failed(&out));
	profile_free(store_parse_profile(out.data, out.len, &error));
	HOLDS(!error.text[0]);
	return 0;
}
