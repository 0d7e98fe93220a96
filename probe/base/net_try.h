/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the network allows, by trying, without sending a packet: sockets that are made and closed, datagram
 * sockets that are pointed at an address. Each try may be answered by death: they run in a child.
 */
#ifndef BASE_NET_TRY_H
#define BASE_NET_TRY_H

#include <stdbool.h>
#include <stddef.h>

enum net_try_id {
	NET_TRY_INET,
	NET_TRY_INET6,
	NET_TRY_UNIX,
	NET_TRY_NETLINK,
	NET_TRY_LOOPBACK,
	NET_TRY_ROUTE,
	NET_TRY_ROUTE6,
	NET_TRY_COUNT,
};

enum net_try_end {
	NET_TRY_NOT, /* could not be tried: err says why */
	NET_TRY_WORKS,
	NET_TRY_SOCKET, /* socket(2) was refused, with err */
	NET_TRY_NO_WAY, /* no route, no such protocol, no address of our own: err says which */
	NET_TRY_CONNECT, /* connect(2) was refused, with err */
	NET_TRY_KILLED, /* err is the signal that ended the child */
	NET_TRY_HUNG,
};

struct net_try {
	enum net_try_end end;
	int err;
};

struct net_tries {
	size_t next; /* the one being tried: what a killed child leaves behind */
	struct net_try tries[NET_TRY_COUNT];
};

/* The call that was tried, for a fact's source. */
const char *net_try_call(enum net_try_id id);

/* here: in this process where fork is refused; otherwise the tries stay NET_TRY_NOT with fork's errno. */
void net_try_all(struct net_tries *tries, bool here);

#endif
