/* SPDX-License-Identifier: Apache-2.0 */
/* Is the kernel gVisor's? No one sign is proof: distributions and people imitate single ones. */
#ifndef BASE_GVISOR_H
#define BASE_GVISOR_H

#include <stdbool.h>
#include <sys/utsname.h>

#include "base/buf.h"

/*
 * Counts the signs, and appends their names to signs, with ", " between. live is false for a recorded tree. Where
 * /proc is missing one sign is all there can be.
 */
int gvisor_signs(const char *root, bool live, const struct utsname *uts, struct buf *signs);

#endif
