// SPDX-License-Identifier: Apache-2.0
/* PATH as received, and where along it the tools are that an agent reaches for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/program_state.h"
#include "base/search_path.h"
#include "base/tool_places.h"
#include "base/tool_table.h"
#include "collectors/collector.h"

#define SHADOWS_MAX 8

/* What all look-ups share. */
struct look {
	struct sink *sink;
	const char *root;
	struct search_path path;
	struct tool_places places;
};

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
	case EACCES:
	case EPERM:
		return "denied";
	default:
		return NULL;
	}
}

static void speak_entry(struct look *look, const struct search_entry *entry, size_t index)
{
	struct key key = key_make("tools.path_entry", entry->path, "state");
	const char *state = entry_state(entry), *source = entry->path[0] ? entry->path : ".";
	if (state)
		sink_text(look->sink, key.text, state, source);
	else
		sink_fail(look->sink, key.text, entry->err, source);
	key = key_make("tools.path_entry", entry->path, "index");
	sink_int(look->sink, key.text, (int64_t)index, "PATH");
	key = key_make("tools.path_entry", entry->path, "duplicate");
	sink_bool(look->sink, key.text, entry->repeated, "PATH");
	key = key_make("tools.path_entry", entry->path, "writable_by_others");
	if (entry->err)
		sink_fail(look->sink, key.text, entry->err, source);
	else
		sink_bool(look->sink, key.text, entry->open, source);
}

static void speak_path(struct look *look, bool set)
{
	const char *entries[SEARCH_PATH_ENTRIES + 1] = { NULL };
	for (size_t i = 0; i < look->path.count; i++) {
		entries[i] = look->path.entries[i].path;
		/* An entry is told once, under the place where it stands first. */
		if (!look->path.entries[i].duplicate)
			speak_entry(look, &look->path.entries[i], i);
	}
	if (set)
		sink_list(look->sink, "tools.path", entries, "PATH");
	else
		sink_status(look->sink, "tools.path", FACT_ABSENT, 0,
			    "PATH; looked for tools in " SEARCH_PATH_DEFAULT);
	if (look->path.truncated)
		sink_note(look->sink, "PATH is longer than we follow");
}

static void speak_resolved(struct look *look, const char *name, const char *path)
{
	char full[SYS_PATH_MAX];
	if (sys_path(full, sizeof(full), *path == '/' ? look->root : "", path))
		return;
	cleanup_free char *target = realpath(full, NULL);
	size_t skip = strlen(look->root);
	/* A link of a recorded tree may lead out of it: that says nothing about the tree. */
	if (target && !strncmp(target, look->root, skip) && strcmp(target + skip, path) != 0)
		sink_text(look->sink, key_make("tools.tool", name, "resolved").text, target + skip,
			  "realpath");
}

static void speak_shadows(struct look *look, const char *name, size_t at)
{
	char *shadows[SHADOWS_MAX + 1] = { NULL };
	char found[SYS_PATH_MAX];
	size_t count = 0;
	while (count < SHADOWS_MAX &&
	       !search_path_find(&look->path, look->root, name, &at, found, sizeof(found)) &&
	       (shadows[count] = strdup(found)))
		count++;
	if (count)
		sink_list(look->sink, key_make("tools.tool", name, "shadows").text,
			  (const char *const *)shadows, "PATH");
	while (count)
		free(shadows[--count]);
}

static void speak_tool(struct look *look, const char *name)
{
	struct key key = key_make("tools.tool", name, "path");
	char found[SYS_PATH_MAX];
	const char *state = NULL;
	size_t at = 0;
	int err = search_path_first(&look->path, look->root, name, &at, found, sizeof(found));

	if (err) {
		sink_fail(look->sink, key.text, err, "PATH");
		/* Where an entry could not be searched, it may be on PATH after all. */
		if (err == ENOENT &&
		    tool_places_find(&look->places, look->root, name, found, sizeof(found)))
			sink_text(look->sink, key_make("tools.tool", name, "off_path").text, found,
				  "well-known places");
		return;
	}
	sink_text(look->sink, key.text, found, "PATH");
	key = key_make("tools.tool", name, "state");
	err = program_state(look->root, found, &look->path, &state);
	if (err)
		sink_fail(look->sink, key.text, err, found);
	else
		sink_text(look->sink, key.text, state, found);
	speak_resolved(look, name, found);
	speak_shadows(look, name, at);
}

static void speak_shell(struct look *look, const char *shell)
{
	char full[SYS_PATH_MAX];
	if (shell)
		sink_text(look->sink, "tools.shell", shell, "SHELL");
	else
		sink_status(look->sink, "tools.shell", FACT_ABSENT, 0, "SHELL");
	int err = sys_path(full, sizeof(full), look->root, "/bin/sh");
	if (!err)
		err = search_access(full);
	if (err && err != ENOENT && err != ENOTDIR && err != ELOOP && err != EACCES)
		sink_fail(look->sink, "tools.sh", err, "/bin/sh");
	else
		sink_bool(look->sink, "tools.sh", !err, "/bin/sh");
}

static void collect(struct sink *sink, const struct scope *scope)
{
	const char *path = scope_getenv(scope, "PATH");
	struct look look = { .sink = sink, .root = scope->root };

	speak_shell(&look, scope_getenv(scope, "SHELL"));
	if (search_path_open(&look.path, scope->root, path ? path : SEARCH_PATH_DEFAULT)) {
		sink_fail(sink, "tools.path", ENOMEM, "PATH");
		sink_note(sink, "out of memory: no tool was looked for");
		return;
	}
	speak_path(&look, path);
	tool_places_open(&look.places, scope->root, scope_getenv(scope, "HOME"));
	for (size_t i = 0; i < tool_count; i++)
		speak_tool(&look, tool_table[i].name);
	tool_places_close(&look.places);
	search_path_close(&look.path);
}

const struct collector collector_tools = {
	.name = "tools",
	.about = "PATH, and where along it the everyday tools are",
	.deadline_ms = 3000,
	.shares = true,
	.collect = collect,
};
