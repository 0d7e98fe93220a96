/* SPDX-License-Identifier: Apache-2.0 */
/* What a program prints when it is asked for its version. */
#ifndef BASE_PARSE_VERSION_H
#define BASE_PARSE_VERSION_H

#include <stdbool.h>
#include <stddef.h>

/* The first word that is a version: digits, a dot, digits, and what hangs on: 3.11.2, 9.2p1, 12.2.0-14. */
bool parse_version(const char *text, char *version, size_t size);

/* The first line that is not blank, cut at size - 1, without control characters. */
void parse_first_line(const char *text, char *line, size_t size);

#endif
