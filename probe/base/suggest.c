// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <limits.h>
#include <string.h>

#define WORD_MAX 64

static unsigned int min2(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: insertions, deletions, replacements, swaps of neighbours. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[3][WORD_MAX + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > WORD_MAX || m > WORD_MAX)
		return UINT_MAX;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned int *now = rows[i % 3], *up = rows[(i - 1) % 3];
		now[0] = (unsigned int)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned int wrong = a[i - 1] != b[j - 1];
			now[j] = min2(min2(up[j], now[j - 1]) + 1, up[j - 1] + wrong);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min2(now[j], rows[(i - 2) % 3][j - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

struct suggest suggest_start(const char *typed)
{
	return (struct suggest){ .typed = typed, .distance = UINT_MAX };
}

void suggest_offer(struct suggest *suggest, const char *word)
{
	unsigned int d = distance(suggest->typed, word);
	/* What was begun right and cut off is near, too. */
	if (*suggest->typed && !strncmp(suggest->typed, word, strlen(suggest->typed)))
		d = min2(d, 1);
	if (d < suggest->distance && d <= 1 + strlen(word) / 3) {
		suggest->distance = d;
		suggest->best = word;
	}
}
