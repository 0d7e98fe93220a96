// SPDX-License-Identifier: Apache-2.0
#include "base/size.h"

#include <stdio.h>
#include <string.h>

struct size_text size_text(int64_t bytes)
{
	static const char units[][4] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	struct size_text out;
	int64_t scale = 1;
	size_t unit = 0;

	while (unit + 1 < sizeof(units) / sizeof(*units) && bytes / scale >= 1024) {
		scale *= 1024;
		unit++;
	}
	snprintf(out.text, sizeof(out.text), "%.1f", (double)bytes / (double)scale);
	char *dot = strstr(out.text, ".0");
	if (dot)
		*dot = '\0';
	strcat(out.text, " ");
	strcat(out.text, units[unit]);
	return out;
}
