// SPDX-License-Identifier: Apache-2.0
#include "base/time_zone.h"

#include <errno.h>
#include <string.h>

#include "base/sys.h"

#define ZONE_LINK "/etc/localtime"
#define ZONE_FILE "/etc/timezone" /* Debian's */

static int take(char *name, size_t size, const char *text)
{
	if (strlen(text) >= size)
		return EBADMSG;
	strcpy(name, text);
	return 0;
}

/* What stands behind the directory of zones; tzset(3) allows a colon before it. */
static const char *strip(const char *zone)
{
	static const char directory[] = "zoneinfo/";
	const char *behind = strstr(zone, directory);
	return behind ? behind + strlen(directory) : zone + (*zone == ':');
}

int time_zone_name(const char *root, const char *tz, char *name, size_t size, const char **source)
{
	char text[SYS_PATH_MAX];
	*source = "TZ";
	if (tz && *tz)
		return take(name, size, strip(tz));
	*source = ZONE_LINK;
	int err = sys_readlink(root, ZONE_LINK, text, sizeof(text));
	if (!err && strstr(text, "zoneinfo/"))
		return take(name, size, strip(text));
	int other = sys_read_line(root, ZONE_FILE, text, sizeof(text));
	if (!other && *text) {
		*source = ZONE_FILE;
		return take(name, size, text);
	}
	/* EINVAL: a copy and no link, which has the zone but not its name. */
	return !err || err == EINVAL ? EBADMSG : err;
}
