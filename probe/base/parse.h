/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pure text to values: no I/O, no allocation beyond what is said, safe on any bytes. Every parser here is
 * fuzzed. Functions return true on success and leave out-parameters alone otherwise.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole text is one decimal (optional '-'), or hexadecimal number without prefix; no blanks. */
bool parse_i64(const char *text, int64_t *number);
bool parse_u64(const char *text, uint64_t *number);
bool parse_hex64(const char *text, uint64_t *number);

/*
 * Walks lines: *cursor starts at the text, and is NULL after the last line. Copies the next line without
 * its newline into line (cut at size - 1). False at the end.
 */
bool parse_line(const char **cursor, char *line, size_t size);

/* Next field separated by blanks or tabs; same manner as parse_line. */
bool parse_field(const char **cursor, char *field, size_t size);

/*
 * Value of the line "name: value" or "name value" that begins exactly with name, blanks around the value cut
 * off. As in /proc/PID/status, /proc/meminfo, memory.stat, memory.events.
 */
bool parse_keyed(const char *text, const char *name, char *value, size_t size);

/* parse_keyed, then a number; a " kB" behind it multiplies by 1024. */
bool parse_keyed_i64(const char *text, const char *name, int64_t *number);

/* How many ids a kernel list such as "0-3,5" names (cpuset, /sys/devices/system/cpu/online). */
bool parse_cpu_list(const char *text, int64_t *count);

/* Does text end in suffix, or is it the suffix? */
bool parse_suffix(const char *text, const char *suffix);

/* Undoes the kernel's octal escapes (\040 …) of mount tables, in place. */
void parse_unescape_octal(char *text);

#endif
