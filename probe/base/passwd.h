/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of /etc/passwd and /etc/group, without the C library's name services. Pure text; hostile input. */
#ifndef BASE_PASSWD_H
#define BASE_PASSWD_H

#include <stdbool.h>
#include <stdint.h>

#define PASSWD_NAME_MAX 256
#define PASSWD_PATH_MAX 1024

struct passwd_entry {
	char name[PASSWD_NAME_MAX];
	char home[PASSWD_PATH_MAX];
	char shell[PASSWD_PATH_MAX];
};

/* The first well-formed line with that id; lines with a field too long or a wrong count are passed over. */
bool passwd_find(const char *text, uint32_t uid, struct passwd_entry *entry);
bool group_find(const char *text, uint32_t gid, char name[PASSWD_NAME_MAX]);

#endif
