// SPDX-License-Identifier: Apache-2.0
#include "base/variables.h"

#include <stdlib.h>
#include <string.h>

static size_t name_length(const char *variable)
{
	size_t len = strcspn(variable, "=");
	if (!variable[len])
		return 0;
	return len < VARIABLES_NAME_MAX ? len : VARIABLES_NAME_MAX;
}

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int variables_open(struct variables *variables, const char *const *environ, size_t max_bytes)
{
	size_t room = 1, n = 0;
	*variables = (struct variables){ 0 };
	for (const char *const *at = environ; at && *at; at++) {
		variables->count++;
		variables->bytes += (int64_t)strlen(*at) + 1;
		if (variables->count <= VARIABLES_MAX)
			room += name_length(*at) + 1;
	}
	variables->text = malloc(room);
	variables->items = calloc(VARIABLES_MAX + 1, sizeof(*variables->items));
	if (!variables->text || !variables->items)
		return -1;
	char *to = variables->text;
	for (size_t i = 0; i < VARIABLES_MAX && environ && environ[i]; i++) {
		size_t len = name_length(environ[i]);
		if (!len)
			continue;
		variables->items[n++] = memcpy(to, environ[i], len);
		to[len] = '\0';
		to += len + 1;
	}
	qsort(variables->items, n, sizeof(*variables->items), name_compare);
	for (size_t used = 0; variables->named < n; variables->named++) {
		used += strlen(variables->items[variables->named]) + 1;
		if (used > max_bytes)
			break;
	}
	variables->items[variables->named] = NULL;
	return 0;
}

void variables_close(struct variables *variables)
{
	free(variables->items);
	free(variables->text);
	*variables = (struct variables){ 0 };
}
