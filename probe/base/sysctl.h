/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's settings that decide what a sandboxed task may do. */
#ifndef BASE_SYSCTL_H
#define BASE_SYSCTL_H

#include <stddef.h>

#define SYSCTL_PATH_MAX 128

/* Their names, NULL-ended. */
extern const char *const sysctl_names[];

/* Reads /proc/sys/… below root; path says where. 0 or a positive errno. */
int sysctl_read(const char *root, const char *name, char path[SYSCTL_PATH_MAX], char *value,
		size_t size);

#endif
