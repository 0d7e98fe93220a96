// SPDX-License-Identifier: Apache-2.0
/* PATH as received, and where along it the tools are that an agent reaches for. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/program_head.h"
#include "base/search_path.h"
#include "base/tool_table.h"
#include "collectors/collector.h"

/* What execvp() of both C libraries uses where PATH is not set. */
#define DEFAULT_PATH "/usr/local/bin:/bin:/usr/bin"

#define SHADOWS_MAX 8
#define PLACES_MAX  32

static const char *entry_state(const struct search_entry *entry)
{
	if (!entry->path[0])
		return "empty";
	if (entry->relative)
		return "relative";
	switch (entry->err) {
	case 0:
		return "ok";
	case ENOENT:
		return "missing";
	case ENOTDIR:
		return "not-a-directory";
	default:
		return "denied";
	}
}

static void speak_path(struct sink *sink, const struct search_path *path, bool set)
{
	const char *entries[SEARCH_PATH_ENTRIES + 1] = { NULL };
	for (size_t i = 0; i < path->count; i++) {
		const struct search_entry *entry = &path->entries[i];
		entries[i] = entry->path;
		if (entry->duplicate)
			continue;
		sink_text(sink, key_make("tools.path_entry", entry->path, "state").text,
			  entry_state(entry), "stat");
		sink_int(sink, key_make("tools.path_entry", entry->path, "index").text, (int64_t)i,
			 "PATH");
		if (!entry->err)
			sink_bool(sink,
				  key_make("tools.path_entry", entry->path, "writable_by_others")
					  .text,
				  entry->open, "stat");
	}
	if (set)
		sink_list(sink, "tools.path", entries, "PATH");
	else
		sink_status(sink, "tools.path", FACT_ABSENT, 0, "PATH");
	if (path->truncated)
		sink_note(sink, "PATH is longer than we follow");
}

/* The well-known places that exist here and are not on PATH: most are neither. */
struct places {
	char path[PLACES_MAX][SYS_PATH_MAX];
	size_t count;
};

static void places_gather(struct places *places, const struct scope *scope,
			  const struct search_path *path)
{
	const char *home = scope_getenv(scope, "HOME");
	char full[SYS_PATH_MAX];
	places->count = 0;
	for (size_t i = 0; i < tool_place_count && places->count < PLACES_MAX; i++) {
		const char *place = tool_places[i];
		char *out = places->path[places->count];
		bool in_home = *place == '~', on_path = false;
		if (in_home && (!home || *home != '/'))
			continue;
		int n = snprintf(out, SYS_PATH_MAX, "%s%s", in_home ? home : "", place + in_home);
		for (size_t k = 0; k < path->count; k++)
			on_path |= !strcmp(path->entries[k].path, out);
		if (!on_path && n < SYS_PATH_MAX &&
		    !sys_path(full, sizeof(full), scope->root, out) && !access(full, X_OK))
			places->count++;
	}
}

static bool find_off_path(const struct scope *scope, const struct places *places, const char *name,
			  char *out, size_t size)
{
	char full[SYS_PATH_MAX];
	for (size_t i = 0; i < places->count; i++) {
		int n = snprintf(out, size, "%s/%s", places->path[i], name);
		if (n > 0 && (size_t)n < size && !sys_path(full, sizeof(full), scope->root, out) &&
		    !access(full, X_OK))
			return true;
	}
	return false;
}

static void speak_resolved(struct sink *sink, const struct scope *scope, const char *name,
			   const char *path)
{
	char full[SYS_PATH_MAX], target[PATH_MAX];
	if (sys_path(full, sizeof(full), scope->root, path) || !realpath(full, target))
		return;
	size_t skip = strlen(scope->root);
	if (!strncmp(target, scope->root, skip) && strcmp(target + skip, path) != 0)
		sink_text(sink, key_make("tools.tool", name, "resolved").text, target + skip,
			  "realpath");
}

static void speak_tool(struct sink *sink, const struct scope *scope, const struct search_path *path,
		       const struct places *places, const char *name)
{
	char found[SYS_PATH_MAX], others[SHADOWS_MAX][SYS_PATH_MAX];
	const char *shadows[SHADOWS_MAX + 1] = { NULL };
	size_t at = 0, count = 0;
	struct key key = key_make("tools.tool", name, "path");
	int err = search_path_find(path, scope->root, name, &at, found, sizeof(found));

	if (err) {
		sink_fail(sink, key.text, err, "PATH");
		if (err == ENOENT && find_off_path(scope, places, name, found, sizeof(found)))
			sink_text(sink, key_make("tools.tool", name, "off_path").text, found,
				  "well-known places");
		return;
	}
	sink_text(sink, key.text, found, "PATH");
	sink_text(sink, key_make("tools.tool", name, "state").text,
		  program_state(scope->root, found), found);
	speak_resolved(sink, scope, name, found);
	while (count < SHADOWS_MAX && !search_path_find(path, scope->root, name, &at, others[count],
							sizeof(others[count]))) {
		shadows[count] = others[count];
		count++;
	}
	if (count)
		sink_list(sink, key_make("tools.tool", name, "shadows").text, shadows, "PATH");
}

static void tools_collect(struct sink *sink, const struct scope *scope)
{
	const char *text = scope_getenv(scope, "PATH"), *shell = scope_getenv(scope, "SHELL");
	cleanup_search_path struct search_path path = { 0 };
	char full[SYS_PATH_MAX];

	if (search_path_open(&path, scope->root, text ? text : DEFAULT_PATH)) {
		sink_note(sink, "out of memory");
		return;
	}
	speak_path(sink, &path, text);
	if (shell)
		sink_text(sink, "tools.shell", shell, "SHELL");
	else
		sink_status(sink, "tools.shell", FACT_ABSENT, 0, "SHELL");
	int err = sys_path(full, sizeof(full), scope->root, "/bin/sh");
	if (!err && access(full, X_OK))
		err = errno;
	if (err && err != ENOENT && err != ENOTDIR && err != EACCES)
		sink_fail(sink, "tools.sh", err, "/bin/sh");
	else
		sink_bool(sink, "tools.sh", !err, "/bin/sh");
	struct places places;
	places_gather(&places, scope, &path);
	for (size_t i = 0; i < tool_count; i++)
		speak_tool(sink, scope, &path, &places, tool_table[i].name);
}

const struct collector collector_tools = {
	.name = "tools",
	.about = "PATH, and where along it the everyday tools are",
	.deadline_ms = 3000,
	.collect = tools_collect,
};
