// SPDX-License-Identifier: Apache-2.0
#include "base/interface.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/sys.h"

static struct interface *interface_named(struct interfaces *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->list[i].name, name))
			return &all->list[i];
	/* The kernel allows no '/' in a name; a made-up /proc might, and the name goes into a path. */
	if (all->count >= INTERFACE_MAX || strlen(name) >= NET_DEVICE_MAX || strchr(name, '/')) {
		all->left_out++;
		return NULL;
	}
	struct interface *one = &all->list[all->count++];
	*one = (struct interface){ .flags_err = ENODATA, .mtu_err = ENODATA };
	memcpy(one->name, name, strlen(name) + 1);
	return one;
}

static void add_address(struct interface *one, const struct sockaddr *address)
{
	const void *bytes;
	if (address->sa_family == AF_INET)
		bytes = &((const struct sockaddr_in *)(const void *)address)->sin_addr;
	else if (address->sa_family == AF_INET6)
		bytes = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
	else
		return;
	if (one->address_count >= INTERFACE_ADDRESS_MAX) {
		one->address_err = EOVERFLOW;
		return;
	}
	char *text = one->address_text[one->address_count];
	if (!inet_ntop(address->sa_family, bytes, text, sizeof(one->address_text[0])))
		return;
	one->addresses[one->address_count++] = text;
}

static int by_netlink(struct interfaces *all)
{
	struct ifaddrs *found;
	if (getifaddrs(&found) != 0)
		return errno;
	for (struct ifaddrs *at = found; at; at = at->ifa_next) {
		/* A second address of IPv4 may carry a label "eth0:1": the device is before the colon. */
		char name[64];
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at->ifa_name, ":"), at->ifa_name);
		struct interface *one = interface_named(all, name);
		if (!one)
			continue;
		one->flags_known = true;
		one->flags = at->ifa_flags;
		if (at->ifa_addr)
			add_address(one, at->ifa_addr);
	}
	freeifaddrs(found);
	return 0;
}

static int by_sysfs(struct interfaces *all, const char *root)
{
	char path[SYS_PATH_MAX];
	int err = sys_path(path, sizeof(path), root, "/sys/class/net");
	if (err)
		return err;
	cleanup_dir DIR *dir = opendir(path);
	if (!dir)
		return errno;
	for (struct dirent *entry; (entry = readdir(dir));)
		/* bonding_masters is a plain file among the links. */
		if (entry->d_name[0] != '.' && entry->d_type != DT_REG)
			interface_named(all, entry->d_name);
	return all->count ? 0 : ENOENT;
}

static int by_proc(struct interfaces *all, const char *root)
{
	cleanup_buf struct buf text = BUF_INIT(65536);
	int err = sys_read(root, "/proc/net/dev", &text);
	if (err && err != EFBIG)
		return err;
	char name[NET_DEVICE_MAX];
	for (const char *at = buf_text(&text); parse_net_dev(&at, name);)
		interface_named(all, name);
	return 0;
}

/* Any socket will do for the ioctls of devices. */
static int any_socket(void)
{
	static const int families[] = { AF_INET, AF_UNIX, AF_INET6 };
	int fd = -1;
	for (size_t i = 0; i < ARRAY_SIZE(families) && fd < 0; i++)
		fd = socket(families[i], SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return fd;
}

static int ask_device(int fd, const char *name, unsigned long request, struct ifreq *answer)
{
	memset(answer, 0, sizeof(*answer));
	memcpy(answer->ifr_name, name, strlen(name) + 1);
	/* int in musl, unsigned long in glibc: all requests here fit both. */
	return ioctl(fd, (int)request, answer) < 0 ? errno : 0;
}

static void fill_by_ioctl(struct interface *one, int fd)
{
	struct ifreq answer;
	one->mtu_err = ask_device(fd, one->name, SIOCGIFMTU, &answer);
	if (!one->mtu_err)
		one->mtu = answer.ifr_mtu;
	if (!one->flags_known) {
		one->flags_err = ask_device(fd, one->name, SIOCGIFFLAGS, &answer);
		one->flags_known = !one->flags_err;
		one->flags = (unsigned short)answer.ifr_flags;
	}
}

static void fill_by_files(struct interface *one, const char *root)
{
	char path[128], line[32];
	if (one->mtu_err) {
		snprintf(path, sizeof(path), "/sys/class/net/%s/mtu", one->name);
		int err = sys_read_i64(root, path, &one->mtu);
		/* The refusal of the better way says more than a missing file. */
		if (!err || one->mtu_err == ENODATA)
			one->mtu_err = err;
	}
	if (!one->flags_known) {
		uint64_t flags;
		snprintf(path, sizeof(path), "/sys/class/net/%s/flags", one->name);
		int err = sys_read_line(root, path, line, sizeof(line));
		if (!err && (strncmp(line, "0x", 2) != 0 || !parse_hex64(line + 2, &flags)))
			err = EBADMSG;
		one->flags_known = !err;
		if (!err)
			one->flags = (unsigned int)flags;
		else if (one->flags_err == ENODATA)
			one->flags_err = err;
	}
}

/* The one IPv4 address that ioctl(2) knows; IPv6 stays unknown, so the list is not all. */
static void fill_address(struct interface *one, int fd, int netlink_err)
{
	struct ifreq answer;
	if (fd >= 0 && !ask_device(fd, one->name, SIOCGIFADDR, &answer))
		add_address(one, &answer.ifr_addr);
	if (!one->address_count)
		one->address_err = netlink_err ? netlink_err : ENODATA;
}

int interfaces_list(struct interfaces *out, const char *root, bool netlink, int *netlink_err)
{
	bool live = !root || !*root;
	int err = EPERM;
	out->count = out->left_out = 0;
	out->source = "getifaddrs()";
	if (live && netlink)
		err = by_netlink(out);
	*netlink_err = err;
	if (err) {
		out->source = "/sys/class/net";
		err = by_sysfs(out, root);
	}
	if (err) {
		out->source = "/proc/net/dev";
		err = by_proc(out, root);
	}
	if (err)
		return err;

	cleanup_fd int fd = live ? any_socket() : -1;
	for (size_t i = 0; i < out->count; i++) {
		struct interface *one = &out->list[i];
		if (fd >= 0)
			fill_by_ioctl(one, fd);
		fill_by_files(one, root);
		if (*netlink_err)
			fill_address(one, fd, *netlink_err);
	}
	return 0;
}
