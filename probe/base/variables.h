/* SPDX-License-Identifier: Apache-2.0 */
/* Names of environment variables, without their values. */
#ifndef BASE_VARIABLES_H
#define BASE_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

#define VARIABLES_MAX	   2000
#define VARIABLES_NAME_MAX 200

struct variables {
	const char **items; /* owned; sorted, NULL-ended */
	char *text; /* owned; what they point into */
	size_t named; /* in items */
	int64_t count, bytes; /* of all that there is */
};

/*
 * What has no "=" is left out: it has no name, and all of it may be a secret. So is what comes late in the order
 * of names when those before fill max_bytes, each with its NUL. -1 when out of memory: count and bytes are known
 * all the same.
 */
int variables_open(struct variables *variables, const char *const *environ, size_t max_bytes);
void variables_close(struct variables *variables);
#define cleanup_variables __attribute__((__cleanup__(variables_close)))

#endif
