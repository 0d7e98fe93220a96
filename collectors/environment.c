// SPDX-License-Identifier: Apache-2.0
/* How we were started: names of variables, locale, time zone, descriptors, signals. Values stay out but few. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/signal_set.h"
#include "base/standard_fd.h"
#include "base/sys.h"
#include "base/time_zone.h"
#include "base/variables.h"
#include "collectors/collector.h"

#define VALUE_SHOWN 128
#define KEY(name)   "environment." name

static void speak_names(struct sink *sink, const struct scope *scope)
{
	cleanup_variables struct variables names = { 0 };
	int err = variables_open(&names, scope->environ, FACT_VALUE_MAX);
	sink_int(sink, KEY("count"), names.count, "environ");
	sink_int(sink, KEY("bytes"), names.bytes, "environ");
	if (err) {
		sink_fail(sink, KEY("names"), ENOMEM, "environ");
		return;
	}
	sink_list(sink, KEY("names"), names.items, "environ");
	if ((int64_t)names.named < names.count)
		sink_note(sink, "some variables are not named: too many, or without \"=\"");
}

/* What announces itself by a variable; values are not told. */
static void speak_markers(struct sink *sink, const struct scope *scope)
{
	static const char *const ci[] = { "CI",	      "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE",
					  "CIRCLECI", "JENKINS_URL",	"TF_BUILD" };
	static const char *const agents[] = {
		"SANDBOX_RUNTIME",
		"IS_SANDBOX",
		"CLAUDECODE",
		"CODEX_SANDBOX",
		"CODEX_SANDBOX_NETWORK_DISABLED",
		"GEMINI_CLI",
		"CURSOR_AGENT",
		"OPENCODE",
		"E2B_SANDBOX",
		"DAYTONA_SANDBOX_ID",
		"MODAL_TASK_ID",
		"CODESPACES",
		"GITPOD_WORKSPACE_ID",
		"REPL_ID",
	};
	const char *found[ARRAY_SIZE(agents) + 1] = { NULL };
	const char *is_ci = NULL;
	size_t n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(ci) && !is_ci; i++) {
		const char *value = scope_getenv(scope, ci[i]);
		if (value && *value && strcasecmp(value, "false") != 0 && strcmp(value, "0") != 0)
			is_ci = ci[i];
	}
	sink_bool(sink, KEY("ci"), is_ci != NULL, is_ci ? is_ci : "environ");
	for (size_t i = 0; i < ARRAY_SIZE(agents); i++)
		if (scope_getenv(scope, agents[i]))
			found[n++] = agents[i];
	sink_list(sink, KEY("agent_markers"), found, "environ");
}

/* One of the few values that are told: short, and of characters that names of locales, zones and terminals have. */
static void speak_value(struct sink *sink, const char *key, const char *value, const char *source)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "._-+@:/,<>";
	if (!value)
		sink_status(sink, key, FACT_ABSENT, 0, source);
	else if (strlen(value) > VALUE_SHOWN || value[strspn(value, plain)])
		sink_status(sink, key, FACT_MALFORMED, 0, source);
	else
		sink_text(sink, key, value, source);
}

/* setlocale(3): LC_ALL before LC_CTYPE before LANG; an empty one does not count. */
static void speak_locale(struct sink *sink, const struct scope *scope)
{
	static const char *const order[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	static const char *const utf8[] = { "utf-8", "utf8" };
	const char *value = NULL, *source = "LC_ALL, LC_CTYPE, LANG";
	bool is_utf8 = false;
	for (size_t i = 0; i < ARRAY_SIZE(order) && !value; i++) {
		const char *given = scope_getenv(scope, order[i]);
		if (given && *given) {
			value = given;
			source = order[i];
		}
	}
	speak_value(sink, KEY("locale"), value, source);
	if (value)
		sink_text(sink, KEY("locale_source"), source, source);
	else
		sink_status(sink, KEY("locale_source"), FACT_ABSENT, 0, source);
	const char *codeset = value ? strchr(value, '.') : NULL;
	size_t len = codeset ? strcspn(++codeset, "@") : 0;
	for (size_t i = 0; i < ARRAY_SIZE(utf8); i++)
		is_utf8 |= len == strlen(utf8[i]) && !strncasecmp(codeset, utf8[i], len);
	sink_bool(sink, KEY("utf8"), is_utf8, source);
}

static void speak_timezone(struct sink *sink, const struct scope *scope)
{
	char name[SYS_PATH_MAX];
	const char *source;
	int err =
		time_zone_name(scope->root, scope_getenv(scope, "TZ"), name, sizeof(name), &source);
	if (err)
		sink_fail(sink, KEY("timezone"), err, source);
	else
		speak_value(sink, KEY("timezone"), name, source);
}

static void speak_terminal(struct sink *sink, const struct scope *scope)
{
	static const char *const keys[] = { KEY("stdin"), KEY("stdout"), KEY("stderr") };
	const char *kind, *source = "ioctl(TIOCGWINSZ)", *given = scope_getenv(scope, "COLUMNS");
	int64_t columns = 0;
	bool has = false;
	for (int fd = 0; fd < 3; fd++) {
		int err = standard_fd_kind(fd, &kind);
		if (err)
			sink_fail(sink, keys[fd], err, "fstat()");
		else
			sink_text(sink, keys[fd], kind, "fstat()");
	}
	int err = standard_fd_columns(&columns);
	if (err && given && parse_i64(given, &columns)) {
		err = 0;
		source = "COLUMNS";
	}
	if (err)
		sink_status(sink, KEY("columns"), FACT_ABSENT, err, source);
	else
		sink_int(sink, KEY("columns"), columns, source);
	err = standard_fd_controlled(&has, &source);
	if (err)
		sink_fail(sink, KEY("controlling_terminal"), err, source);
	else
		sink_bool(sink, KEY("controlling_terminal"), has, source);
}

static void speak_signals(struct sink *sink, const char *root)
{
	static const char *const keys[] = { [SIGNAL_SET_IGNORED] = KEY("ignored_signals"),
					    [SIGNAL_SET_BLOCKED] = KEY("blocked_signals") };
	cleanup_buf struct buf status = BUF_INIT(16384);
	struct signal_names names;
	const char *source;
	uint64_t mask;
	int read_err = sys_read(root, "/proc/self/status", &status);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		int err = signal_set_get(i, !*root, buf_text(&status), &mask, &source);
		if (err) {
			/* A file of /proc that is not there says nothing about signals. */
			sink_status(sink, keys[i], read_err ? FACT_SKIPPED : fact_status_of(err),
				    read_err ? read_err : err, source);
			continue;
		}
		signal_set_names(mask, &names);
		sink_list(sink, keys[i], names.items, source);
	}
}

static void collect(struct sink *sink, const struct scope *scope)
{
	speak_names(sink, scope);
	speak_markers(sink, scope);
	speak_locale(sink, scope);
	speak_value(sink, KEY("lang"), scope_getenv(scope, "LANG"), "LANG");
	speak_value(sink, KEY("term"), scope_getenv(scope, "TERM"), "TERM");
	speak_timezone(sink, scope);
	speak_terminal(sink, scope);
	speak_signals(sink, scope->root);
}

const struct collector collector_environment = {
	.name = "environment",
	.about = "how we were started: names of variables, locale, descriptors, signals",
	.deadline_ms = 2000,
	.shares = true,
	.collect = collect,
};
