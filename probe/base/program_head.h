/* SPDX-License-Identifier: Apache-2.0 */
/* What a program file needs to start, read from its first bytes. */
#ifndef BASE_PROGRAM_HEAD_H
#define BASE_PROGRAM_HEAD_H

#include <stddef.h>

enum program_kind { PROGRAM_OTHER, PROGRAM_STATIC, PROGRAM_DYNAMIC, PROGRAM_SCRIPT };

/*
 * Reads the head of a program: its kind, and for a dynamic one the loader, for a script the interpreter, into
 * needs ("" when none). Pure: data is hostile. PROGRAM_OTHER when it is neither, or cut off.
 */
enum program_kind program_head_parse(const void *data, size_t len, char *needs, size_t size);

/* Can it start? "ok", "not-executable", "broken-link", "missing-interpreter", or "unreadable" (then not known). */
const char *program_state(const char *root, const char *path);

#endif
