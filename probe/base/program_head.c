// SPDX-License-Identifier: Apache-2.0
#include "base/program_head.h"

#include <elf.h>
#include <string.h>

/* Next word of a "#!" line: true with its place and length. A CR is part of a word, as for the kernel. */
static bool next_word(const char *text, size_t len, size_t *at, size_t *n)
{
	while (*at < len && (text[*at] == ' ' || text[*at] == '\t'))
		++*at;
	for (*n = 0; *at + *n < len; ++*n)
		if (!text[*at + *n] || strchr(" \t\n", text[*at + *n]))
			break;
	return *n > 0;
}

static bool is_script(const char *text, size_t len)
{
	return len >= 2 && text[0] == '#' && text[1] == '!';
}

static enum program_kind parse_script(const char *text, size_t len, char *needs, size_t size)
{
	size_t at = 2, n;
	if (!next_word(text, len, &at, &n) || n >= size)
		return PROGRAM_OTHER;
	memcpy(needs, text + at, n);
	needs[n] = '\0';
	return PROGRAM_SCRIPT;
}

bool program_head_env(const void *data, size_t len, char *name, size_t size)
{
	static const char env[] = "/env";
	const char *text = data;
	size_t at = 2, n;
	if (!is_script(text, len) || !next_word(text, len, &at, &n) || n < strlen(env) ||
	    memcmp(text + at + n - strlen(env), env, strlen(env)) != 0)
		return false;
	for (at += n; next_word(text, len, &at, &n); at += n) {
		if (text[at] == '-' || memchr(text + at, '=', n))
			continue;
		if (n >= size)
			return false;
		memcpy(name, text + at, n);
		name[n] = '\0';
		return true;
	}
	return false;
}

/* Both classes have the same fields in other places and widths. */
#define ELF_PARSE(bits)                                                                            \
	static enum program_kind parse_elf##bits(const char *data, size_t len, char *needs,        \
						 size_t size)                                      \
	{                                                                                          \
		Elf##bits##_Ehdr head;                                                             \
		Elf##bits##_Phdr part;                                                             \
		if (len < sizeof(head))                                                            \
			return PROGRAM_OTHER;                                                      \
		memcpy(&head, data, sizeof(head));                                                 \
		if (head.e_phentsize != sizeof(part) || head.e_phoff > len)                        \
			return PROGRAM_OTHER;                                                      \
		for (size_t i = 0; i < head.e_phnum; i++) {                                        \
			if ((i + 1) * sizeof(part) > len - head.e_phoff)                           \
				return PROGRAM_OTHER;                                              \
			memcpy(&part, data + head.e_phoff + i * sizeof(part), sizeof(part));       \
			if (part.p_type != PT_INTERP)                                              \
				continue;                                                          \
			if (part.p_offset > len || part.p_filesz > len - part.p_offset ||          \
			    part.p_filesz < 2 || part.p_filesz > size ||                           \
			    data[part.p_offset + part.p_filesz - 1])                               \
				return PROGRAM_OTHER;                                              \
			memcpy(needs, data + part.p_offset, part.p_filesz);                        \
			return PROGRAM_DYNAMIC;                                                    \
		}                                                                                  \
		return PROGRAM_STATIC;                                                             \
	}

ELF_PARSE(32)
ELF_PARSE(64)

enum program_kind program_head_parse(const void *data, size_t len, char *needs, size_t size)
{
	const char *text = data;
	needs[0] = '\0';
	if (is_script(text, len))
		return parse_script(text, len, needs, size);
	/* Little-endian only: the others would not run on the machines that we are built for. */
	if (len < EI_NIDENT || memcmp(text, ELFMAG, SELFMAG) != 0 || text[EI_DATA] != ELFDATA2LSB)
		return PROGRAM_OTHER;
	switch (text[EI_CLASS]) {
	case ELFCLASS32:
		return parse_elf32(text, len, needs, size);
	case ELFCLASS64:
		return parse_elf64(text, len, needs, size);
	default:
		return PROGRAM_OTHER;
	}
}
