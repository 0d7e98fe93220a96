// SPDX-License-Identifier: Apache-2.0
/* Files of accounts, and of the distribution. */
#include "tests/fuzz/fuzz.h"

#include "base/os_release.h"
#include "base/passwd.h"

static void account(const char *text, uint32_t id)
{
	struct passwd_entry entry;
	char group[PASSWD_NAME_MAX];
	memset(&entry, 0x7e, sizeof(entry));
	FRESH(group);
	if (passwd_find(text, id, &entry)) {
		ENDED(entry.name);
		ENDED(entry.home);
		ENDED(entry.shell);
		HOLDS(entry.name[0] && !strpbrk(entry.name, ":\n"));
		HOLDS(!strpbrk(entry.home, ":\n") && !strpbrk(entry.shell, ":\n"));
	}
	if (group_find(text, id, group)) {
		ENDED(group);
		HOLDS(group[0] && !strpbrk(group, ":\n"));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), value[16];
	account(text, 0);
	account(text, 1000);
	account(text, UINT32_MAX);
	FRESH(value);
	if (os_release_value(text, "ID", value, sizeof(value)))
		ENDED(value);
	free(text);
	return 0;
}
