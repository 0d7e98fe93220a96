// SPDX-License-Identifier: Apache-2.0
#include "format/text_blind.h"

#include <string.h>

#define GROUPS_MAX  16
#define REASON_MAX  192
#define KEYS_SHOWN  6
#define KEYS_LENGTH ((size_t)1 << 20)

struct group {
	char reason[REASON_MAX]; /* "there: denied (EACCES)" */
	struct buf keys;
	size_t count;
};

static bool looked(const struct fact *fact)
{
	return fact && (fact->status == FACT_OK || fact->status == FACT_ABSENT);
}

/* Why a profile says nothing of a key: its collector was left out, was stopped, or did not speak of it. */
static void silence(const struct profile *profile, const char *key, struct buf *out)
{
	size_t len = strcspn(key, ".[");
	for (size_t i = 0; i < profile->coverage_count; i++) {
		const struct coverage *row = &profile->coverage[i];
		if (strlen(row->collector) != len || strncmp(row->collector, key, len) != 0 ||
		    row->status == COVERAGE_OK)
			continue;
		buf_printf(out, "%.*s was %s", (int)(len < 40 ? len : 40), key,
			   coverage_status_name(row->status));
		return;
	}
	buf_puts(out, "says nothing of it");
}

static void reason_of(const char *side, const struct profile *profile, const struct fact *fact,
		      const char *key, struct buf *out)
{
	if (looked(fact))
		return;
	buf_printf(out, "%s%s: ", out->len ? "; " : "", side);
	if (fact)
		sheet_value(fact, out);
	else
		silence(profile, key, out);
}

static struct group *group_for(struct group *groups, const char *reason)
{
	size_t i = 0;
	while (i < GROUPS_MAX - 1 && groups[i].count && strcmp(groups[i].reason, reason) != 0)
		i++;
	if (!groups[i].count) {
		/* The last place takes what is left over: a hostile profile may have any number of reasons. */
		strncpy(groups[i].reason, i < GROUPS_MAX - 1 ? reason : "other reasons",
			REASON_MAX - 1);
		groups[i].keys = BUF_INIT(KEYS_LENGTH);
	}
	return &groups[i];
}

static void group_add(struct group *group, const char *key, bool all)
{
	if (all || group->count < KEYS_SHOWN)
		buf_printf(&group->keys, "%s%s", group->count ? ", " : "", key);
	group->count++;
}

static void put_group(struct sheet *page, struct group *group)
{
	cleanup_buf struct buf line = BUF_INIT(KEYS_LENGTH + 1024);
	buf_printf(&line, "%s (%zu): %s", group->reason, group->count, buf_text(&group->keys));
	if (group->count > KEYS_SHOWN && !page->style->all)
		buf_printf(&line, ", and %zu more with --all", group->count - KEYS_SHOWN);
	sheet_wrap(page, SHEET_PLAIN, "    ", 10, buf_text(&line));
	buf_done(&group->keys);
}

void text_blind(struct sheet *page, const struct profile *local, const struct profile *remote,
		const struct drift *drift)
{
	struct group groups[GROUPS_MAX] = { 0 };
	size_t total = 0;
	for (size_t i = 0; i < drift->count; i++) {
		const struct drift_row *row = &drift->rows[i];
		cleanup_buf struct buf reason = BUF_INIT(4096);
		if (row->change != DRIFT_NOT_COMPARABLE)
			continue;
		reason_of("here", local, row->local, row->key, &reason);
		reason_of("there", remote, row->remote, row->key, &reason);
		char cut[REASON_MAX] = "";
		strncpy(cut, buf_text(&reason), sizeof(cut) - 1);
		group_add(group_for(groups, cut), row->key, page->style->all);
		total++;
	}
	if (!total)
		return;
	sheet_put(page, SHEET_DIM, "unknown", 10);
	sheet_wrap(page, SHEET_BOLD, "", 10,
		   "Could not be compared, since one side could not look");
	for (size_t i = 0; i < GROUPS_MAX && groups[i].count; i++)
		put_group(page, &groups[i]);
	sheet_line(page);
}
