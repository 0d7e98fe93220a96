// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <stdbool.h>

#include "base/program_head.h"
#include "base/program_state.h"
#include "base/tool_places.h"
#include "base/tool_table.h"
#include "collected.h"
#include "scratch.h"

extern const struct collector collector_tools;

#define LOADER "/lib/ld-test.so.1"

/* A program's head with a loader; bits 32 or 64. Returns its length. */
static size_t make_elf(char *out, size_t size, int bits, const char *loader)
{
	size_t at = bits == 64 ? sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr)
			       : sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);
	size_t len = loader ? strlen(loader) + 1 : 0;
	memset(out, 0, size);
	if (bits == 64) {
		Elf64_Ehdr head = { .e_phentsize = sizeof(Elf64_Phdr),
				    .e_phnum = 1,
				    .e_phoff = sizeof(head) };
		Elf64_Phdr part = { .p_type = loader ? PT_INTERP : PT_LOAD,
				    .p_offset = at,
				    .p_filesz = len };
		memcpy(out, &head, sizeof(head));
		memcpy(out + sizeof(head), &part, sizeof(part));
	} else {
		Elf32_Ehdr head = { .e_phentsize = sizeof(Elf32_Phdr),
				    .e_phnum = 1,
				    .e_phoff = sizeof(head) };
		Elf32_Phdr part = { .p_type = loader ? PT_INTERP : PT_LOAD,
				    .p_offset = (Elf32_Off)at,
				    .p_filesz = (Elf32_Word)len };
		memcpy(out, &head, sizeof(head));
		memcpy(out + sizeof(head), &part, sizeof(part));
	}
	memcpy(out, ELFMAG, SELFMAG);
	out[EI_CLASS] = bits == 64 ? ELFCLASS64 : ELFCLASS32;
	out[EI_DATA] = ELFDATA2LSB;
	if (loader)
		memcpy(out + at, loader, len);
	return at + len;
}

static void test_elf(void **state)
{
	(void)state;
	for (int bits = 32; bits <= 64; bits += 32) {
		char data[512], needs[64];
		size_t len = make_elf(data, sizeof(data), bits, LOADER);
		assert_int_equal(program_head_parse(data, len, needs, sizeof(needs)),
				 PROGRAM_DYNAMIC);
		assert_string_equal(needs, LOADER);
		/* cut anywhere: never a loader that is not wholly there */
		for (size_t cut = 0; cut < len; cut++) {
			assert_int_equal(program_head_parse(data, cut, needs, sizeof(needs)),
					 PROGRAM_OTHER);
			assert_string_equal(needs, "");
		}
		assert_int_equal(program_head_parse(data, len, needs, strlen(LOADER)),
				 PROGRAM_OTHER);
		data[len - 1] = 'x';
		assert_int_equal(program_head_parse(data, len, needs, sizeof(needs)),
				 PROGRAM_OTHER);
		len = make_elf(data, sizeof(data), bits, NULL);
		assert_int_equal(program_head_parse(data, len, needs, sizeof(needs)),
				 PROGRAM_STATIC);
		data[EI_DATA] = ELFDATA2MSB;
		assert_int_equal(program_head_parse(data, len, needs, sizeof(needs)),
				 PROGRAM_OTHER);
	}
}

static void test_script(void **state)
{
	(void)state;
	static const struct {
		const char *text, *needs, *word;
	} examples[] = {
		{ "#!/bin/sh\n", "/bin/sh", NULL },
		{ "#! \t/bin/sh -e\nx", "/bin/sh", NULL },
		{ "#!/bin/sh", "/bin/sh", NULL },
		{ "#!/bin/sh\r\n", "/bin/sh\r", NULL },
		{ "#!/usr/bin/env python3\n", "/usr/bin/env", "python3" },
		{ "#!/usr/bin/env -S A=1 node --x\n", "/usr/bin/env", "node" },
		{ "#!/usr/bin/env python3\r\n", "/usr/bin/env", "python3\r" },
		{ "#!/usr/bin/env\n", "/usr/bin/env", NULL },
		{ "#!/usr/bin/env -S\n", "/usr/bin/env", NULL },
		{ "#!/usr/bin/myenv python3\n", "/usr/bin/myenv", NULL },
		{ "#!env x\n", "env", NULL },
	};
	char needs[64], word[64];
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		size_t len = strlen(examples[i].text);
		assert_int_equal(program_head_parse(examples[i].text, len, needs, sizeof(needs)),
				 PROGRAM_SCRIPT);
		assert_string_equal(needs, examples[i].needs);
		assert_int_equal(program_head_env(examples[i].text, len, word, sizeof(word)),
				 examples[i].word != NULL);
		if (examples[i].word)
			assert_string_equal(word, examples[i].word);
	}
	static const char *const others[] = { "", "#", "#!", "#!\n", "#! \n/bin/sh", "echo" };
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		assert_int_equal(program_head_parse(others[i], strlen(others[i]), needs,
						    sizeof(needs)),
				 PROGRAM_OTHER);
		assert_false(program_head_env(others[i], strlen(others[i]), word, sizeof(word)));
	}
	assert_int_equal(program_head_parse("#!/bin/sh", 9, needs, 7), PROGRAM_OTHER);
	assert_false(program_head_env("#!/e/env python3", 16, word, 7));
}

static const char *state_of(const struct scratch *s, const char *path, const char *search_text)
{
	cleanup_search_path struct search_path search = { 0 };
	const char *state = "untouched";
	assert_int_equal(search_path_open(&search, s->root, search_text), 0);
	int err = program_state(s->root, path, &search, &state);
	return err ? strerror(err) : state;
}

static void test_state(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	char data[512];
	size_t len = make_elf(data, sizeof(data), 64, LOADER);
	scratch_text(&s, "bin/sh", 0755, "x");
	scratch_text(&s, "bin/env", 0755, "x");
	scratch_text(&s, "bin/good", 0755, "#!/bin/sh\n");
	scratch_text(&s, "bin/crlf", 0755, "#!/bin/sh\r\n");
	scratch_text(&s, "bin/relative", 0755, "#!sh\n");
	scratch_text(&s, "bin/under", 0755, "#!/bin/sh/x\n");
	scratch_text(&s, "bin/by-env", 0755, "#!/bin/env good\n");
	scratch_text(&s, "bin/by-env-lost", 0755, "#!/bin/env lost\n");
	scratch_text(&s, "bin/by-env-path", 0755, "#!/bin/env /bin/lost\n");
	scratch_text(&s, "bin/mode", 0644, "#!/bin/sh\n");
	scratch_text(&s, "bin/empty", 0755, "");
	scratch_dirs(&s, "bin/dir/");
	scratch_link(&s, "bin/link", "good");
	scratch_link(&s, "bin/dangling", "gone");
	scratch_link(&s, "bin/loop", "loop");
	scratch_file(&s, "bin/elf", 0755, data, len);
	assert_string_equal(state_of(&s, "/bin/good", "/bin"), "ok");
	assert_string_equal(state_of(&s, "/bin/link", "/bin"), "ok");
	assert_string_equal(state_of(&s, "/bin/empty", "/bin"), "ok");
	assert_string_equal(state_of(&s, "/bin/crlf", "/bin"), "missing-interpreter");
	assert_string_equal(state_of(&s, "/bin/relative", "/bin"), "missing-interpreter");
	assert_string_equal(state_of(&s, "/bin/under", "/bin"), "missing-interpreter");
	assert_string_equal(state_of(&s, "/bin/by-env", "/bin"), "ok");
	assert_string_equal(state_of(&s, "/bin/by-env", "/sbin"), "missing-interpreter");
	assert_string_equal(state_of(&s, "/bin/by-env-lost", "/bin"), "missing-interpreter");
	assert_string_equal(state_of(&s, "/bin/by-env-path", "/bin"), "missing-interpreter");
	assert_string_equal(state_of(&s, "/bin/mode", "/bin"), "not-executable");
	assert_string_equal(state_of(&s, "/bin/dir", "/bin"), "not-executable");
	assert_string_equal(state_of(&s, "/bin/dangling", "/bin"), "broken-link");
	assert_string_equal(state_of(&s, "/bin/loop", "/bin"), "broken-link");
	assert_string_equal(state_of(&s, "/bin/elf", "/bin"), "missing-interpreter");
	scratch_text(&s, LOADER + 1, 0755, "");
	assert_string_equal(state_of(&s, "/bin/elf", "/bin"), "ok");
	/* An entry that cannot be searched may have what env(1) is to find. */
	assert_string_equal(state_of(&s, "/bin/by-env-lost", "/bin:/bin/loop"), strerror(ELOOP));
	scratch_remove(&s);
}

static void test_places(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	struct tool_places places;
	char out[SYS_PATH_MAX] = "kept";
	scratch_text(&s, "home/a*b/.nvm/versions/node/v9.1.0/bin/node", 0755, "");
	scratch_text(&s, "home/a*b/.nvm/versions/node/v18.2.0/bin/node", 0755, "");
	scratch_text(&s, "home/a*b/.nvm/versions/node/.cache/bin/npm", 0755, "");
	scratch_text(&s, "home/a*b/.nvm/versions/node/v20", 0644, "");
	scratch_text(&s, "home/a*b/.cargo/bin/cargo", 0644, "");
	scratch_dirs(&s, "usr/local/go/bin/go/");
	tool_places_open(&places, s.root, "/home/a*b");
	assert_int_equal(places.count, 4);
	assert_true(tool_places_find(&places, s.root, "node", out, sizeof(out)));
	assert_string_equal(out, "/home/a*b/.nvm/versions/node/v18.2.0/bin/node");
	assert_false(tool_places_find(&places, s.root, "npm", out, sizeof(out)));
	assert_false(tool_places_find(&places, s.root, "cargo", out, sizeof(out)));
	assert_false(tool_places_find(&places, s.root, "go", out, sizeof(out)));
	assert_false(tool_places_find(&places, s.root, "node", out, 10));
	assert_string_equal(out, "/home/a*b/.nvm/versions/node/v18.2.0/bin/node");
	tool_places_close(&places);
	for (int i = 0; i < 40; i++) {
		char path[64];
		snprintf(path, sizeof(path), "opt/tool%d/bin/", i);
		scratch_dirs(&s, path);
	}
	/* A relative HOME, or none, leads nowhere; a crowd is cut. */
	tool_places_open(&places, s.root, "home/a*b");
	assert_int_equal(places.count, 1 + 16);
	tool_places_close(&places);
	tool_places_open(&places, s.root, NULL);
	assert_int_equal(places.count, 1 + 16);
	tool_places_close(&places);
	scratch_remove(&s);
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < tool_count; i++) {
		assert_true((tool_table[i].version_args != NULL) !=
			    (tool_table[i].not_asked != NULL));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(tool_table[i].name, tool_table[j].name);
	}
	for (size_t i = 0; i < tool_place_pattern_count; i++) {
		const char *pattern = tool_place_patterns[i], *star = strchr(pattern, '*');
		assert_true(pattern[0] == '/' || !strncmp(pattern, "~/", 2));
		assert_true(!star || (star[-1] == '/' && star[1] == '/' && !strchr(star + 1, '*')));
	}
}

static struct profile *collected(const char *root, const char *const *environment)
{
	return collected_by(&collector_tools, root, environment);
}

static void test_collect(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	const char *const environment[] = {
		"HOME=/home/me", "SHELL=/bin/zsh",
		"PATH=/usr/bin:/gone:/usr/bin/git::rel:/bin:/tmp:/usr/bin:/gone", NULL
	};
	scratch_text(&s, "usr/bin/git", 0755, "");
	scratch_text(&s, "usr/bin/python3.11", 0755, "");
	scratch_link(&s, "usr/bin/python3", "python3.11");
	scratch_text(&s, "usr/bin/node", 0644, "");
	scratch_text(&s, "bin/sh", 0755, "");
	scratch_text(&s, "bin/git", 0755, "");
	scratch_text(&s, "bin/jq", 0755, "#!/usr/bin/gone\n");
	scratch_text(&s, "home/me/.cargo/bin/cargo", 0755, "");
	scratch_dirs(&s, "tmp/");
	chmod(scratch_path(&s, "tmp").root, 01777);
	cleanup_profile struct profile *p = collected(s.root, environment);

	assert_int_equal(fact_list_count(profile_find(p, "tools.path")), 9);
	assert_text(p, "tools.shell", "/bin/zsh");
	assert_true(profile_true(p, "tools.sh"));
	assert_text(p, "tools.path_entry[/usr/bin].state", "ok");
	assert_int_equal(profile_int(p, "tools.path_entry[/usr/bin].index", -1), 0);
	assert_true(profile_true(p, "tools.path_entry[/usr/bin].duplicate"));
	assert_true(profile_false(p, "tools.path_entry[/usr/bin].writable_by_others"));
	assert_text(p, "tools.path_entry[/gone].state", "missing");
	assert_true(profile_true(p, "tools.path_entry[/gone].duplicate"));
	assert_status(p, "tools.path_entry[/gone].writable_by_others", FACT_ABSENT, ENOENT);
	assert_text(p, "tools.path_entry[/usr/bin/git].state", "not-a-directory");
	assert_text(p, "tools.path_entry[].state", "empty");
	assert_text(p, "tools.path_entry[rel].state", "relative");
	assert_int_equal(profile_int(p, "tools.path_entry[/tmp].index", -1), 6);
	assert_true(profile_true(p, "tools.path_entry[/tmp].writable_by_others"));
	assert_true(profile_false(p, "tools.path_entry[/tmp].duplicate"));

	assert_text(p, "tools.tool[git].path", "/usr/bin/git");
	assert_text(p, "tools.tool[git].state", "ok");
	assert_null(profile_find(p, "tools.tool[git].resolved"));
	const struct fact *shadows = profile_find(p, "tools.tool[git].shadows");
	assert_int_equal(fact_list_count(shadows), 1);
	assert_true(fact_list_has(shadows, "/bin/git"));
	assert_text(p, "tools.tool[python3].path", "/usr/bin/python3");
	assert_text(p, "tools.tool[python3].resolved", "/usr/bin/python3.11");
	assert_null(profile_find(p, "tools.tool[python3].shadows"));
	assert_text(p, "tools.tool[node].path", "/usr/bin/node");
	assert_text(p, "tools.tool[node].state", "not-executable");
	assert_text(p, "tools.tool[jq].state", "missing-interpreter");
	assert_status(p, "tools.tool[cargo].path", FACT_ABSENT, ENOENT);
	assert_text(p, "tools.tool[cargo].off_path", "/home/me/.cargo/bin/cargo");
	assert_status(p, "tools.tool[gcc].path", FACT_ABSENT, ENOENT);
	assert_null(profile_find(p, "tools.tool[gcc].off_path"));
	scratch_remove(&s);
}

static void test_no_path(void **state)
{
	(void)state;
	struct scratch s = scratch_make();
	const char *const environment[] = { "PATHS=/x", NULL };
	scratch_text(&s, "usr/local/bin/git", 0755, "");
	scratch_link(&s, "bin/sh", "gone");
	cleanup_profile struct profile *p = collected(s.root, environment);
	assert_status(p, "tools.path", FACT_ABSENT, 0);
	assert_status(p, "tools.shell", FACT_ABSENT, 0);
	assert_true(profile_false(p, "tools.sh"));
	assert_text(p, "tools.tool[git].path", "/usr/local/bin/git");
	assert_text(p, "tools.tool[sh].state", "broken-link");
	assert_text(p, "tools.path_entry[/usr/bin].state", "missing");
	scratch_remove(&s);
}

static bool denied(const struct scratch *s)
{
	const char *const environment[] = { "PATH=/closed:/usr/bin", NULL };
	cleanup_profile struct profile *p = collected(s->root, environment);
	const struct fact *missing = profile_find(p, "tools.tool[node].path");
	const char *entry = profile_text(p, "tools.path_entry[/closed].state");
	const char *found = profile_text(p, "tools.tool[git].path");
	return entry && !strcmp(entry, "denied") && found && !strcmp(found, "/usr/bin/git") &&
	       missing && missing->status == FACT_DENIED && missing->err == EACCES &&
	       !profile_find(p, "tools.tool[node].off_path");
}

static void test_denied(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	struct scratch s = scratch_make();
	scratch_text(&s, "closed/node", 0755, "");
	scratch_text(&s, "usr/bin/git", 0755, "");
	scratch_text(&s, "usr/local/go/bin/node", 0755, "");
	chmod(scratch_path(&s, "closed").root, 0700);
	assert_true(scratch_as_nobody(denied, &s));
	scratch_remove(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elf),	cmocka_unit_test(test_script),
		cmocka_unit_test(test_state),	cmocka_unit_test(test_places),
		cmocka_unit_test(test_table),	cmocka_unit_test(test_collect),
		cmocka_unit_test(test_no_path), cmocka_unit_test(test_denied),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
