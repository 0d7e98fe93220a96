// SPDX-License-Identifier: Apache-2.0
#include "format/text_limits.h"

#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 14
#define CELL_WIDTH 13

struct limit {
	const char *name, *seen, *enforced, *left, *note;
};

static const struct limit limits[] = {
	{ "memory", "memory.total_bytes", "memory.limit_bytes", "memory.headroom_bytes",
	  "memory.limit_level" },
	{ "cpus", "cpu.online", "cpu.effective", NULL, NULL },
	{ "processes", "limits.pid_max", "limits.pids.limit", "limits.pids.left", NULL },
	{ "open files", "limits.rlimit[nofile].hard", "limits.rlimit[nofile].soft", NULL, NULL },
	{ "/dev/shm", "memory.shm.size_bytes", NULL, "memory.shm.free_bytes", NULL },
};

/* What cannot be had is told apart from what is not limited: "unknown" is no "no limit". */
static void put_cell(struct sheet *page, const struct profile *profile, const char *key)
{
	const struct fact *fact = key ? profile_find(profile, key) : NULL;
	cleanup_buf struct buf text = BUF_INIT(4096);

	if (!fact)
		buf_puts(&text, "-");
	else if (fact->status == FACT_OK && fact->type == FACT_TEXT && !strcmp(fact->value, "max"))
		buf_puts(&text, "no limit");
	else if (fact->status == FACT_OK)
		sheet_value(fact, &text);
	else
		buf_puts(&text, fact->status == FACT_ABSENT ? "none" : "unknown");
	sheet_put(page, SHEET_PLAIN, buf_text(&text), CELL_WIDTH - 1);
	buf_putc(page->out, ' ');
}

static bool any_known(const struct profile *profile, const struct limit *limit)
{
	return profile_find(profile, limit->seen) ||
	       (limit->enforced && profile_find(profile, limit->enforced));
}

static void put_row(struct sheet *page, const struct profile *profile, const struct limit *limit)
{
	const char *note = limit->note ? profile_text(profile, limit->note) : NULL;
	buf_puts(page->out, "  ");
	sheet_put(page, SHEET_PLAIN, limit->name, NAME_WIDTH - 3);
	buf_putc(page->out, ' ');
	put_cell(page, profile, limit->seen);
	put_cell(page, profile, limit->enforced);
	put_cell(page, profile, limit->left);
	if (note)
		sheet_put(page, SHEET_DIM, note, 0);
	else /* blanks at the end of a line are noise in whatever the text is pasted into */
		while (page->out->len && page->out->data[page->out->len - 1] == ' ')
			page->out->len--;
	sheet_line(page);
}

static void put_disk(struct sheet *page, const struct profile *profile, const char *dir)
{
	struct key size = key_make("filesystem.dir", dir, "size_bytes");
	struct key left = key_make("filesystem.dir", dir, "free_bytes");
	struct key type = key_make("filesystem.dir", dir, "type");
	char name[64];
	snprintf(name, sizeof(name), "disk %.50s", dir);
	struct limit limit = { name, size.text, NULL, left.text, type.text };
	if (any_known(profile, &limit))
		put_row(page, profile, &limit);
}

void text_limits(struct sheet *page, const struct profile *profile)
{
	const char *cwd = profile_text(profile, "identity.cwd");
	size_t before = page->out->len, head;

	buf_puts(page->out, "\n  limits      tools see    enforced     left\n");
	head = page->out->len;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (any_known(profile, &limits[i]))
			put_row(page, profile, &limits[i]);
	if (cwd && strcmp(cwd, "/tmp") != 0)
		put_disk(page, profile, cwd);
	put_disk(page, profile, "/tmp");
	if (page->out->len == head && page->out->data) {
		page->out->len = before;
		page->out->data[before] = '\0';
	}
}
