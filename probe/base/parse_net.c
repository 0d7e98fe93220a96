// SPDX-License-Identifier: Apache-2.0
#include "base/parse_net.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"

#define LINE_MAX_BYTES 4096

/* linux/route.h and linux/ipv6_route.h */
#define ROUTE_UP     0x1
#define ROUTE_REJECT 0x200

static void words_add(struct net_words *words, const char *word)
{
	/* A name cut short would be another name. */
	if (words->count >= NET_WORDS_MAX || strlen(word) >= NET_NAME_MAX) {
		words->left_out++;
		return;
	}
	char *text = words->text[words->count];
	memcpy(text, word, strlen(word) + 1);
	words->items[words->count++] = text;
	words->items[words->count] = NULL;
}

static void words_clear(struct net_words *words)
{
	words->count = words->left_out = 0;
	words->items[0] = NULL;
}

static void words_add_all(struct net_words *words, const char *line)
{
	char word[NET_NAME_MAX + 1];
	while (parse_field(&line, word, sizeof(word)))
		words_add(words, word);
}

void parse_resolv_conf(const char *text, struct net_resolver *resolver)
{
	words_clear(&resolver->servers);
	words_clear(&resolver->search);
	words_clear(&resolver->options);

	char line[LINE_MAX_BYTES], word[NET_NAME_MAX + 1];
	while (parse_line(&text, line, sizeof(line))) {
		line[strcspn(line, "\r")] = '\0';
		const char *rest = line;
		/* A comment begins in the first column, with either sign. */
		if (*line == '#' || *line == ';' || !parse_field(&rest, word, sizeof(word)))
			continue;
		if (!strcmp(word, "nameserver") && parse_field(&rest, word, sizeof(word))) {
			words_add(&resolver->servers, word);
		} else if (!strcmp(word, "options")) {
			words_add_all(&resolver->options, rest);
		} else if (!strcmp(word, "search") || !strcmp(word, "domain")) {
			words_clear(&resolver->search);
			words_add_all(&resolver->search, rest);
		}
	}
}

bool parse_hosts_has(const char *text, const char *name)
{
	char line[LINE_MAX_BYTES], word[NET_NAME_MAX + 1];
	while (parse_line(&text, line, sizeof(line))) {
		line[strcspn(line, "#\r")] = '\0';
		const char *rest = line;
		if (!parse_field(&rest, word, sizeof(word)))
			continue;
		while (parse_field(&rest, word, sizeof(word)))
			if (!strcasecmp(word, name))
				return true;
	}
	return false;
}

struct route {
	const char *device;
	uint64_t metric, flags;
};

/* Keeps the better of two. */
static bool route_better(const struct route *route, bool have, uint64_t *best,
			 char device[NET_DEVICE_MAX])
{
	if (!(route->flags & ROUTE_UP) || route->flags & ROUTE_REJECT ||
	    strlen(route->device) >= NET_DEVICE_MAX || (have && route->metric >= *best))
		return have;
	*best = route->metric;
	memcpy(device, route->device, strlen(route->device) + 1);
	return true;
}

/* At most count fields of a line; how many there were. */
static size_t fields_of(const char *line, char (*fields)[40], size_t count)
{
	size_t n = 0;
	while (n < count && parse_field(&line, fields[n], sizeof(fields[n])))
		n++;
	return n;
}

/* Iface Destination Gateway Flags RefCnt Use Metric Mask … */
bool parse_route_default(const char *text, char device[NET_DEVICE_MAX])
{
	char line[512], f[8][40];
	uint64_t to, mask, best = 0;
	bool have = false;
	while (parse_line(&text, line, sizeof(line))) {
		struct route route = { .device = f[0] };
		if (fields_of(line, f, 8) == 8 && parse_hex64(f[1], &to) && !to &&
		    parse_hex64(f[7], &mask) && !mask && parse_hex64(f[3], &route.flags) &&
		    parse_u64(f[6], &route.metric))
			have = route_better(&route, have, &best, device);
	}
	return have;
}

/* destination length source length next-hop metric refcnt use flags device */
bool parse_route6_default(const char *text, char device[NET_DEVICE_MAX])
{
	static const char nowhere[] = "00000000000000000000000000000000";
	char line[512], f[10][40];
	uint64_t best = 0;
	bool have = false;
	while (parse_line(&text, line, sizeof(line))) {
		struct route route = { .device = f[9] };
		if (fields_of(line, f, 10) == 10 && !strcmp(f[0], nowhere) && !strcmp(f[1], "00") &&
		    parse_hex64(f[5], &route.metric) && parse_hex64(f[8], &route.flags))
			have = route_better(&route, have, &best, device);
	}
	return have;
}

bool parse_net_dev(const char **cursor, char device[NET_DEVICE_MAX])
{
	char line[512], name[NET_DEVICE_MAX + 1];
	while (parse_line(cursor, line, sizeof(line))) {
		/* The two lines of the heading have bars instead. */
		char *colon = strchr(line, ':');
		if (!colon || strchr(line, '|'))
			continue;
		*colon = '\0';
		const char *at = line;
		if (parse_field(&at, name, sizeof(name)) && strlen(name) < NET_DEVICE_MAX) {
			memcpy(device, name, strlen(name) + 1);
			return true;
		}
	}
	return false;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

static bool all_of(const char *text, size_t len, const char *marks)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(letters, text[i]) && !strchr(marks, text[i]))
			return false;
	return true;
}

bool parse_proxy(const char *url, char *out, size_t size)
{
	const char *scheme_end = strstr(url, "://");
	int scheme = 0;
	if (scheme_end) {
		scheme = (int)strspn(url, letters);
		/* socks5h, http, https: none is longer, and an '@' before it is no scheme. */
		if (url + scheme != scheme_end || scheme > 16)
			return false;
		scheme += 3;
	}
	/* A password may hold an unescaped '/' or '@': the host begins behind the last '@' of all. */
	const char *host = url + scheme, *at = strrchr(host, '@');
	if (at)
		host = at + 1;
	size_t len = strcspn(host, "/?#");
	if (!len || !all_of(host, len, ".-_:[]%"))
		return false;
	int n = snprintf(out, size, "%.*s%.*s", scheme, url, (int)len, host);
	return n > 0 && (size_t)n < size;
}

bool parse_no_proxy(const char *list, char *out, size_t size)
{
	size_t len = strlen(list);
	if (len >= size || !all_of(list, len, ".-_:[]%*,/ "))
		return false;
	memcpy(out, list, len + 1);
	return true;
}
