// SPDX-License-Identifier: Apache-2.0
/* Mount tables: every string ends inside the text, and a lookup finds a mount that covers the path. */
#include "tests/fuzz/fuzz.h"

#include "base/mountinfo.h"

static void inside(const struct mount_table *table, const char *text, size_t size)
{
	HOLDS(text && text >= table->text && text + strlen(text) <= table->text + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_mounts struct mount_table table = { 0 };
	char *path = fuzz_text(data, size < 32 ? size : 32);
	HOLDS(!mountinfo_parse(fuzz_text(data, size), &table));
	for (size_t i = 0; i < table.count; i++) {
		const struct mount *mount = &table.mounts[i];
		inside(&table, mount->root, size);
		inside(&table, mount->point, size);
		inside(&table, mount->options, size);
		inside(&table, mount->type, size);
		inside(&table, mount->source, size);
		inside(&table, mount->super_options, size);
		(void)mount_has_option(mount->options, "ro");
		(void)mount_has_option(mount->super_options, mount->type);
		const struct mount *found = mountinfo_lookup(&table, mount->point);
		HOLDS(!found || !strncmp(mount->point, found->point, strlen(found->point)));
	}
	const struct mount *found = mountinfo_lookup(&table, path);
	HOLDS(!found || !strncmp(path, found->point, strlen(found->point)));
	free(path);
	return 0;
}
