// SPDX-License-Identifier: Apache-2.0
#include "core/drift.h"

#include <stdlib.h>

const char *drift_change_name(enum drift_change change)
{
	static const char *const names[] = { "lost", "gained", "changed", "not-comparable" };
	return names[change];
}

void drift_row_done(struct drift_row *row)
{
	free(row->title);
	free(row->consequence);
	free(row->remedy);
}

void drift_free(struct drift *drift)
{
	if (!drift)
		return;
	for (size_t i = 0; i < drift->count; i++)
		drift_row_done(&drift->rows[i]);
	free(drift->rows);
	free(drift);
}
