// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "format/sheet.h"

/* A title with a hole is shown with an ellipsis in it. */
static void put_title(const struct rule *rule, struct buf *out)
{
	const char *hole = strstr(rule->title, "%s");
	if (hole)
		buf_printf(out, "%.*s…%s", (int)(hole - rule->title), rule->title, hole + 2);
	else
		buf_puts(out, rule->title);
}

void text_rules(const struct text_style *style, struct buf *out)
{
	struct sheet page = { out, style };
	for (const struct rule *rule = NULL; (rule = rules_next(rule));) {
		cleanup_buf struct buf title = BUF_INIT(4096);
		put_title(rule, &title);
		sheet_put(&page, SHEET_BOLD, rule->id, 28);
		buf_putc(out, ' ');
		sheet_put(&page, sheet_ink_of(rule->severity), severity_name(rule->severity), 9);
		sheet_wrap(&page, SHEET_PLAIN, "", 38, buf_text(&title));
	}
}

void text_rule(const struct rule *rule, const struct text_style *style, struct buf *out)
{
	struct sheet page = { out, style };
	const struct {
		const char *lead, *text;
	} parts[] = {
		{ "  what        ", rule->meaning }, { "  effect      ", rule->consequence },
		{ "  remedy      ", rule->remedy },  { "  by          ", who_name(rule->who) },
		{ "  docker      ", rule->docker },  { "  kubernetes  ", rule->kubernetes },
		{ "  podman      ", rule->podman },  { "  bubblewrap  ", rule->bubblewrap },
		{ "  in the task ", rule->task },    { "  ignore it   ", rule->ignore },
	};
	sheet_put(&page, SHEET_BOLD, rule->id, 0);
	buf_puts(out, "  ");
	sheet_put(&page, sheet_ink_of(rule->severity), severity_name(rule->severity), 0);
	buf_printf(out, ", %s\n", confidence_name(rule->confidence));
	cleanup_buf struct buf title = BUF_INIT(4096);
	put_title(rule, &title);
	sheet_wrap(&page, SHEET_PLAIN, "  ", 2, buf_text(&title));
	sheet_line(&page);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].text)
			sheet_wrap(&page, SHEET_PLAIN, parts[i].lead, 14, parts[i].text);
}
