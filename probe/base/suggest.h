/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest word to a mistyped one. */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

struct suggest {
	const char *typed;
	const char *best; /* borrowed from an offer; NULL: none is near enough */
	unsigned int distance;
};

struct suggest suggest_start(const char *typed);

/* Considers a word: near means at most a third of its letters wrong, left out, added or swapped. */
void suggest_offer(struct suggest *suggest, const char *word);

#endif
