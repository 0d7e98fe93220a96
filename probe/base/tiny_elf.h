/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest program that runs without any file beside it: it exits with 0. */
#ifndef BASE_TINY_ELF_H
#define BASE_TINY_ELF_H

#include <stddef.h>

extern const unsigned char tiny_elf[];
extern const size_t tiny_elf_size; /* 0 where we have none for this architecture */

#endif
