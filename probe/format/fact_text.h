/* SPDX-License-Identifier: Apache-2.0 */
/* A fact as a person says it. What comes out is not escaped: it goes onto a page. */
#ifndef FORMAT_FACT_TEXT_H
#define FORMAT_FACT_TEXT_H

#include "base/buf.h"
#include "core/fact.h"

/* "4 GiB", "yes", "a, b, c", "absent", "denied (EACCES)"; "nothing" for NULL. Cut when it is long. */
void fact_text(const struct fact *fact, struct buf *out);

/* Two facts of one key: "4 GiB -> 64 MiB"; of lists, what went and what came. */
void fact_text_change(const struct fact *local, const struct fact *remote, struct buf *out);

#endif
