/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow one by one, without a field for their size: it is the next power of two. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/*
 * The array with room for one more behind its count, or NULL when out of memory; then the old one stays. Only
 * for arrays that grew this way from NULL; taking items off their end is harmless.
 */
static inline void *array_grown(void *array, size_t count, size_t item)
{
	if (count & (count - 1))
		return array;
	return realloc(array, (count ? count * 2 : 1) * item);
}

#endif
