/* SPDX-License-Identifier: Apache-2.0 */
/* Which signals this process was started with ignored or blocked: both survive fork and exec. */
#ifndef BASE_SIGNAL_SET_H
#define BASE_SIGNAL_SET_H

#include <stdbool.h>
#include <stdint.h>

struct signal_names {
	char text[64][12];
	const char *items[65]; /* into text, NULL-ended */
};

/* Names of the bits set, bit n - 1 for signal n; SIG40 for a real-time one. names must stay where it is. */
void signal_set_names(uint64_t mask, struct signal_names *names);

enum signal_set { SIGNAL_SET_IGNORED, SIGNAL_SET_BLOCKED };

/*
 * By the text of a status file, then, where live (not a recorded tree), by system call. 0; ENOENT when the text
 * has no such line; EBADMSG. *source (static) says which answered.
 */
int signal_set_get(enum signal_set which, bool live, const char *status, uint64_t *mask,
		   const char **source);

#endif
