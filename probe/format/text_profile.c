// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/errno_name.h"
#include "base/size.h"
#include "format/sheet.h"

#define LEAD 13

/* Appends a fact's value, or why there is none. */
static void put(const struct profile *profile, const char *key, struct buf *out)
{
	const struct fact *fact = profile_find(profile, key);
	if (fact)
		sheet_value(fact, out);
	else
		buf_puts(out, "not looked at");
}

static void row(struct sheet *page, const char *lead, const struct buf *text)
{
	sheet_wrap(page, SHEET_PLAIN, lead, LEAD, buf_text(text));
}

static void put_layers(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf line = BUF_INIT(8192);
	for (size_t i = 0; i < profile->layer_count; i++) {
		const struct layer *layer = &profile->layers[i];
		buf_printf(&line, "%s%s%s", i ? " > " : "", layer->id,
			   layer->confidence == CONFIDENCE_CERTAIN  ? ""
			   : layer->confidence == CONFIDENCE_LIKELY ? " (likely)"
								    : " (possibly)");
	}
	if (!profile->layer_count)
		buf_puts(&line, "nothing that we know of");
	row(page, "enclosed in", &line);
}

static void put_identity(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf line = BUF_INIT(8192);
	const char *name = profile_text(profile, "identity.user");
	int64_t mapped = profile_int(profile, "identity.user_namespace.mapped_uids", -1);
	const struct fact *held = profile_find(profile, "identity.capabilities.effective");

	buf_puts(&line, "uid ");
	put(profile, "identity.euid", &line);
	buf_printf(&line, " (%s), ", name ? name : "no name");
	if (profile_true(profile, "identity.capabilities.full"))
		buf_puts(&line, "all capabilities");
	else if (held && held->status == FACT_OK)
		buf_printf(&line, "%zu capabilities", fact_list_count(held));
	else
		buf_puts(&line, "capabilities unknown");
	if (mapped >= 0 && mapped < 65536)
		buf_printf(&line, " over %lld id%s", (long long)mapped, mapped == 1 ? "" : "s");
	if (profile_true(profile, "identity.no_new_privs"))
		buf_puts(&line, ", no_new_privs");
	if (profile_text(profile, "identity.seccomp_mode")) {
		buf_puts(&line, ", seccomp ");
		put(profile, "identity.seccomp_mode", &line);
	}
	row(page, "we are", &line);
}

static void put_system(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf line = BUF_INIT(8192);
	const char *os = profile_text(profile, "kernel.os_name");
	buf_printf(&line, "%s on ", os ? os : "unknown system");
	put(profile, "kernel.sysname", &line);
	buf_puts(&line, " ");
	put(profile, "kernel.release", &line);
	buf_puts(&line, " ");
	put(profile, "kernel.machine", &line);
	row(page, "system", &line);
}

/* What tools see, beside what is enforced. */
static void put_limits(struct sheet *page, const struct profile *profile)
{
	static const struct {
		const char *lead, *seen, *enforced, *left;
	} limits[] = {
		{ "memory", "memory.total_bytes", "memory.limit_bytes", "memory.headroom_bytes" },
		{ "cpus", "cpu.nproc", "cpu.quota", NULL },
		{ "processes", "limits.pid_max", "limits.pids.limit", "limits.pids.left" },
		{ "open files", "limits.rlimit[nofile].hard", "limits.rlimit[nofile].soft", NULL },
	};
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		cleanup_buf struct buf line = BUF_INIT(1024);
		const struct fact *left =
			limits[i].left ? profile_find(profile, limits[i].left) : NULL;
		buf_puts(&line, "visible ");
		put(profile, limits[i].seen, &line);
		buf_puts(&line, ", enforced ");
		const struct fact *enforced = profile_find(profile, limits[i].enforced);
		if (enforced && enforced->status != FACT_OK)
			buf_puts(&line, "unknown");
		else
			put(profile, limits[i].enforced, &line);
		if (left && left->status == FACT_OK) {
			buf_puts(&line, ", left ");
			sheet_value(left, &line);
		}
		row(page, limits[i].lead, &line);
	}
}

static const char *dir_name(const struct fact *fact, char *name, size_t size)
{
	return key_name(fact->key, name, size) < 0 ? "?" : name;
}

/* "/tmp 32 MiB" for each directory that takes files; the refused ones with their errno behind. */
static void put_dirs(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf good = BUF_INIT(16384), bad = BUF_INIT(16384);
	char name[FACT_KEY_MAX];
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "filesystem.dir[*].create", fact));) {
		const char *dir = dir_name(fact, name, sizeof(name));
		const struct fact *room =
			profile_find(profile, key_make("filesystem.dir", dir, "free_bytes").text);
		const char *err =
			profile_text(profile, key_make("filesystem.dir", dir, "create_errno").text);
		bool noexec = profile_false(profile, key_make("filesystem.dir", dir, "exec").text);
		if (fact->status != FACT_OK)
			continue;
		if (!fact->number) {
			buf_printf(&bad, "%s%s (%s)", bad.len ? ", " : "", dir,
				   err ? err : "refused");
			continue;
		}
		buf_printf(&good, "%s%s", good.len ? ", " : "", dir);
		if (room && room->status == FACT_OK)
			buf_printf(&good, " %s", size_text(room->number).text);
		if (noexec)
			buf_puts(&good, " noexec");
	}
	if (!good.len)
		buf_puts(&good, bad.len ? "nothing" : "not looked at");
	row(page, "takes files", &good);
	if (bad.len)
		row(page, "refuses", &bad);
}

static void put_network(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf line = BUF_INIT(16384);
	static const struct {
		const char *key, *yes, *no;
	} facts[] = {
		{ "network.loopback_up", "loopback", "no loopback" },
		{ "network.route_default_v4", "IPv4 route out", "no IPv4 route out" },
		{ "network.route_default_v6", "IPv6 route out", "no IPv6 route out" },
	};
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		bool yes = profile_true(profile, facts[i].key);
		if (yes || profile_false(profile, facts[i].key))
			buf_printf(&line, "%s%s", line.len ? ", " : "",
				   yes ? facts[i].yes : facts[i].no);
	}
	const struct fact *resolver = profile_find(profile, "network.resolver");
	buf_puts(&line, line.len ? ", resolver " : "resolver ");
	if (resolver)
		sheet_value(resolver, &line);
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "network.proxy[*]", fact));) {
		char name[64];
		if (fact->status == FACT_OK && key_name(fact->key, name, sizeof(name)) > 0)
			buf_printf(&line, ", %s", name);
	}
	row(page, "network", &line);
}

static void put_tools(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf here = BUF_INIT(16384), gone = BUF_INIT(16384);
	size_t found = 0, missing = 0;
	char name[FACT_KEY_MAX];
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "tools.tool[*].path", fact));) {
		const char *tool = dir_name(fact, name, sizeof(name));
		const char *version =
			profile_text(profile, key_make("tools.tool", tool, "version").text);
		if (fact->status == FACT_OK && version && found++ < 18)
			buf_printf(&here, "%s%s %.20s", here.len ? ", " : "", tool, version);
		else if (fact->status == FACT_OK && !version && found++ < 18)
			buf_printf(&here, "%s%s", here.len ? ", " : "", tool);
		else if (fact->status == FACT_ABSENT && missing++ < 24)
			buf_printf(&gone, "%s%s", gone.len ? ", " : "", tool);
	}
	if (found > 18)
		buf_printf(&here, ", and %zu more", found - 18);
	if (missing > 24)
		buf_printf(&gone, ", and %zu more", missing - 24);
	if (here.len)
		row(page, "tools", &here);
	if (gone.len)
		row(page, "no", &gone);
}

static void put_findings(struct sheet *page, const struct profile *profile)
{
	size_t shown = 0, hidden = 0;
	for (size_t i = 0; i < profile->finding_count; i++) {
		const struct finding *finding = &profile->findings[i];
		if (finding->severity == SEVERITY_INFO && !page->style->all) {
			hidden++;
			continue;
		}
		if (!shown++)
			sheet_line(page);
		sheet_put(page, sheet_ink_of(finding->severity), severity_name(finding->severity),
			  10);
		sheet_wrap(page, SHEET_BOLD, "", 10, finding->title);
		sheet_wrap(page, SHEET_PLAIN, "    so:   ", 10, finding->consequence);
		cleanup_buf struct buf remedy = BUF_INIT(8192);
		buf_printf(&remedy, "%s  [%s; explain %s]", finding->remedy, who_name(finding->who),
			   finding->id);
		sheet_wrap(page, SHEET_GREEN, "    mend: ", 10, buf_text(&remedy));
	}
	if (!shown) {
		sheet_line(page);
		sheet_wrap(page, SHEET_GREEN, "", 0, "Nothing found that should trouble a task.");
	}
	if (hidden) {
		cleanup_buf struct buf line = BUF_INIT(256);
		buf_printf(&line, "%zu for information: shown with --all", hidden);
		sheet_wrap(page, SHEET_DIM, "", 0, buf_text(&line));
	}
}

/* What this report cannot know. */
static void put_blind(struct sheet *page, const struct profile *profile)
{
	for (size_t i = 0; i < profile->coverage_count; i++) {
		const struct coverage *row_ = &profile->coverage[i];
		cleanup_buf struct buf line = BUF_INIT(4096);
		if (row_->status == COVERAGE_OK || row_->status == COVERAGE_SKIPPED)
			continue;
		buf_printf(&line, "%s: %s%s%s", row_->collector, coverage_status_name(row_->status),
			   row_->note ? ", " : "", row_->note ? row_->note : "");
		sheet_wrap(page, SHEET_YELLOW, "blind spot", LEAD, buf_text(&line));
	}
}

void text_profile(const struct profile *profile, const struct text_style *style, struct buf *out)
{
	struct sheet page = { out, style };
	put_layers(&page, profile);
	put_system(&page, profile);
	put_identity(&page, profile);
	put_limits(&page, profile);
	put_dirs(&page, profile);
	put_network(&page, profile);
	put_tools(&page, profile);
	put_blind(&page, profile);
	put_findings(&page, profile);
}
