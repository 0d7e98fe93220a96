/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one choke point for secrets: every string that leaves in a report passes here. It takes out URL
 * credentials, authorisation headers, values after words such as token= or password=, well-known key
 * shapes, private key blocks, and long random-looking words. It fails closed: what cannot be checked
 * (too long, out of memory) is replaced whole.
 */
#ifndef CORE_REDACT_H
#define CORE_REDACT_H

#include <stddef.h>

#include "base/buf.h"

#define REDACTED "[redacted]"

/* Appends text to out with its secrets replaced by REDACTED. Returns how many were replaced. */
size_t redact_text(const char *text, size_t len, struct buf *out);

#endif
