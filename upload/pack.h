/* SPDX-License-Identifier: Apache-2.0 */
/* zstd out, and in with bounds: what comes in is hostile. Knows bytes, no facts. */
#ifndef UPLOAD_PACK_H
#define UPLOAD_PACK_H

#include <stddef.h>

#include "base/buf.h"

/* Largest document we are ready to read, after decompression. */
#define PACK_DOCUMENT_MAX ((size_t)16 << 20)

/* Appends one zstd frame to out. 0, or -1 when out of memory or at the ceiling. */
int pack_compress(const void *data, size_t len, struct buf *out);

/* Does data begin with a zstd frame? */
int pack_is_compressed(const void *data, size_t len);

/*
 * Appends the decompressed bytes to out, up to out->max. 0; EFBIG when there is more or the frame asks for a
 * window over 8 MiB; EBADMSG when it is corrupt; ENODATA when it ends early; ENOMEM.
 */
int pack_decompress(const void *data, size_t len, struct buf *out);

#endif
