// SPDX-License-Identifier: Apache-2.0
#include "base/program_head.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/sys.h"

#define HEAD_MAX 4096

static enum program_kind parse_script(const char *text, size_t len, char *needs, size_t size)
{
	size_t at = 2, n = 0;
	while (at < len && (text[at] == ' ' || text[at] == '\t'))
		at++;
	while (at + n < len && text[at + n] && !strchr(" \t\n", text[at + n]))
		n++;
	if (!n || n >= size)
		return PROGRAM_OTHER;
	/* A CR stays part of the name, as for the kernel: "/bin/sh\r" is what it looks for. */
	memcpy(needs, text + at, n);
	needs[n] = '\0';
	return PROGRAM_SCRIPT;
}

/* 64-bit only, in our own byte order: what else there is would not run here, or hardly be met. */
static enum program_kind parse_elf(const unsigned char *data, size_t len, char *needs, size_t size)
{
	Elf64_Ehdr head;
	if (len < sizeof(head) || data[EI_CLASS] != ELFCLASS64 || data[EI_DATA] != ELFDATA2LSB)
		return PROGRAM_OTHER;
	memcpy(&head, data, sizeof(head));
	if (head.e_phentsize != sizeof(Elf64_Phdr))
		return PROGRAM_OTHER;
	for (size_t i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr part;
		if (head.e_phoff > len || (i + 1) * sizeof(part) > len - head.e_phoff)
			return PROGRAM_OTHER;
		memcpy(&part, data + head.e_phoff + i * sizeof(part), sizeof(part));
		if (part.p_type != PT_INTERP)
			continue;
		if (part.p_offset > len || part.p_filesz > len - part.p_offset ||
		    part.p_filesz < 2 || part.p_filesz > size ||
		    data[part.p_offset + part.p_filesz - 1])
			return PROGRAM_OTHER;
		memcpy(needs, data + part.p_offset, part.p_filesz);
		return PROGRAM_DYNAMIC;
	}
	return PROGRAM_STATIC;
}

enum program_kind program_head_parse(const void *data, size_t len, char *needs, size_t size)
{
	const char *text = data;
	needs[0] = '\0';
	if (len >= 2 && text[0] == '#' && text[1] == '!')
		return parse_script(text, len, needs, size);
	if (len >= SELFMAG && !memcmp(text, ELFMAG, SELFMAG))
		return parse_elf(data, len, needs, size);
	return PROGRAM_OTHER;
}

const char *program_state(const char *root, const char *path)
{
	char full[SYS_PATH_MAX], needs[SYS_PATH_MAX], head[HEAD_MAX];
	struct stat st;

	if (sys_path(full, sizeof(full), root, path))
		return "unreadable";
	if (stat(full, &st))
		return errno == ENOENT || errno == ELOOP ? "broken-link" : "unreadable";
	if (!S_ISREG(st.st_mode) || faccessat(AT_FDCWD, full, X_OK, AT_EACCESS))
		return "not-executable";
	cleanup_fd int fd = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	/* Executable but not readable, as sudo may be: that it starts cannot be told from its bytes. */
	if (fd < 0)
		return "ok";
	ssize_t n = read(fd, head, sizeof(head));
	if (n < 0)
		return "unreadable";
	program_head_parse(head, (size_t)n, needs, sizeof(needs));
	if (needs[0] && (needs[0] != '/' || (!sys_path(full, sizeof(full), root, needs) &&
					     access(full, X_OK) && errno == ENOENT)))
		return "missing-interpreter";
	return "ok";
}
