/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as a person says them. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdint.h>

struct size_text {
	char text[24];
};

/* 512 B, 64 KiB, 1.5 GiB. Whole numbers stay whole. */
struct size_text size_text(int64_t bytes);

#endif
