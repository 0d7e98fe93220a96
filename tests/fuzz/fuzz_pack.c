// SPDX-License-Identifier: Apache-2.0
/* Frames from outside stay within their bounds; what we pack ourselves comes back. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>

#include "upload/pack.h"

#define OUTPUT_MAX 100000

static void unpack(const uint8_t *data, size_t size)
{
	cleanup_buf struct buf out = BUF_INIT(OUTPUT_MAX);
	int err = pack_decompress(data, size, &out);
	HOLDS(!err || err == EFBIG || err == EBADMSG || err == ENODATA || err == ENOMEM);
	HOLDS(out.len <= OUTPUT_MAX);
	/* No frame is begun by anything but its magic number, or a skippable one. */
	if (!err)
		HOLDS(size >= 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_buf struct buf packed = BUF_INIT((size_t)4 << 20), out = BUF_INIT((size_t)4 << 20);
	unpack(data, size);
	HOLDS(!pack_compress(data, size, &packed));
	HOLDS(!pack_decompress(packed.data, packed.len, &out));
	HOLDS(out.len == size && !memcmp(buf_text(&out), data, size));
	return 0;
}
