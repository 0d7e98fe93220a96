// SPDX-License-Identifier: Apache-2.0
#include "core/redact.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "core/fact.h"

/* A piece of text that a shape has recognised: [0, keep) stays, [keep, end) is the secret. */
struct hit {
	size_t keep, end;
};

/* How far a detector looks before it judges: keeps hostile text from costing quadratic time. */
#define SCAN_MAX 512

/* As isalnum(3) in the C locale, inline: this runs for each character of a report, several times. */
static inline bool is_alnum(unsigned char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26 || (unsigned char)(c - '0') < 10;
}

static bool is_word(unsigned char c)
{
	return is_alnum(c) || c == '_' || c == '-' || c >= 0x80;
}

static bool is_base64(unsigned char c)
{
	return is_alnum(c) || c == '+' || c == '=' || c == '_' || c == '-';
}

/* Where an unquoted value ends. */
static size_t value_span(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && !isspace((unsigned char)text[n]) && !strchr("&;,\"'`<>)}]|", text[n]))
		n++;
	return n;
}

static size_t line_span(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);
	return end ? (size_t)(end - text) : len;
}

/* scheme://user:password@host — everything up to the last '@' before the path is the userinfo. */
static bool hit_url(const char *text, size_t len, struct hit *hit)
{
	size_t n = 0, at = 0;
	while (n < len && (is_alnum((unsigned char)text[n]) || strchr("+.-", text[n])))
		n++;
	if (!n || n + 3 > len || strncmp(text + n, "://", 3) != 0)
		return false;
	n += 3;
	for (size_t i = n; i < len && !isspace((unsigned char)text[i]) && text[i] != '"'; i++) {
		if (text[i] == '@')
			at = i;
		/* A password may hold a raw '/', '?' or '#': only an '@' that comes later tells. */
	}
	if (!at)
		return false;
	size_t path = strcspn(text + n, "/?#");
	bool before_path = at < n + path;
	/* An '@' in the path alone (…/@scope/pkg) is no userinfo, unless a ':' came before the path. */
	if (!before_path && !memchr(text + n, ':', path < at - n ? path : at - n))
		return false;
	/* host:port/…@… is an ordinary URL when what follows the ':' is a number up to the path. */
	if (!before_path) {
		const char *colon = memchr(text + n, ':', path);
		size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
		if (colon && digits && colon + 1 + digits == text + n + path)
			return false;
	}
	*hit = (struct hit){ n, at };
	return at > n;
}

static const char *const secret_words[] = {
	"password",
	"passwd",
	"passphrase",
	"pwd",
	"secret",
	"token",
	"apikey",
	"api_key",
	"api-key",
	"accesskey",
	"access_key",
	"access-key",
	"privatekey",
	"private_key",
	"private-key",
	"credential",
	"credentials",
	"signature",
	"x-amz-security-token",
	"sig",
	"cookie",
	"set-cookie",
	"sessionid",
	"session_id",
	"client_secret",
	"auth",
	"_authtoken",
	"authtoken",
	"x-api-key",
};

/* A word that ends in one of the secret words, then = or :, then the value: MY_DB_PASSWORD=hunter2. */
static bool is_secret_word(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(secret_words) / sizeof(*secret_words); i++) {
		size_t w = strlen(secret_words[i]);
		/* "sig" is a word of its own, not the end of another. */
		bool whole = w <= 4;
		if (len >= w && (!whole || len == w || word[len - w - 1] == '_') &&
		    !strncasecmp(word + len - w, secret_words[i], w))
			return true;
	}
	return false;
}

static bool hit_assignment(const char *text, size_t len, struct hit *hit)
{
	size_t n = 0;
	while (n < len && n < SCAN_MAX && is_word((unsigned char)text[n]))
		n++;
	size_t word = n;
	while (n < len && (text[n] == '"' || text[n] == '\''))
		n++;
	/* Before the words are compared: most words are not assigned to. */
	if (n >= len || (text[n] != '=' && text[n] != ':') || !is_secret_word(text, word))
		return false;
	n++;
	while (n < len && (text[n] == ' ' || text[n] == '"' || text[n] == '\''))
		n++;
	size_t span = value_span(text + n, len - n);
	*hit = (struct hit){ n, n + span };
	return span > 0;
}

/* Authorization: Bearer abc — and the schemes on their own. */
static bool hit_header(const char *text, size_t len, struct hit *hit)
{
	static const char *const heads[] = { "authorization:", "proxy-authorization:", "bearer ",
					     "basic " };
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		if ((*text | 0x20) != *heads[i])
			continue;
		size_t n = strlen(heads[i]);
		if (len <= n || strncasecmp(text, heads[i], n) != 0)
			continue;
		bool header = heads[i][n - 1] == ':';
		size_t end =
			n + (header ? line_span(text + n, len - n) : value_span(text + n, len - n));
		/* "basic auth" and such are prose: a credential of a scheme is a longer word. */
		if (!header && end - n < 8)
			continue;
		*hit = (struct hit){ n, end };
		return true;
	}
	return false;
}

/* Key shapes that their issuers made recognisable: prefix, and how many characters must follow. */
static const struct {
	const char *prefix;
	size_t least;
} shapes[] = {
	{ "ghp_", 20 },	    { "gho_", 20 },	{ "ghu_", 20 },
	{ "ghs_", 20 },	    { "ghr_", 20 },	{ "github_pat_", 20 },
	{ "glpat-", 16 },   { "sk-", 16 },	{ "sk_live_", 16 },
	{ "rk_live_", 16 }, { "sk_test_", 16 }, { "xoxb-", 10 },
	{ "xoxp-", 10 },    { "xoxa-", 10 },	{ "xoxe-", 10 },
	{ "AKIA", 16 },	    { "ASIA", 16 },	{ "AIza", 30 },
	{ "ya29.", 16 },    { "npm_", 30 },	{ "pypi-", 20 },
	{ "hf_", 20 },	    { "dop_v1_", 30 },	{ "e2b_", 20 },
	{ "SG.", 20 },	    { "eyJ", 20 },	{ "AGE-SECRET-KEY-", 10 },
};

static bool hit_shape(const char *text, size_t len, struct hit *hit)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		if (*text != *shapes[i].prefix)
			continue;
		size_t n = strlen(shapes[i].prefix), end = n;
		if (len < n || strncmp(text, shapes[i].prefix, n) != 0)
			continue;
		while (end < len && (is_base64((unsigned char)text[end]) || text[end] == '.'))
			end++;
		if (end - n >= shapes[i].least) {
			*hit = (struct hit){ 0, end };
			return true;
		}
	}
	return false;
}

static bool hit_pem(const char *text, size_t len, struct hit *hit)
{
	static const char begin[] = "-----BEGIN ", what[] = "PRIVATE KEY";
	if (len < sizeof(begin) || strncmp(text, begin, sizeof(begin) - 1) != 0 ||
	    !memmem(text, len < 80 ? len : 80, what, sizeof(what) - 1))
		return false;
	const char *end = memmem(text + 11, len - 11, "-----END ", 9);
	const char *close =
		end ? memmem(end + 9, len - (size_t)(end + 9 - text), "-----", 5) : NULL;
	*hit = (struct hit){ 0, close ? (size_t)(close + 5 - text) : len };
	return true;
}

/*
 * A long word that mixes cases and digits as only random bytes do. Hexadecimal alone is left: container
 * ids, hashes and boot ids are facts.
 */
static bool hit_random(const char *text, size_t len, struct hit *hit)
{
	size_t n = 0, upper = 0, lower = 0, digit = 0, changes = 0;
	int before = 0;
	for (; n < len && n < SCAN_MAX && is_base64((unsigned char)text[n]); n++) {
		unsigned char c = (unsigned char)text[n];
		int class = isupper(c) ? 1 : islower(c) ? 2 : isdigit(c) ? 3 : 4;
		upper += class == 1;
		lower += class == 2;
		digit += class == 3;
		changes += class != before;
		before = class;
	}
	if (n < 32 || upper < 4 || lower < 4 || digit < 2 || changes < n / 3)
		return false;
	while (n < len && is_base64((unsigned char)text[n]))
		n++;
	*hit = (struct hit){ 0, n };
	return true;
}

static bool (*const detectors[])(const char *text, size_t len, struct hit *hit) = {
	hit_pem, hit_url, hit_header, hit_assignment, hit_shape, hit_random,
};

/* Secrets begin where words begin; a detector looks at the text from there on. */
static bool word_starts(const char *text, size_t at)
{
	unsigned char c = (unsigned char)text[at];
	if (!is_word(c) && c != '_')
		return false;
	return at == 0 || !is_word((unsigned char)text[at - 1]) || text[at - 1] == '-';
}

size_t redact_text(const char *text, size_t len, struct buf *out)
{
	size_t count = 0, from = 0;

	if (len > FACT_VALUE_MAX) {
		buf_puts(out, REDACTED);
		return 1;
	}
	for (size_t at = 0; at < len;) {
		struct hit hit;
		size_t i = 0;
		if (!word_starts(text, at)) {
			at++;
			continue;
		}
		while (i < sizeof(detectors) / sizeof(*detectors) &&
		       !detectors[i](text + at, len - at, &hit))
			i++;
		if (i == sizeof(detectors) / sizeof(*detectors)) {
			at++;
			continue;
		}
		buf_add(out, text + from, at + hit.keep - from);
		buf_puts(out, REDACTED);
		count++;
		at += hit.end;
		from = at;
	}
	buf_add(out, text + from, len - from);
	return count;
}
