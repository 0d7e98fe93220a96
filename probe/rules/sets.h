/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the sets named in list.h, for the files that define them and the engine that walks them. */
#ifndef RULES_SETS_H
#define RULES_SETS_H

#include "rules/rule.h"

#define RULE_SET(name) extern const struct rule_set rules_##name;
#include "rules/list.h"
#undef RULE_SET

/* Defines a set out of the array of its file. */
#define RULE_SET_DEFINE(name, array)                                                               \
	const struct rule_set rules_##name = { array, sizeof(array) / sizeof((array)[0]) }

#endif
