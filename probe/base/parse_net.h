/* SPDX-License-Identifier: Apache-2.0 */
/* Text of network configuration to values: no I/O, no allocation, safe on any bytes. */
#ifndef BASE_PARSE_NET_H
#define BASE_PARSE_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NET_NAME_MAX   256
#define NET_WORDS_MAX  16
#define NET_DEVICE_MAX 16 /* IFNAMSIZ */

/* Words out of a file, bounded: what is more is counted, not kept. items must stay where it is. */
struct net_words {
	char text[NET_WORDS_MAX][NET_NAME_MAX];
	const char *items[NET_WORDS_MAX + 1]; /* into text, NULL-ended */
	size_t count;
	size_t left_out;
};

struct net_resolver {
	struct net_words servers, search, options;
};

/* /etc/resolv.conf, by resolv.conf(5): the last of domain and search wins; options add up. */
void parse_resolv_conf(const char *text, struct net_resolver *resolver);

/* Does /etc/hosts give name (any case) an address? */
bool parse_hosts_has(const char *text, const char *name);

/*
 * The device of the default route with the lowest metric, of /proc/net/route and /proc/net/ipv6_route. False
 * when there is none; routes that refuse (blackhole, unreachable) are none.
 */
bool parse_route_default(const char *text, char device[NET_DEVICE_MAX]);
bool parse_route6_default(const char *text, char device[NET_DEVICE_MAX]);

/* Next device of /proc/net/dev; *cursor as in parse_line(). */
bool parse_net_dev(const char **cursor, char device[NET_DEVICE_MAX]);

/*
 * scheme://host:port of a proxy's URL, without credentials, path and query; "host:port" where no scheme was
 * given. False when it is none, or what is left has characters that no host name has.
 */
bool parse_proxy(const char *url, char *out, size_t size);

/* The list of hosts in no_proxy, as it is; false when it has characters that no list of hosts has. */
bool parse_no_proxy(const char *list, char *out, size_t size);

#endif
