// SPDX-License-Identifier: Apache-2.0
/* The way out, without sending a packet: interfaces, routes, sockets, names, proxies, trust. */
#include "collectors/collector.h"

#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/errno_name.h"
#include "base/interface.h"
#include "base/net_try.h"
#include "base/parse_net.h"
#include "base/process.h"
#include "base/sys.h"
#include "base/trust.h"

#define FILE_MAX 65536

struct look {
	struct sink *sink;
	const struct scope *scope;
	bool live; /* not a recorded tree, where only files speak */
	struct net_tries tries;
};

#define PUT(kind, look, key, err, value, source)                                                   \
	do {                                                                                       \
		if (err)                                                                           \
			sink_fail((look)->sink, key, err, source);                                 \
		else                                                                               \
			sink_##kind((look)->sink, key, value, source);                             \
	} while (0)

static void speak_socket(const struct look *look, const char *family, enum net_try_id id)
{
	const struct net_try *try = &look->tries.tries[id];
	const char *call = net_try_call(id), *name = errno_name(try->err);
	struct key works = key_make("network.socket", family, "works");
	if (try->end == NET_TRY_WORKS) {
		sink_bool(look->sink, works.text, true, call);
	} else if (try->end == NET_TRY_SOCKET) {
		sink_bool(look->sink, works.text, false, call);
		sink_text(look->sink, key_make("network.socket", family, "errno").text,
			  name ? name : "unknown", call);
	} else if (try->end == NET_TRY_KILLED) {
		sink_status(look->sink, works.text, FACT_DENIED, 0, call);
		sink_note(look->sink, "whoever makes a socket of some family is killed");
	} else {
		sink_status(look->sink, works.text, FACT_SKIPPED, try->err, call);
	}
}

/* By trying; where no try was answered, by what was seen elsewhere. */
static void speak_way(const struct look *look, const char *key, enum net_try_id id, int seen_err,
		      bool seen, const char *source)
{
	const struct net_try *try = &look->tries.tries[id];
	if (try->end == NET_TRY_WORKS || try->end == NET_TRY_NO_WAY)
		sink_bool(look->sink, key, try->end == NET_TRY_WORKS, net_try_call(id));
	else if (!seen_err)
		sink_bool(look->sink, key, seen, source);
	else if (try->end == NET_TRY_KILLED)
		sink_status(look->sink, key, FACT_DENIED, 0, net_try_call(id));
	else
		sink_status(look->sink, key, FACT_SKIPPED, try->err, net_try_call(id));
}

static void speak_routes(const struct look *look)
{
	static const char path4[] = "/proc/net/route", path6[] = "/proc/net/ipv6_route";
	char device4[NET_DEVICE_MAX], device6[NET_DEVICE_MAX];
	cleanup_buf struct buf text4 = BUF_INIT(FILE_MAX), text6 = BUF_INIT(FILE_MAX);
	int err4 = sys_read(look->scope->root, path4, &text4);
	int err6 = sys_read(look->scope->root, path6, &text6);
	bool have4 = !err4 && parse_route_default(buf_text(&text4), device4);
	bool have6 = !err6 && parse_route6_default(buf_text(&text6), device6);
	speak_way(look, "network.route_default_v4", NET_TRY_ROUTE, err4, have4, path4);
	speak_way(look, "network.route_default_v6", NET_TRY_ROUTE6, err6, have6, path6);
	if (have4 || have6)
		sink_text(look->sink, "network.default_interface", have4 ? device4 : device6,
			  have4 ? path4 : path6);
	else /* no table is no answer */
		sink_status(look->sink, "network.default_interface",
			    err4 ? FACT_SKIPPED : FACT_ABSENT, err4, path4);
}

static void speak_interface(const struct look *look, const struct interface *one,
			    const char *source)
{
	int flags_err = one->flags_known ? 0 : one->flags_err;
	const char *name = one->name;
	PUT(bool, look, key_make("network.interface", name, "up").text, flags_err,
	    (one->flags & IFF_UP) != 0, source);
	PUT(bool, look, key_make("network.interface", name, "loopback").text, flags_err,
	    (one->flags & IFF_LOOPBACK) != 0, source);
	PUT(list, look, key_make("network.interface", name, "addresses").text, one->address_err,
	    one->addresses, source);
	PUT(int, look, key_make("network.interface", name, "mtu").text, one->mtu_err, one->mtu,
	    "ioctl(SIOCGIFMTU)");
}

static void speak_interfaces(const struct look *look)
{
	const char *names[INTERFACE_MAX + 1] = { NULL };
	cleanup_free struct interfaces *all = calloc(1, sizeof(*all));
	int netlink_err = 0, lo_err = ENODATA;
	bool lo = false, netlink = look->tries.tries[NET_TRY_NETLINK].end == NET_TRY_WORKS;
	int err = all ? interfaces_list(all, look->scope->root, netlink, &netlink_err) : ENOMEM;
	for (size_t i = 0; !err && i < all->count; i++) {
		const struct interface *one = &all->list[i];
		names[i] = one->name;
		speak_interface(look, one, all->source);
		if (one->flags_known && one->flags & IFF_LOOPBACK) {
			lo_err = 0;
			lo = lo || one->flags & IFF_UP;
		}
	}
	PUT(list, look, "network.interfaces", err, names, all ? all->source : "calloc()");
	if (look->live && netlink_err)
		sink_note(look->sink, "netlink is refused: addresses are incomplete");
	speak_way(look, "network.loopback_up", NET_TRY_LOOPBACK, lo_err, lo, "interface flags");
}

static void speak_names(const struct look *look)
{
	cleanup_free struct net_resolver *resolver = calloc(1, sizeof(*resolver));
	cleanup_buf struct buf conf = BUF_INIT(FILE_MAX), hosts = BUF_INIT(FILE_MAX);
	int err = resolver ? sys_read(look->scope->root, "/etc/resolv.conf", &conf) : ENOMEM;
	if (!err)
		parse_resolv_conf(buf_text(&conf), resolver);
	PUT(list, look, "network.resolver", err, resolver->servers.items, "/etc/resolv.conf");
	PUT(list, look, "network.resolver_search", err, resolver->search.items, "/etc/resolv.conf");
	PUT(list, look, "network.resolver_options", err, resolver->options.items,
	    "/etc/resolv.conf");

	struct utsname uts;
	err = sys_read(look->scope->root, "/etc/hosts", &hosts);
	PUT(bool, look, "network.hosts_localhost", err,
	    parse_hosts_has(buf_text(&hosts), "localhost"), "/etc/hosts");
	err = err ? err : uname(&uts) ? errno : 0;
	PUT(bool, look, "network.hostname_resolvable", err,
	    parse_hosts_has(buf_text(&hosts), uts.nodename), "/etc/hosts");
}

static void speak_variables(const struct look *look)
{
	static const char *const proxies[] = { "http_proxy",  "HTTP_PROXY", "https_proxy",
					       "HTTPS_PROXY", "all_proxy",  "ALL_PROXY",
					       "no_proxy",    "NO_PROXY" };
	char host[1024];
	int err;
	for (size_t i = 0; i < ARRAY_SIZE(proxies); i++) {
		const char *value = scope_getenv(look->scope, proxies[i]);
		bool list = i >= ARRAY_SIZE(proxies) - 2; /* of hosts, not a URL */
		if (!value)
			continue;
		err = (list ? parse_no_proxy : parse_proxy)(value, host, sizeof(host)) ? 0
										       : EBADMSG;
		PUT(text, look, key_make("network.proxy", proxies[i], NULL).text, err, host,
		    proxies[i]);
	}
	const char *path = NULL;
	err = trust_bundle(look->scope->root, &path);
	PUT(text, look, "network.ca_bundle", err, path, path ? path : "/etc/ssl");
	for (const char *const *name = trust_variables; *name; name++) {
		const char *value = scope_getenv(look->scope, *name);
		const char *state = value ? trust_state(look->scope->root, value, &err) : NULL;
		if (value)
			PUT(text, look, key_make("network.ca_variable", *name, "state").text,
			    state ? 0 : err, state, *name);
	}
}

static void collect(struct sink *sink, const struct scope *scope)
{
	struct look look = { sink, scope, !scope->root || !*scope->root, { 0 } };
	/* Without a filter nothing kills, so that the tries may run here where fork is refused. */
	if (look.live)
		net_try_all(&look.tries, process_unfiltered());
	speak_socket(&look, "inet", NET_TRY_INET);
	speak_socket(&look, "inet6", NET_TRY_INET6);
	speak_socket(&look, "unix", NET_TRY_UNIX);
	speak_socket(&look, "netlink", NET_TRY_NETLINK);
	speak_interfaces(&look);
	speak_routes(&look);
	speak_names(&look);
	speak_variables(&look);
}

const struct collector collector_network = {
	.name = "network",
	.about = "interfaces, routes, sockets, names, proxies, trust",
	.deadline_ms = 10000,
	.shares = true,
	.collect = collect,
};
