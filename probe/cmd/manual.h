/* SPDX-License-Identifier: Apache-2.0 */
/* Help, man page and completions, all out of the command descriptors. */
#ifndef CMD_MANUAL_H
#define CMD_MANUAL_H

#include "base/buf.h"
#include "cmd/cmd.h"
#include "format/text.h"

void manual_overview(const struct text_style *style, struct buf *out);
void manual_command(const struct cmd *cmd, const struct text_style *style, struct buf *out);

/* roff, section 1. */
void manual_man(struct buf *out);

/* shell: bash, zsh or fish. -1 for another. */
int manual_completion(const char *shell, struct buf *out);

#endif
