/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only place that touches the kernel by hand: reading files, the clock. Functions return 0 or a
 * positive errno; out-parameters are untouched on failure.
 */
#ifndef BASE_SYS_H
#define BASE_SYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define SYS_PATH_MAX 4096

/*
 * Reads a whole small file, root + path, into out (which is emptied first; out->max is the ceiling). For
 * /proc and /sys: opened once with O_NONBLOCK|O_NOCTTY, read to the end. EFBIG when it is longer than
 * the ceiling (out then holds the first part), EISDIR for a directory, ENAMETOOLONG.
 */
int sys_read(const char *root, const char *path, struct buf *out);

/* As sys_read, into a caller's array; a final newline is cut off. */
int sys_read_line(const char *root, const char *path, char *line, size_t size);

/* sys_read_line, then a strict decimal number. EBADMSG when it is none; "max" is EBADMSG too. */
int sys_read_i64(const char *root, const char *path, int64_t *number);

/* Target of a symbolic link, root + path; ENAMETOOLONG when it does not fit. */
int sys_readlink(const char *root, const char *path, char *target, size_t size);

/* root + path into out. ENAMETOOLONG when it does not fit. */
int sys_path(char *out, size_t size, const char *root, const char *path);

/* CLOCK_MONOTONIC in milliseconds. */
int64_t sys_now_ms(void);

/* write(2) until all is written. 0 or errno. */
int sys_write_all(int fd, const void *data, size_t len);

#endif
