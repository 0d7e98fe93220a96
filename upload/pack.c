// SPDX-License-Identifier: Apache-2.0
#include "upload/pack.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Documents are a few hundred KB: this level costs some milliseconds and packs them to a twentieth. */
#define PACK_LEVEL 9

/* 8 MiB: what plain zstd uses up to level 19. A frame that asks for more asks for our memory. */
#define PACK_WINDOW_LOG 23

#define PACK_STEP 65536

static const unsigned char magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };

int pack_is_compressed(const void *data, size_t len)
{
	return len >= sizeof(magic) && !memcmp(data, magic, sizeof(magic));
}

int pack_compress(const void *data, size_t len, struct buf *out)
{
	size_t bound = ZSTD_compressBound(len);
	char *to = buf_reserve(out, bound);
	ZSTD_CCtx *ctx = to ? ZSTD_createCCtx() : NULL;
	if (!ctx)
		return -1;
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, PACK_LEVEL);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_checksumFlag, 1);
	size_t n = ZSTD_compress2(ctx, to, bound, data, len);
	ZSTD_freeCCtx(ctx);
	if (ZSTD_isError(n))
		return -1;
	out->len += n;
	out->data[out->len] = '\0';
	return 0;
}

static void dctx_free(ZSTD_DCtx **ctx)
{
	ZSTD_freeDCtx(*ctx);
}

static int error_of(size_t code)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_frameParameter_windowTooLarge:
		return EFBIG;
	case ZSTD_error_memory_allocation:
		return ENOMEM;
	default:
		return EBADMSG;
	}
}

/*
 * Can a frame begin so? Asked here, since the library waits for more where only some bytes of garbage follow.
 * Skippable frames (RFC 8878, 3.1.2) carry what is not for us.
 */
static bool frame_begins(const unsigned char *data, size_t len)
{
	static const unsigned char skippable[4] = { 0x50, 0x2a, 0x4d, 0x18 };
	size_t n = len < sizeof(magic) ? len : sizeof(magic);
	return !memcmp(data, magic, n) ||
	       ((data[0] & 0xf0) == skippable[0] && !memcmp(data + 1, skippable + 1, n - 1));
}

/* The next piece of output. *left: 0 at the end of a frame, else what the frame lacks. */
static int decompress_step(ZSTD_DCtx *ctx, ZSTD_inBuffer *in, struct buf *out, size_t *left)
{
	size_t room = out->max - out->len, step = room < PACK_STEP ? room : PACK_STEP;
	size_t before = in->pos;
	char spare = 0; /* a full buffer is an error only when there is more to come */
	char *to = step ? buf_reserve(out, step) : &spare;
	if (!to)
		return ENOMEM;
	ZSTD_outBuffer piece = { to, step ? step : 1, 0 };
	*left = ZSTD_decompressStream(ctx, &piece, in);
	if (ZSTD_isError(*left))
		return error_of(*left);
	if (!step && piece.pos)
		return EFBIG;
	if (step) {
		out->len += piece.pos;
		out->data[out->len] = '\0';
	}
	if (*left && in->pos == in->size && piece.pos < piece.size)
		return ENODATA;
	return *left && in->pos == before && !piece.pos ? EBADMSG : 0;
}

int pack_decompress(const void *data, size_t len, struct buf *out)
{
	__attribute__((__cleanup__(dctx_free))) ZSTD_DCtx *ctx = ZSTD_createDCtx();
	ZSTD_inBuffer in = { data, len, 0 };
	size_t left = 0;

	if (!ctx)
		return ENOMEM;
	if (!len)
		return ENODATA;
	ZSTD_DCtx_setParameter(ctx, ZSTD_d_windowLogMax, PACK_WINDOW_LOG);
	while (in.pos < in.size || left) {
		if (!left && !frame_begins((const unsigned char *)data + in.pos, in.size - in.pos))
			return EBADMSG;
		int err = decompress_step(ctx, &in, out, &left);
		if (err)
			return err;
	}
	return 0;
}
