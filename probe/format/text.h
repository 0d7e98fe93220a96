/* SPDX-License-Identifier: Apache-2.0 */
/* Text for people. Control characters of outside strings are escaped; the redactor applies. */
#ifndef FORMAT_TEXT_H
#define FORMAT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "core/drift.h"
#include "core/profile.h"
#include "rules/rule.h"

struct text_style {
	bool colour;
	int columns; /* to wrap at; 100 when not a terminal */
	bool all; /* show info rows too */
};

/* The one-screen summary of collect. */
void text_profile(const struct profile *profile, const struct text_style *style, struct buf *out);

/* The drift, worst first, rows of one title together, with remedies. */
void text_drift(const struct profile *local, const struct profile *remote,
		const struct drift *drift, const struct text_style *style, struct buf *out);

/* The full story of one rule. */
void text_rule(const struct rule *rule, const struct text_style *style, struct buf *out);

/* All rules, a line each. */
void text_rules(const struct text_style *style, struct buf *out);

#endif
