/* SPDX-License-Identifier: Apache-2.0 */
/* What is linked into this binary. */
#ifndef CMD_LIBRARIES_H
#define CMD_LIBRARIES_H

#include "base/buf.h"

/* "curl 8.14.1 (mbedTLS/3.6.6), sqlite 3.46.1, …" */
void libraries_print(struct buf *out);

#endif
