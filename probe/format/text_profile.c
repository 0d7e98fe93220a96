// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/size.h"
#include "format/sheet.h"
#include "format/text_limits.h"

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

/* A subject that was not looked at has no line; that it was left out stands at the end. */
static bool looked_at(const struct profile *profile, const char *pattern)
{
	return profile_next(profile, pattern, NULL);
}

static void put_layers(struct sheet *page, const struct profile *profile)
{
	static const char *const doubt[] = {
		[CONFIDENCE_CERTAIN] = "",
		[CONFIDENCE_LIKELY] = " (likely)",
		[CONFIDENCE_POSSIBLE] = " (possibly)",
	};
	cleanup_buf struct buf line = BUF_INIT((size_t)1 << 20);
	/* Layers are concluded from these. */
	if (!profile->layer_count &&
	    !(looked_at(profile, "kernel.*") && looked_at(profile, "identity.*")))
		return;
	for (size_t i = 0; i < profile->layer_count; i++)
		buf_printf(&line, "%s%.100s%s", i ? " > " : "", profile->layers[i].id,
			   doubt[profile->layers[i].confidence]);
	if (!profile->layer_count)
		buf_puts(&line, "nothing that we know of");
	row(page, "enclosed in", &line);
}

static void put_identity(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf line = BUF_INIT(8192);
	const char *name = profile_text(profile, "identity.user");
	const char *cwd = profile_text(profile, "identity.cwd");
	int64_t mapped = profile_int(profile, "identity.user_namespace.mapped_uids", -1);
	const struct fact *held = profile_find(profile, "identity.capabilities.effective");

	if (!looked_at(profile, "identity.*"))
		return;
	buf_puts(&line, "uid ");
	put(profile, "identity.euid", &line);
	buf_printf(&line, " (%.100s), ", name ? name : "no name");
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
	if (cwd)
		buf_printf(&line, ", in %.200s", cwd);
	row(page, "we are", &line);
}

static void put_system(struct sheet *page, const struct profile *profile)
{
	static const char *const keys[] = { "kernel.sysname", "kernel.release", "kernel.machine",
					    "kernel.hostname" };
	static const char *const before[] = { "", " ", " ", ", host " };
	cleanup_buf struct buf line = BUF_INIT(8192);
	const char *os = profile_text(profile, "kernel.os_name");
	if (!looked_at(profile, "kernel.*"))
		return;
	buf_printf(&line, "%.200s on ", os ? os : "unknown system");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!profile_find(profile, keys[i]))
			continue;
		buf_puts(&line, before[i]);
		put(profile, keys[i], &line);
	}
	row(page, "system", &line);
}

static const char *dir_name(const struct fact *fact, char *name, size_t size)
{
	return key_name(fact->key, name, size) < 0 ? "?" : name;
}

/* "/tmp 32 MiB" for each directory that takes files; the refused ones with their errno behind. */
static void put_dirs(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf good = BUF_INIT(65536), bad = BUF_INIT(65536);
	cleanup_buf struct buf none = BUF_INIT(64);
	char name[FACT_KEY_MAX];
	buf_puts(&none, "no directory");
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
	if (good.len || bad.len)
		row(page, "takes files", good.len ? &good : &none);
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
	if (!looked_at(profile, "network.*"))
		return;
	if (resolver) {
		buf_puts(&line, line.len ? ", resolver " : "resolver ");
		sheet_value(resolver, &line);
	}
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "network.proxy[*]", fact));) {
		char name[64];
		if (fact->status == FACT_OK && key_name(fact->key, name, sizeof(name)) > 0)
			buf_printf(&line, ", %s", name);
	}
	row(page, "network", &line);
}

/* What agents and their tasks reach for first: these are named, the others counted. */
static const char *const everyday[] = { "sh",	"bash",	 "git",	  "python3", "pip3", "uv",
					"node", "npm",	 "go",	  "cargo",   "java", "gcc",
					"make", "cmake", "curl",  "jq",	     "rg",   "tar",
					"zip",	"unzip", "ssh",	  "sed",     "grep", "find",
					"sudo", "ps",	 "strace" };

static void put_tools(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf here = BUF_INIT(16384), gone = BUF_INIT(16384);
	cleanup_buf struct buf hidden = BUF_INIT(16384);
	size_t found = 0, named = 0;
	for (size_t i = 0; i < sizeof(everyday) / sizeof(*everyday); i++) {
		const char *tool = everyday[i];
		const struct fact *fact =
			profile_find(profile, key_make("tools.tool", tool, "path").text);
		const char *version =
			profile_text(profile, key_make("tools.tool", tool, "version").text);
		if (!fact)
			continue;
		struct buf *list = fact->status == FACT_OK	 ? &here
				   : fact->status == FACT_ABSENT ? &gone
								 : &hidden;
		buf_printf(list, "%s%s%s%.20s", list->len ? ", " : "", tool, version ? " " : "",
			   version ? version : "");
		named += fact->status == FACT_OK;
	}
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "tools.tool[*].path", fact));)
		found += fact->status == FACT_OK;
	if (found > named)
		buf_printf(&here, "%s%zu more", named ? ", and " : "", found - named);
	if (here.len)
		row(page, "tools", &here);
	if (gone.len)
		row(page, "missing", &gone);
	if (hidden.len)
		row(page, "unknown", &hidden);
}

#define EVIDENCE_SHOWN 3

/* key: value  (where it was seen) */
static void put_evidence(struct sheet *page, const struct profile *profile,
			 const struct finding *finding)
{
	for (size_t i = 0; i < finding->evidence_count && i < EVIDENCE_SHOWN; i++) {
		const struct fact *fact = profile_find(profile, finding->evidence[i]);
		cleanup_buf struct buf line = BUF_INIT((size_t)1 << 18);
		if (!fact)
			continue;
		buf_printf(&line, "%s: ", fact->key);
		sheet_value(fact, &line);
		if (*fact->source)
			buf_printf(&line, "  (%.120s)", fact->source);
		sheet_wrap(page, SHEET_DIM, "    seen: ", 10, buf_text(&line));
	}
	if (finding->evidence_count > EVIDENCE_SHOWN) {
		cleanup_buf struct buf line = BUF_INIT(256);
		buf_printf(&line, "and %zu more: see --json",
			   finding->evidence_count - EVIDENCE_SHOWN);
		sheet_wrap(page, SHEET_DIM, "          ", 10, buf_text(&line));
	}
}

static void put_finding(struct sheet *page, const struct profile *profile,
			const struct finding *finding)
{
	cleanup_buf struct buf title = BUF_INIT(65536), remedy = BUF_INIT(65536);
	sheet_put(page, sheet_ink_of(finding->severity), severity_name(finding->severity), 10);
	buf_puts(&title, finding->title);
	if (finding->confidence != CONFIDENCE_CERTAIN)
		buf_printf(&title, "  (%s)", confidence_name(finding->confidence));
	sheet_wrap(page, SHEET_BOLD, "", 10, buf_text(&title));
	put_evidence(page, profile, finding);
	sheet_wrap(page, SHEET_PLAIN, "    so:   ", 10, finding->consequence);
	buf_printf(&remedy, "%s  [%s; explain %s]", finding->remedy, who_name(finding->who),
		   finding->id);
	sheet_wrap(page, SHEET_GREEN, "    mend: ", 10, buf_text(&remedy));
}

/* "What will bite an agent: 1 fatal, 3 degraded" */
static void put_findings_head(struct sheet *page, const struct profile *profile)
{
	size_t by[SEVERITY_INFO + 1] = { 0 }, told = 0;
	cleanup_buf struct buf line = BUF_INIT(256);
	for (size_t i = 0; i < profile->finding_count; i++)
		by[profile->findings[i].severity]++;
	buf_puts(&line, "What will bite an agent: ");
	for (int i = 0; i <= SEVERITY_INFO; i++)
		if (by[i])
			buf_printf(&line, "%s%zu %s", told++ ? ", " : "", by[i],
				   severity_name((enum severity)i));
	if (!told)
		buf_puts(&line, "nothing that we know of");
	if (by[SEVERITY_INFO] && !page->style->all)
		buf_puts(&line, "; info is shown with --all");
	sheet_line(page);
	sheet_wrap(page, SHEET_BOLD, "", 0, buf_text(&line));
}

static void put_findings(struct sheet *page, const struct profile *profile)
{
	put_findings_head(page, profile);
	for (size_t i = 0; i < profile->finding_count; i++)
		if (profile->findings[i].severity != SEVERITY_INFO || page->style->all)
			put_finding(page, profile, &profile->findings[i]);
}

/* What this report cannot know. */
static void put_blind(struct sheet *page, const struct profile *profile)
{
	cleanup_buf struct buf left_out = BUF_INIT(65536);
	for (size_t i = 0; i < profile->coverage_count; i++) {
		const struct coverage *coverage = &profile->coverage[i];
		cleanup_buf struct buf line = BUF_INIT(16384);
		if (coverage->status == COVERAGE_OK && !coverage->note)
			continue;
		if (coverage->status == COVERAGE_SKIPPED) {
			buf_printf(&left_out, "%s%s", left_out.len ? ", " : "",
				   coverage->collector);
			continue;
		}
		buf_printf(&line, "%s: %s%s%s", coverage->collector,
			   coverage->status == COVERAGE_OK ? ""
							   : coverage_status_name(coverage->status),
			   coverage->note && coverage->status != COVERAGE_OK ? ", " : "",
			   coverage->note ? coverage->note : "");
		sheet_wrap(page, SHEET_YELLOW, "blind spot", LEAD, buf_text(&line));
	}
	if (left_out.len)
		row(page, "left out", &left_out);
}

void text_profile(const struct profile *profile, const struct text_style *style, struct buf *out)
{
	struct sheet page = { out, style };
	put_layers(&page, profile);
	put_system(&page, profile);
	put_identity(&page, profile);
	put_dirs(&page, profile);
	put_network(&page, profile);
	put_tools(&page, profile);
	put_blind(&page, profile);
	text_limits(&page, profile);
	put_findings(&page, profile);
}
