/* SPDX-License-Identifier: Apache-2.0 */
/* JSON out. Every string passes the redactor and becomes valid UTF-8; output is stable, keys in order. */
#ifndef FORMAT_JSON_H
#define FORMAT_JSON_H

#include "base/buf.h"
#include "core/drift.h"
#include "core/profile.h"

/* One document, newline at the end, appended to out. buf_failed(out) tells. */
void json_profile(const struct profile *profile, struct buf *out);
void json_drift(const struct profile *local, const struct profile *remote,
		const struct drift *drift, struct buf *out);

#endif
