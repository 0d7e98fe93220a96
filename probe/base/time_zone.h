/* SPDX-License-Identifier: Apache-2.0 */
/* The name of the local time zone. */
#ifndef BASE_TIME_ZONE_H
#define BASE_TIME_ZONE_H

#include <stddef.h>

/*
 * By TZ (tz, may be NULL), the link /etc/localtime, then /etc/timezone. 0; ENOENT when none of them is there; EBADMSG
 * when the zone is set but its name is not to be had; or errno of reading. *source (static) says which answered.
 */
int time_zone_name(const char *root, const char *tz, char *name, size_t size, const char **source);

#endif
