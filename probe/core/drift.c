// SPDX-License-Identifier: Apache-2.0
#include "core/drift.h"

#include <stdlib.h>

const char *drift_change_name(enum drift_change change)
{
	static const char *const names[] = { "lost", "gained", "changed", "not-comparable" };
	return names[change];
}

void drift_free(struct drift *drift)
{
	if (!drift)
		return;
	for (size_t i = 0; i < drift->count; i++) {
		free(drift->rows[i].title);
		free(drift->rows[i].consequence);
		free(drift->rows[i].remedy);
	}
	free(drift->rows);
	free(drift);
}
