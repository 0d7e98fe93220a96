/* SPDX-License-Identifier: Apache-2.0 */
/* What two profiles could not be compared in, by the side that could not look and why. */
#ifndef FORMAT_TEXT_BLIND_H
#define FORMAT_TEXT_BLIND_H

#include "core/drift.h"
#include "format/sheet.h"

/* Nothing when there is no such row. */
void text_blind(struct sheet *page, const struct profile *local, const struct profile *remote,
		const struct drift *drift);

#endif
