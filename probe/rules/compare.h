/* SPDX-License-Identifier: Apache-2.0 */
/* Joins two profiles and gives each difference its meaning, from the drift catalogue and the rules. */
#ifndef RULES_COMPARE_H
#define RULES_COMPARE_H

#include "core/drift.h"

/*
 * Both profiles sorted, with findings (rules_run). NULL when out of memory. The result borrows from both:
 * free it first. all: keep also the differences that the catalogue calls noise, as info.
 */
struct drift *compare_profiles(const struct profile *local, const struct profile *remote, bool all);

#endif
