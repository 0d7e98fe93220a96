// SPDX-License-Identifier: Apache-2.0
#include "upload/pack.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Documents are a few hundred KB: this level costs some milliseconds and packs them to a twentieth. */
#define PACK_LEVEL 9

/* 8 MiB: what plain zstd uses up to level 19. A frame that asks for more asks for our memory. */
#define PACK_WINDOW_LOG 23

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

int pack_decompress(const void *data, size_t len, struct buf *out)
{
	__attribute__((__cleanup__(dctx_free))) ZSTD_DCtx *ctx = ZSTD_createDCtx();
	ZSTD_inBuffer in = { data, len, 0 };
	size_t left = 1; /* of the frame: not 0 means that it has not ended */

	if (!ctx)
		return ENOMEM;
	ZSTD_DCtx_setParameter(ctx, ZSTD_d_windowLogMax, PACK_WINDOW_LOG);
	while (in.pos < in.size || left) {
		size_t room = out->max - out->len, step = room < 65536 ? room : 65536;
		char spare;
		char *to = step ? buf_reserve(out, step) : &spare;
		if (!to)
			return ENOMEM;
		ZSTD_outBuffer piece = { to, step ? step : 1, 0 };
		size_t before = in.pos;
		left = ZSTD_decompressStream(ctx, &piece, &in);
		if (ZSTD_isError(left))
			return error_of(left);
		if (!step && piece.pos)
			return EFBIG;
		if (step) {
			out->len += piece.pos;
			out->data[out->len] = '\0';
		}
		if (left && in.pos == in.size && piece.pos < piece.size)
			return ENODATA;
		if (in.pos == before && !piece.pos && left)
			return EBADMSG;
	}
	return 0;
}
