/* SPDX-License-Identifier: Apache-2.0 */
/* Outside text on its way to a terminal: nothing in it may steer the terminal, and no secret may pass. */
#ifndef FORMAT_ESCAPE_H
#define FORMAT_ESCAPE_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Appends text, redacted, with control characters, C1 controls, bidirectional overrides and invalid UTF-8
 * written as \xNN or \u{NNNN}.
 */
void escape_text(const char *text, size_t len, struct buf *out);

#endif
