/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, strictly: no surrogates, no overlong forms. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the valid sequence at the start of s, and its code point; 0 when there is none. len is above 0. */
size_t utf8_decode(const char *s, size_t len, uint32_t *code);

/* Is all of it valid, and without a NUL? */
bool utf8_valid(const char *s, size_t len);

#endif
