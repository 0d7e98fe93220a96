/* SPDX-License-Identifier: Apache-2.0 */
/* Can a program that was found be started? */
#ifndef BASE_PROGRAM_STATE_H
#define BASE_PROGRAM_STATE_H

#include "base/search_path.h"

/*
 * "ok", "not-executable", "broken-link" or "missing-interpreter" (a loader, an interpreter, or what env(1) is to
 * look for along search) into *state, static. 0, or the errno of what stood in the way of looking.
 */
int program_state(const char *root, const char *path, const struct search_path *search,
		  const char **state);

#endif
