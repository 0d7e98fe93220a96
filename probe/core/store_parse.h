/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a profile's document share. Functions name what is wrong in parser->error. */
#ifndef CORE_STORE_PARSE_H
#define CORE_STORE_PARSE_H

#include "core/store_impl.h"

struct parser {
	sqlite3 *db;
	const char *json;
	size_t len;
	struct profile *profile;
	struct store_error *error;
	bool starved; /* memory ran out: the document is not to blame */
};

/* -1, and a line that the profile is damaged, or that memory ran out. */
int parser_refuse(struct parser *parser, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A statement with the document as ?1; NULL when that fails. */
sqlite3_stmt *parser_ask(struct parser *parser, const char *sql);

/*
 * A text column into *out, which stays NULL when the column is. False when it is of another kind, over max
 * bytes, or holds what a \u escape can smuggle past a check of the document: half a surrogate pair.
 */
bool parser_take_text(struct parser *parser, sqlite3_stmt *row, int column, size_t max, char **out);

/* The same for a field that has to be there. */
bool parser_need_text(struct parser *parser, sqlite3_stmt *row, int column, size_t max, char **out);

/* A word out of a fixed set; -1 when it is none of them. */
int parser_word(struct parser *parser, sqlite3_stmt *row, int column, int (*parse)(const char *));

/* Is a column this word? */
bool parser_is(sqlite3_stmt *row, int column, const char *word);

/* Reads facts[] into the profile. */
int parser_facts(struct parser *parser);

#endif
