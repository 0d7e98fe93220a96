// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "upload/pack.h"

/* Something like a document: repetitive, not uniform. Owned. */
static char *document(size_t len)
{
	char *text = malloc(len + 1);
	unsigned int seed = 7;
	assert_non_null(text);
	for (size_t i = 0; i < len; i++) {
		seed = seed * 1103515245u + 12345u;
		text[i] = i % 16 < 12 ? "{\"key\": \"a.b"[i % 16] : (char)('a' + (seed >> 16) % 20);
	}
	text[len] = '\0';
	return text;
}

static void round_trip(size_t len)
{
	struct buf packed = BUF_INIT(2 * PACK_DOCUMENT_MAX), out = BUF_INIT(PACK_DOCUMENT_MAX);
	char *text = document(len);
	assert_int_equal(pack_compress(text, len, &packed), 0);
	assert_true(pack_is_compressed(packed.data, packed.len));
	assert_int_equal(ZSTD_getFrameContentSize(packed.data, packed.len), len);
	assert_int_equal(pack_decompress(packed.data, packed.len, &out), 0);
	assert_int_equal(out.len, len);
	assert_memory_equal(buf_text(&out), text, len);
	buf_done(&packed);
	buf_done(&out);
	free(text);
}

static void test_round_trip(void **state)
{
	(void)state;
	static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 100000, PACK_DOCUMENT_MAX };
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		round_trip(sizes[i]);
}

/* The frame is ordinary zstd with checksum, a good deal smaller, and stands behind what was there. */
static void test_frame(void **state)
{
	(void)state;
	cleanup_buf struct buf packed = BUF_INIT(1 << 20);
	char *text = document(100000), back[100];
	buf_puts(&packed, "before");
	assert_int_equal(pack_compress(text, 100000, &packed), 0);
	assert_memory_equal(packed.data, "before", 6);
	assert_true(packed.len < 40000);
	/* RFC 8878, 3.1.1.1.1: bit 2 of the frame header descriptor. */
	assert_int_equal(packed.data[6 + 4] & 4, 4);
	assert_true(ZSTD_isError(ZSTD_decompress(back, 100, packed.data + 6, packed.len - 6)));
	free(text);
	cleanup_buf struct buf small = BUF_INIT(100);
	assert_int_equal(pack_compress("0123456789", 10, &small), 0);
	assert_int_equal(ZSTD_decompress(back, 100, small.data, small.len), 10);
	assert_memory_equal(back, "0123456789", 10);
}

static void test_no_room(void **state)
{
	(void)state;
	char *text = document(100000);
	cleanup_buf struct buf packed = BUF_INIT(1000);
	assert_int_equal(pack_compress(text, 100000, &packed), -1);
	free(text);
}

static void test_is_compressed(void **state)
{
	(void)state;
	assert_true(pack_is_compressed("\x28\xb5\x2f\xfd", 4));
	assert_false(pack_is_compressed("\x28\xb5\x2f\xfd", 3));
	assert_false(pack_is_compressed("{\"a\"", 4));
	assert_false(pack_is_compressed("", 0));
}

/* A packed document of len bytes. */
static void pack(size_t len, struct buf *packed)
{
	char *text = document(len);
	assert_int_equal(pack_compress(text, len, packed), 0);
	free(text);
}

static int unpack(const void *data, size_t len, size_t max)
{
	struct buf out = BUF_INIT(max);
	int err = pack_decompress(data, len, &out);
	assert_true(out.len <= max);
	buf_done(&out);
	return err;
}

static void test_cut_off(void **state)
{
	(void)state;
	cleanup_buf struct buf packed = BUF_INIT(1 << 20);
	pack(2000, &packed);
	for (size_t len = 0; len < packed.len; len++)
		assert_int_equal(unpack(packed.data, len, 4000), ENODATA);
	assert_int_equal(unpack(packed.data, packed.len, 4000), 0);
}

/* Whatever bit is wrong, the checksum tells: no other document ever comes out. */
static void test_corrupt(void **state)
{
	(void)state;
	cleanup_buf struct buf packed = BUF_INIT(1 << 20);
	char *text = document(500);
	size_t harmless = 0;
	assert_int_equal(pack_compress(text, 500, &packed), 0);
	for (size_t bit = 0; bit < packed.len * 8; bit++) {
		packed.data[bit / 8] ^= (char)(1 << bit % 8);
		cleanup_buf struct buf out = BUF_INIT(4000);
		int err = pack_decompress(packed.data, packed.len, &out);
		if (!err)
			harmless++;
		if (!err && (out.len != 500 || memcmp(out.data, text, 500) != 0))
			fail_msg("bit %zu gives another document", bit);
		if (err)
			assert_true(err == EBADMSG || err == EFBIG || err == ENODATA);
		packed.data[bit / 8] ^= (char)(1 << bit % 8);
	}
	/* Some bits mean nothing: the unused one of the header, padding of the entropy coder. Few do. */
	assert_true(harmless * 20 < packed.len * 8);
	free(text);
}

static void test_frames(void **state)
{
	(void)state;
	cleanup_buf struct buf frames = BUF_INIT(1000), out = BUF_INIT(20);
	pack_compress("one ", 4, &frames);
	pack_compress("", 0, &frames);
	buf_add(&frames, "\x5f\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
	pack_compress("two", 3, &frames);
	assert_int_equal(pack_decompress(frames.data, frames.len, &out), 0);
	assert_string_equal(buf_text(&out), "one two");
	assert_int_equal(unpack(frames.data, frames.len - 1, 20), ENODATA);
	/* Both fit; together they do not. */
	assert_int_equal(unpack(frames.data, frames.len, 7), 0);
	assert_int_equal(unpack(frames.data, frames.len, 6), EFBIG);
}

static void test_trailing(void **state)
{
	(void)state;
	static const struct {
		const char *tail;
		size_t len;
	} tails[] = {
		{ "\n", 1 },  { "\0", 1 },	{ "ab", 2 },	   { "\x28\xb5\x2e", 3 },
		{ "abc", 3 }, { "garbage", 7 }, { "\x5f\x2b", 2 }, { "\x28\xb5\x2f\xfe\0\0", 6 },
	};
	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		cleanup_buf struct buf packed = BUF_INIT(1000);
		pack_compress("document", 8, &packed);
		buf_add(&packed, tails[i].tail, tails[i].len);
		assert_int_equal(unpack(packed.data, packed.len, 100), EBADMSG);
		/* A full buffer does not hide it. */
		assert_int_equal(unpack(packed.data, packed.len, 8), EBADMSG);
	}
	assert_int_equal(unpack("{}", 2, 100), EBADMSG);
}

static void test_too_large(void **state)
{
	(void)state;
	cleanup_buf struct buf packed = BUF_INIT(1 << 20);
	pack(70000, &packed);
	assert_int_equal(unpack(packed.data, packed.len, 70000), 0);
	assert_int_equal(unpack(packed.data, packed.len, 69999), EFBIG);
	assert_int_equal(unpack(packed.data, packed.len, 65536), EFBIG);
	assert_int_equal(unpack(packed.data, packed.len, 1), EFBIG);
	assert_int_equal(unpack(packed.data, packed.len, 0), EFBIG);

	/* 4 GiB out of 128 KiB: runs of one byte, 128 KiB a block. */
	cleanup_buf struct buf bomb = BUF_INIT(1 << 20);
	buf_add(&bomb, "\x28\xb5\x2f\xfd\x00\x38", 6);
	for (int i = 0; i < 32768; i++)
		buf_add(&bomb, "\x02\x00\x10 ", 4);
	assert_int_equal(unpack(bomb.data, bomb.len, PACK_DOCUMENT_MAX), EFBIG);
}

/* The window is what the decompressor allocates before it has seen a byte. */
static void test_window(void **state)
{
	(void)state;
	char frame[] = "\x28\xb5\x2f\xfd\x00\x00\x21\x00\x00{{{{";
	static const struct {
		int log, err;
	} windows[] = { { 10, 0 }, { 23, 0 }, { 24, EFBIG }, { 31, EFBIG }, { 41, EFBIG } };
	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		frame[5] = (char)((windows[i].log - 10) << 3);
		assert_int_equal(unpack(frame, sizeof(frame) - 1, 100), windows[i].err);
	}
	/* A single segment of 1 GiB: its window is its size. */
	assert_int_equal(unpack("\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x40\x21\x00\x00{{{{", 16, 100),
			 EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_frame),
		cmocka_unit_test(test_no_room),	   cmocka_unit_test(test_is_compressed),
		cmocka_unit_test(test_cut_off),	   cmocka_unit_test(test_corrupt),
		cmocka_unit_test(test_frames),	   cmocka_unit_test(test_trailing),
		cmocka_unit_test(test_too_large),  cmocka_unit_test(test_window),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
