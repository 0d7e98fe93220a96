/* SPDX-License-Identifier: Apache-2.0 */
/* Network interfaces, by whichever way is open: netlink, then /sys and /proc with ioctl(2). */
#ifndef BASE_INTERFACE_H
#define BASE_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/parse_net.h"

#define INTERFACE_MAX	      64
#define INTERFACE_ADDRESS_MAX 16

struct interface {
	char name[NET_DEVICE_MAX];
	bool flags_known;
	unsigned int flags; /* IFF_UP, IFF_LOOPBACK … */
	int flags_err; /* why not */
	int64_t mtu;
	int mtu_err;
	int address_err; /* 0: addresses are all there are, up to the ceiling */
	char address_text[INTERFACE_ADDRESS_MAX][48];
	const char *addresses[INTERFACE_ADDRESS_MAX + 1]; /* into address_text, NULL-ended */
	size_t address_count;
};

struct interfaces {
	const char *source; /* the way that was taken; static */
	size_t count, left_out;
	struct interface list[INTERFACE_MAX]; /* 60 KiB: keep it off the stack */
};

/*
 * root: a recorded tree, of which only files are read. netlink: getifaddrs(3) may be called. 0, or the errno
 * of the last way tried; netlink's refusal is in *netlink_err.
 */
int interfaces_list(struct interfaces *out, const char *root, bool netlink, int *netlink_err);

#endif
