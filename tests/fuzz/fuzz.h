/* SPDX-License-Identifier: Apache-2.0 */
/* What every fuzzer needs: the entry point, text with an end, and a way to say what must hold. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly that size, so that the sanitizer sees a read past the closing NUL. Owned. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* assert(3) goes away with NDEBUG. */
#define HOLDS(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/* Fills an out-parameter with what no parser writes, and checks that the text in it ends inside. */
#define FRESH(array) memset(array, 0x7e, sizeof(array))
#define ENDED(array) HOLDS(memchr(array, 0, sizeof(array)))

#endif
