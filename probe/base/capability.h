/* SPDX-License-Identifier: Apache-2.0 */
/* Capability sets of this process and their names. Needs no /proc. Functions return 0 or a positive errno. */
#ifndef BASE_CAPABILITY_H
#define BASE_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPABILITY_NAME_MAX 32

enum capability_set {
	CAPABILITY_EFFECTIVE,
	CAPABILITY_PERMITTED,
	CAPABILITY_INHERITABLE,
	CAPABILITY_BOUNDING,
	CAPABILITY_AMBIENT,
	CAPABILITY_SET_COUNT,
};

/* "effective", … */
const char *capability_set_name(enum capability_set set);

/*
 * Bit n stands for capability n. Asked by system call, then by the text of a status file; live is false for a
 * recorded tree, where only the text counts. *source (static) says which answered.
 */
int capability_get(enum capability_set set, bool live, const char *status, uint64_t *mask,
		   const char **source);

/* All that this kernel knows. ENOSYS or EINVAL where it cannot tell. */
int capability_known(uint64_t *mask);

struct capability_names {
	char text[64][CAPABILITY_NAME_MAX];
	const char *items[65]; /* into text, NULL-ended */
};

/* Names of the bits set; cap_N for one that the library does not know. names must stay where it is. */
void capability_names(uint64_t mask, struct capability_names *names);

#endif
