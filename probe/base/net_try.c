// SPDX-License-Identifier: Apache-2.0
#include "base/net_try.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/child.h"
#include "base/cleanup.h"

#define TRY_DEADLINE_MS 1000
#define TRY_PORT	9 /* discard; nothing is sent */

/*
 * Addresses of documentation (RFC 5737, 3849, 9637). All of a row must have a route: a machine may well use
 * one of them for its own link.
 */
static const struct {
	int family, type;
	const char *call;
	const char *to[3]; /* NULL: only the socket */
} rows[NET_TRY_COUNT] = {
	[NET_TRY_INET] = { AF_INET, SOCK_STREAM, "socket(AF_INET)", { NULL } },
	[NET_TRY_INET6] = { AF_INET6, SOCK_STREAM, "socket(AF_INET6)", { NULL } },
	[NET_TRY_UNIX] = { AF_UNIX, SOCK_STREAM, "socket(AF_UNIX)", { NULL } },
	[NET_TRY_NETLINK] = { AF_NETLINK, SOCK_RAW, "socket(AF_NETLINK)", { NULL } },
	[NET_TRY_LOOPBACK] = { AF_INET, SOCK_DGRAM, "connect(127.0.0.1)", { "127.0.0.1" } },
	[NET_TRY_ROUTE] = { AF_INET,
			    SOCK_DGRAM,
			    "connect(192.0.2.1)",
			    { "192.0.2.1", "198.51.100.1", "203.0.113.1" } },
	[NET_TRY_ROUTE6] = { AF_INET6,
			     SOCK_DGRAM,
			     "connect(2001:db8::1)",
			     { "2001:db8::1", "3fff::1" } },
};

const char *net_try_call(enum net_try_id id)
{
	return rows[id].call;
}

static int connect_to(int fd, int family, const char *text)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} to;
	memset(&to, 0, sizeof(to));
	to.any.sa_family = (sa_family_t)family;
	if (family == AF_INET) {
		to.in.sin_port = htons(TRY_PORT);
		inet_pton(family, text, &to.in.sin_addr);
		return connect(fd, &to.any, sizeof(to.in)) < 0 ? errno : 0;
	}
	to.in6.sin6_port = htons(TRY_PORT);
	inet_pton(family, text, &to.in6.sin6_addr);
	return connect(fd, &to.any, sizeof(to.in6)) < 0 ? errno : 0;
}

/* What the kernel answers where there is no way; anything else is a refusal to look. */
static bool no_way(int err)
{
	return err == ENETUNREACH || err == EHOSTUNREACH || err == ENETDOWN ||
	       err == EADDRNOTAVAIL || err == EAFNOSUPPORT;
}

static bool no_means(int err)
{
	return err == EMFILE || err == ENFILE || err == ENOMEM || err == ENOBUFS;
}

static struct net_try try_one(size_t id)
{
	bool way = rows[id].to[0];
	cleanup_fd int fd = socket(rows[id].family, rows[id].type | SOCK_CLOEXEC, 0);
	if (fd < 0 && no_means(errno))
		return (struct net_try){ NET_TRY_NOT, errno };
	if (fd < 0)
		return (struct net_try){ way && no_way(errno) ? NET_TRY_NO_WAY : NET_TRY_SOCKET,
					 errno };
	for (size_t i = 0; i < ARRAY_SIZE(rows[id].to) && rows[id].to[i]; i++) {
		int err = connect_to(fd, rows[id].family, rows[id].to[i]);
		if (err)
			return (struct net_try){ no_way(err) ? NET_TRY_NO_WAY : NET_TRY_CONNECT,
						 err };
	}
	return (struct net_try){ NET_TRY_WORKS, 0 };
}

static int try_rest(void *shared)
{
	struct net_tries *tries = shared;
	for (; tries->next < NET_TRY_COUNT; tries->next++)
		tries->tries[tries->next] = try_one(tries->next);
	return 0;
}

void net_try_all(struct net_tries *tries, bool here)
{
	*tries = (struct net_tries){ 0 };
	/* Each round is one child; one that dies names the row it died in, and the next goes on behind it. */
	while (tries->next < NET_TRY_COUNT) {
		struct child_result result =
			child_run(try_rest, tries, sizeof(*tries), TRY_DEADLINE_MS);
		if (result.end == CHILD_REFUSED && here) {
			try_rest(tries);
			return;
		}
		if (tries->next >= NET_TRY_COUNT)
			return;
		struct net_try *left = &tries->tries[tries->next++];
		if (result.end == CHILD_SIGNALED)
			*left = (struct net_try){ NET_TRY_KILLED, result.code };
		else if (result.end == CHILD_TIMEOUT)
			*left = (struct net_try){ NET_TRY_HUNG, ETIMEDOUT };
		else
			*left = (struct net_try){ NET_TRY_NOT, result.code };
	}
}
