/* SPDX-License-Identifier: Apache-2.0 */
/* What a program file needs to start, read from its first bytes. Pure: the bytes are hostile. */
#ifndef BASE_PROGRAM_HEAD_H
#define BASE_PROGRAM_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#define PROGRAM_HEAD_MAX 4096 /* as much as is read of a program */

enum program_kind { PROGRAM_OTHER, PROGRAM_STATIC, PROGRAM_DYNAMIC, PROGRAM_SCRIPT };

/*
 * The kind of a program, and for a dynamic one the loader, for a script the interpreter, into needs ("" when
 * none). PROGRAM_OTHER when it is neither, or cut off.
 */
enum program_kind program_head_parse(const void *data, size_t len, char *needs, size_t size);

/* The program that "#!/usr/bin/env [options] NAME" leads to. False when it is no such line. */
bool program_head_env(const void *data, size_t len, char *name, size_t size);

#endif
