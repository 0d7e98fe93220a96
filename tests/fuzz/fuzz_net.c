// SPDX-License-Identifier: Apache-2.0
/* Files and variables of network configuration. A proxy never keeps its password. */
#include "tests/fuzz/fuzz.h"

#include "base/parse_net.h"

static void words(const struct net_words *list)
{
	HOLDS(list->count <= NET_WORDS_MAX && !list->items[list->count]);
	for (size_t i = 0; i < list->count; i++) {
		HOLDS(list->items[i] >= (const char *)list->text);
		HOLDS(list->items[i] < (const char *)list->text + sizeof(list->text));
		HOLDS(strlen(list->items[i]) < NET_NAME_MAX);
	}
}

static void devices(const char *text)
{
	char device[NET_DEVICE_MAX];
	const char *cursor = text;
	size_t count = 0, len = strlen(text);
	FRESH(device);
	if (parse_route_default(text, device))
		ENDED(device);
	FRESH(device);
	if (parse_route6_default(text, device))
		ENDED(device);
	FRESH(device);
	while (parse_net_dev(&cursor, device)) {
		ENDED(device);
		HOLDS(++count <= len + 1);
		FRESH(device);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), out[128];
	struct net_resolver *resolver = calloc(1, sizeof(*resolver));
	HOLDS(resolver);
	parse_resolv_conf(text, resolver);
	words(&resolver->servers);
	words(&resolver->search);
	words(&resolver->options);
	(void)parse_hosts_has(text, "localhost");
	devices(text);
	FRESH(out);
	if (parse_proxy(text, out, sizeof(out))) {
		ENDED(out);
		HOLDS(!strpbrk(out, "@?# \n"));
	}
	FRESH(out);
	if (parse_no_proxy(text, out, sizeof(out))) {
		ENDED(out);
		HOLDS(!strpbrk(out, "@\n"));
	}
	free(resolver);
	free(text);
	return 0;
}
