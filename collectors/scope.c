// SPDX-License-Identifier: Apache-2.0
#include "collectors/collector.h"

#include <string.h>

const char *scope_getenv(const struct scope *scope, const char *name)
{
	size_t len = strlen(name);
	for (const char *const *at = scope->environ; at && *at; at++)
		if (!strncmp(*at, name, len) && (*at)[len] == '=')
			return *at + len + 1;
	return NULL;
}
