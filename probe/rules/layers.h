/* SPDX-License-Identifier: Apache-2.0 */
/* What encloses us, outermost first, concluded from facts with evidence and confidence. */
#ifndef RULES_LAYERS_H
#define RULES_LAYERS_H

#include "core/profile.h"

/* Replaces the layers of a sorted profile. 0, or -1 when out of memory. */
int layers_run(struct profile *profile);

#endif
