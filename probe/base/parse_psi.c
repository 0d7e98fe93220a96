// SPDX-License-Identifier: Apache-2.0
#include "base/parse_psi.h"

#include <string.h>

#include "base/parse.h"

bool parse_psi(const char *text, const char *kind, const char *name, char *value, size_t size)
{
	char line[256], field[64];
	size_t len = strlen(name);

	if (!parse_keyed(text, kind, line, sizeof(line)))
		return false;
	const char *at = line;
	while (parse_field(&at, field, sizeof(field))) {
		const char *number = field + len + 1;
		if (strncmp(field, name, len) != 0 || field[len] != '=')
			continue;
		if (!*number || strspn(number, "0123456789.") != strlen(number) ||
		    strlen(number) >= size)
			return false;
		strcpy(value, number);
		return true;
	}
	return false;
}
