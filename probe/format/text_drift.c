// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/size.h"
#include "format/sheet.h"
#include "format/text_blind.h"

#define GROUP_SHOWN 6 /* rows of one title shown in full; names of the rest follow in a line */

static void side_line(struct sheet *page, const char *lead, const struct profile *profile)
{
	cleanup_buf struct buf line = BUF_INIT(8192);
	static const char *const keys[] = { "kernel.hostname", "kernel.os_name", "kernel.release",
					    "kernel.machine" };
	if (profile->task)
		buf_printf(&line, "task %s, ", profile->task);
	for (size_t i = 0; i < profile->label_count; i++)
		buf_printf(&line, "%s=%s, ", profile->labels[i].name, profile->labels[i].value);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *text = profile_text(profile, keys[i]);
		if (text)
			buf_printf(&line, "%s, ", text);
	}
	if (profile->layer_count) {
		buf_puts(&line, "in ");
		for (size_t i = 0; i < profile->layer_count; i++)
			buf_printf(&line, "%s%s", i ? " > " : "", profile->layers[i].id);
		buf_puts(&line, ", ");
	}
	buf_printf(&line, "%.8s %s", profile->id, profile->taken_at);
	sheet_wrap(page, SHEET_PLAIN, lead, 8, buf_text(&line));
}

static bool same_group(const struct drift_row *a, const struct drift_row *b)
{
	return a->severity == b->severity && !strcmp(a->rule, b->rule) &&
	       !strcmp(a->title, b->title);
}

/* The items of a list that one side has and the other lacks. */
static size_t list_minus(const struct fact *a, const struct fact *b, struct buf *out)
{
	size_t count = 0;
	for (const char *item = NULL; (item = fact_list_next(a, item));) {
		if (fact_list_has(b, item))
			continue;
		if (count < 24)
			buf_printf(out, "%s%.100s", count ? ", " : "", item);
		count++;
	}
	if (count > 24)
		buf_printf(out, ", and %zu more", count - 24);
	return count;
}

static void row_lists(const struct drift_row *row, struct buf *out)
{
	cleanup_buf struct buf lost = BUF_INIT(65536), gained = BUF_INIT(65536);
	size_t fewer = list_minus(row->local, row->remote, &lost);
	size_t more = list_minus(row->remote, row->local, &gained);
	if (fewer)
		buf_printf(out, "without %s", buf_text(&lost));
	if (more)
		buf_printf(out, "%swith %s", fewer ? "; " : "", buf_text(&gained));
	if (!fewer && !more)
		buf_puts(out, "in another order");
}

static bool is_list(const struct fact *fact)
{
	return fact && fact->status == FACT_OK && fact->type == FACT_LIST;
}

/* key  here -> there  (where it was seen) */
static void put_row(struct sheet *page, const struct drift_row *row)
{
	cleanup_buf struct buf line = BUF_INIT((size_t)1 << 18);
	buf_printf(&line, "%s: ", row->key);
	if (is_list(row->local) && is_list(row->remote)) {
		row_lists(row, &line);
	} else {
		sheet_value(row->local, &line);
		buf_puts(&line, " -> ");
		sheet_value(row->remote, &line);
	}
	const struct fact *seen = row->remote ? row->remote : row->local;
	if (seen && *seen->source)
		buf_printf(&line, "  (%.120s)", seen->source);
	sheet_wrap(page, SHEET_DIM, "      ", 8, buf_text(&line));
}

/* "python3, git, node": what the brackets of a group name. Returns whether all rows have such a name. */
static bool group_names(const struct drift_row *rows, size_t count, struct buf *out)
{
	char name[FACT_KEY_MAX];
	for (size_t i = 0; i < count; i++) {
		if (key_name(rows[i].key, name, sizeof(name)) < 0)
			return false;
		buf_printf(out, "%s%s", i ? ", " : "", name);
	}
	return true;
}

/* Is one bracketed name all that tells these rows apart, and nothing to see in their values? */
static bool only_names(const struct drift_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].change != DRIFT_LOST && rows[i].change != DRIFT_GAINED)
			return false;
	return count > 2;
}

static void put_group(struct sheet *page, const struct drift_row *rows, size_t count)
{
	cleanup_buf struct buf names = BUF_INIT(65536), title = BUF_INIT(80000);
	bool named = group_names(rows, count, &names);
	bool brief = named && only_names(rows, count);

	sheet_put(page, sheet_ink_of(rows->severity), severity_name(rows->severity), 10);
	buf_puts(&title, rows->title);
	if (brief)
		buf_printf(&title, " (%zu): %s", count, buf_text(&names));
	sheet_wrap(page, SHEET_BOLD, "", 10, buf_text(&title));
	if (brief)
		put_row(page, rows);
	for (size_t i = 0; i < count && i < GROUP_SHOWN && !brief; i++)
		put_row(page, &rows[i]);
	if (!brief && count > GROUP_SHOWN) {
		cleanup_buf struct buf more = BUF_INIT(256);
		buf_printf(&more, "and %zu more: see --json", count - GROUP_SHOWN);
		sheet_wrap(page, SHEET_DIM, "      ", 8, buf_text(&more));
	}
	if (rows->consequence)
		sheet_wrap(page, SHEET_PLAIN, "    so:   ", 10, rows->consequence);
	if (rows->remedy) {
		cleanup_buf struct buf remedy = BUF_INIT(8192);
		buf_printf(&remedy, "%s  [%s]", rows->remedy, who_name(rows->who));
		sheet_wrap(page, SHEET_GREEN, "    mend: ", 10, buf_text(&remedy));
	}
	sheet_line(page);
}

static void put_summary(struct sheet *page, const struct drift *drift, size_t hidden)
{
	size_t by[4] = { 0 }, blind = 0;
	cleanup_buf struct buf line = BUF_INIT(1024);
	for (size_t i = 0; i < drift->count; i++) {
		if (drift->rows[i].change == DRIFT_NOT_COMPARABLE)
			blind++;
		else
			by[drift->rows[i].severity]++;
	}
	buf_printf(&line, "%zu facts compared: ", drift->compared);
	for (int i = 0; i < 4; i++)
		buf_printf(&line, "%zu %s, ", by[i], severity_name((enum severity)i));
	buf_printf(&line, "%zu not comparable", blind);
	if (hidden)
		buf_printf(&line, "; %zu info rows are shown with --all", hidden);
	sheet_wrap(page, SHEET_PLAIN, "", 0, buf_text(&line));
}

void text_drift(const struct profile *local, const struct profile *remote,
		const struct drift *drift, const struct text_style *style, struct buf *out)
{
	struct sheet page = { out, style };
	size_t hidden = 0;

	side_line(&page, "here:   ", local);
	side_line(&page, "there:  ", remote);
	sheet_line(&page);
	for (size_t i = 0, n; i < drift->count; i += n) {
		const struct drift_row *rows = &drift->rows[i];
		for (n = 1; i + n < drift->count && same_group(rows, rows + n); n++)
			;
		if (rows->change == DRIFT_NOT_COMPARABLE)
			continue;
		if (rows->severity == SEVERITY_INFO && !style->all)
			hidden += n;
		else
			put_group(&page, rows, n);
	}
	text_blind(&page, local, remote, drift);
	put_summary(&page, drift, hidden);
}
