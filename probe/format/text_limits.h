/* SPDX-License-Identifier: Apache-2.0 */
/* The table of limits: what tools see, beside what is enforced, and what is left of it. */
#ifndef FORMAT_TEXT_LIMITS_H
#define FORMAT_TEXT_LIMITS_H

#include "format/sheet.h"

void text_limits(struct sheet *page, const struct profile *profile);

#endif
