/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind a descriptor that we were started with, and whether a terminal controls us. */
#ifndef BASE_STANDARD_FD_H
#define BASE_STANDARD_FD_H

#include <stdbool.h>
#include <stdint.h>

/* "terminal", "pipe", "file", "null", "socket", "closed" or "other" into *kind, static. 0 or errno. */
int standard_fd_kind(int fd, const char **kind);

/* Does the process have a controlling terminal? 0 or errno, *source (static) says what was asked. */
int standard_fd_controlled(bool *has, const char **source);

/* Columns of the first terminal among 0, 1 and 2. ENOTTY when none is; ENODATA when it does not say. */
int standard_fd_columns(int64_t *columns);

#endif
