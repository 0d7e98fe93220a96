/* SPDX-License-Identifier: Apache-2.0 */
/* Text of /etc/os-release to values, by os-release(5). Safe on any bytes. */
#ifndef BASE_OS_RELEASE_H
#define BASE_OS_RELEASE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Value of the last line NAME=value, without its quotes and backslashes. False when there is none, a quote is
 * left open, or it does not fit.
 */
bool os_release_value(const char *text, const char *name, char *value, size_t size);

struct os_release {
	char id[64], version[64], name[256];
	int id_err, version_err, name_err; /* 0, or why it is not known */
};

/* /etc/os-release or /usr/lib/os-release below root; returns the path (static). */
const char *os_release_read(const char *root, struct os_release *os);

#endif
