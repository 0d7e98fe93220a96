/* SPDX-License-Identifier: Apache-2.0 */
/* Running programs where memory is short, without being the reason why the kernel kills something else. */
#ifndef BASE_FRUGAL_H
#define BASE_FRUGAL_H

#include <stdint.h>

/*
 * How many programs of so many bytes each may run side by side, from 1 to most: by what the machine and every
 * memory cgroup in sight have left. most where that cannot be known.
 */
unsigned int frugal_jobs(const char *root, unsigned int most, int64_t bytes_each);

/*
 * From here on this process, and what it forks, is the first that the kernel would kill. *before is for
 * frugal_restore(); no harm where /proc does not allow it.
 */
void frugal_first_victim(int64_t *before);
void frugal_restore(int64_t before);

#endif
