// SPDX-License-Identifier: Apache-2.0
#include "rules/rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "rules/sets.h"

static const struct rule_set *const sets[] = {
#define RULE_SET(name) &rules_##name,
#include "rules/list.h"
#undef RULE_SET
};

void verdict_add(struct verdict *verdict, const char *key)
{
	if (verdict->evidence_count < RULE_EVIDENCE_MAX)
		verdict->evidence[verdict->evidence_count++] = key;
}

void verdict_detail(struct verdict *verdict, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(verdict->detail, sizeof(verdict->detail), fmt, ap);
	va_end(ap);
}

void verdict_list(struct verdict *verdict, const char *fmt, ...)
{
	size_t used = strlen(verdict->detail), size = sizeof(verdict->detail);
	va_list ap;
	if (used && used + 3 < size) {
		memcpy(verdict->detail + used, ", ", 3);
		used += 2;
	}
	va_start(ap, fmt);
	vsnprintf(verdict->detail + used, size - used, fmt, ap);
	va_end(ap);
}

static bool fact_fires(const struct rule *rule, const char *pattern, const struct fact *fact)
{
	if (pattern == rule->when_absent)
		return fact->status == FACT_ABSENT;
	return fact->status == FACT_OK && fact->type == FACT_BOOL &&
	       !!fact->number == (pattern == rule->when_true);
}

/* The simple rules: every fact that matches is evidence; the bracketed names are the detail. */
static bool pattern_fires(const struct rule *rule, const struct profile *profile,
			  struct verdict *verdict)
{
	const char *patterns[] = { rule->when_true, rule->when_false, rule->when_absent };

	for (size_t i = 0; i < 3; i++) {
		if (!patterns[i])
			continue;
		for (const struct fact *fact = NULL;
		     (fact = profile_next(profile, patterns[i], fact));) {
			char name[128];
			if (!fact_fires(rule, patterns[i], fact))
				continue;
			verdict_add(verdict, fact->key);
			if (key_name(fact->key, name, sizeof(name)) >= 0)
				verdict_list(verdict, "%s", name);
		}
	}
	return verdict->evidence_count > 0;
}

/* title with %s replaced by the detail; a format from a table cannot be given to printf. */
static char *title_make(const char *title, const char *detail)
{
	const char *hole = strstr(title, "%s");
	char *out = NULL;
	if (!hole)
		return strdup(title);
	if (asprintf(&out, "%.*s%s%s", (int)(hole - title), title, detail, hole + 2) < 0)
		return NULL;
	return out;
}

static int add_finding(struct profile *profile, const struct rule *rule,
		       const struct verdict *verdict)
{
	struct finding finding = {
		.id = strdup(rule->id),
		.severity = verdict->severity,
		.title = title_make(rule->title, verdict->detail),
		.consequence = strdup(rule->consequence),
		.confidence = verdict->confidence,
		.remedy = strdup(rule->remedy),
		.who = rule->who,
		.evidence = calloc(verdict->evidence_count + 1, sizeof(char *)),
	};
	bool whole = finding.id && finding.title && finding.consequence && finding.remedy &&
		     finding.evidence;
	for (size_t i = 0; whole && i < verdict->evidence_count; i++) {
		finding.evidence[finding.evidence_count++] = strdup(verdict->evidence[i]);
		whole = finding.evidence[i];
	}
	return profile_add_finding(profile, finding) || !whole ? -1 : 0;
}

int rules_run(struct profile *profile)
{
	profile_clear_findings(profile);
	for (const struct rule *rule = NULL; (rule = rules_next(rule));) {
		struct verdict verdict = { .severity = rule->severity,
					   .confidence = rule->confidence };
		bool fires = rule->check ? rule->check(profile, &verdict)
					 : pattern_fires(rule, profile, &verdict);
		if (fires && add_finding(profile, rule, &verdict))
			return -1;
	}
	profile_sort_findings(profile);
	return 0;
}

const struct rule *rules_next(const struct rule *prev)
{
	bool take = !prev;
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		for (size_t j = 0; j < sets[i]->count; j++) {
			if (take)
				return &sets[i]->rules[j];
			take = &sets[i]->rules[j] == prev;
		}
	}
	return NULL;
}

const struct rule *rules_find(const char *id)
{
	for (const struct rule *rule = NULL; (rule = rules_next(rule));)
		if (!strcmp(rule->id, id))
			return rule;
	return NULL;
}

const char *rules_nearest(const char *id)
{
	struct suggest near = suggest_start(id);
	for (const struct rule *rule = NULL; (rule = rules_next(rule));)
		suggest_offer(&near, rule->id);
	return near.best;
}
