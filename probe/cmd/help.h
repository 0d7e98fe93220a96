/* SPDX-License-Identifier: Apache-2.0 */
/* Help of a command, or of all. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "base/buf.h"
#include "cmd/cmd.h"

/* cmd NULL: the overview. */
void help_print(const struct cmd *cmd, struct buf *out);

#endif
