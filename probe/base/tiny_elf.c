// SPDX-License-Identifier: Apache-2.0
#include "base/tiny_elf.h"

/*
 * An ELF header, one loadable segment that covers the file, a stack that is not executable (kernels before 5.8
 * take its absence for a wish, which SELinux may refuse), and three instructions. Written out by hand, since
 * no tool would make it this small, and a copy of ourselves would be a megabyte in a directory that may be full.
 */
#define LE16(x) (unsigned char)(x), (unsigned char)((x) >> 8)
#define LE32(x) LE16(x), LE16((x) >> 16)
#define LE64(x) LE32(x), LE32((x) >> 32)
#define BASE	0x400000ULL
#define CODE_AT 0xb0 /* 64 bytes of ELF header, twice 56 of program header */

#define ELF(machine, code_size, ...)                                                               \
	0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 64 bit, little endian */       \
		LE16(2), LE16(machine), LE32(1ULL), LE64(BASE + CODE_AT), LE64(64ULL), LE64(0ULL), \
		LE32(0ULL), LE16(64), LE16(56), LE16(2), LE16(0), LE16(0),                         \
		LE16(0), /* PT_LOAD, r-x */                                                        \
		LE32(1ULL), LE32(5ULL), LE64(0ULL), LE64(BASE), LE64(BASE),                        \
		LE64(CODE_AT + (code_size)), LE64(CODE_AT + (code_size)), LE64(0x10000ULL),        \
		/* PT_GNU_STACK, rw- */ LE32(0x6474e551ULL), LE32(6ULL), LE64(0ULL), LE64(0ULL),   \
		LE64(0ULL), LE64(0ULL), LE64(0ULL), LE64(16ULL), __VA_ARGS__

#if defined(__x86_64__)
/* xor edi,edi; mov eax,60 (exit); syscall */
const unsigned char tiny_elf[] = { ELF(62, 9ULL, 0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05) };
const size_t tiny_elf_size = sizeof(tiny_elf);
#elif defined(__aarch64__)
/* mov x0,#0; mov x8,#93 (exit); svc #0 */
const unsigned char tiny_elf[] = { ELF(183, 12ULL, 0x00, 0x00, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2,
				       0x01, 0x00, 0x00, 0xd4) };
const size_t tiny_elf_size = sizeof(tiny_elf);
#else
const unsigned char tiny_elf[] = { 0 };
const size_t tiny_elf_size = 0;
#endif
