// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interface.h"
#include "base/net_try.h"
#include "base/parse_net.h"
#include "base/trust.h"
#include "collected.h"

extern const struct collector collector_network;

static void test_resolv_conf(void **state)
{
	(void)state;
	static const char text[] =
		"#nameserver 192.0.2.1\n; comment\nnameserver\n nameserver\t192.0.2.2 x\r\n"
		"domain old.example\nsearch a.example\tb.example\noptions ndots:5\n"
		"options edns0\nnameservers 192.0.2.3\nnameserver 2001:db8::1%eth0";
	struct net_resolver resolver;

	parse_resolv_conf(text, &resolver);
	assert_int_equal(resolver.servers.count, 2);
	assert_string_equal(resolver.servers.items[0], "192.0.2.2");
	assert_string_equal(resolver.servers.items[1], "2001:db8::1%eth0");
	assert_null(resolver.servers.items[2]);
	assert_int_equal(resolver.search.count, 2);
	assert_string_equal(resolver.search.items[0], "a.example");
	assert_int_equal(resolver.options.count, 2);
	assert_string_equal(resolver.options.items[1], "edns0");
	parse_resolv_conf("", &resolver);
	assert_int_equal(resolver.servers.count, 0);
	assert_null(resolver.search.items[0]);
}

static void test_resolv_conf_bounds(void **state)
{
	(void)state;
	char text[16384] = "";
	struct net_resolver resolver;

	for (int i = 0; i < 100; i++)
		strcat(text, "nameserver 192.0.2.1\n");
	strcat(text, "search ");
	memset(text + strlen(text), 'a', NET_NAME_MAX);
	parse_resolv_conf(text, &resolver);
	assert_int_equal(resolver.servers.count, NET_WORDS_MAX);
	assert_int_equal(resolver.servers.left_out, 100 - NET_WORDS_MAX);
	assert_null(resolver.servers.items[NET_WORDS_MAX]);
	assert_int_equal(resolver.search.count, 0);
	assert_int_equal(resolver.search.left_out, 1);
}

static void test_hosts(void **state)
{
	(void)state;
	static const char text[] =
		"# 127.0.0.1 commented\n127.0.0.1 LocalHost me.example # you\n::1\n";

	assert_true(parse_hosts_has(text, "localhost"));
	assert_true(parse_hosts_has(text, "me.example"));
	assert_false(parse_hosts_has(text, "you"));
	assert_false(parse_hosts_has(text, "commented"));
	assert_false(parse_hosts_has(text, "127.0.0.1"));
	assert_false(parse_hosts_has("", "localhost"));
}

#define HEADING                                                                                    \
	"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

static void test_route(void **state)
{
	(void)state;
	char device[NET_DEVICE_MAX] = "kept";

	assert_false(parse_route_default(HEADING, device));
	assert_false(parse_route_default(
		HEADING "lo\t00000000\t0\t0201\t0\t0\t0\t00000000\t0\t0\t0\n", device));
	assert_false(
		parse_route_default("eth0\t00000000\t0\t0001\t0\t0\t0\t00FFFFFF\n"
				    "eth0\t000200C0\t0\t0001\t0\t0\t0\t00000000\n"
				    "eth0\t00000000\t0\t0002\t0\t0\t0\t00000000\n"
				    "averyveryverylongname\t00000000\t0\t0003\t0\t0\t0\t00000000\n"
				    "eth0\t00000000\t0\t0003\n",
				    device));
	assert_string_equal(device, "kept");
	assert_true(parse_route_default(HEADING "b\t00000000\t0\t0003\t0\t0\t100\t00000000\n"
						"a\t00000000\t0\t0003\t0\t0\t5\t00000000\n"
						"c\t00000000\t0\t0003\t0\t0\t5\t00000000\n",
					device));
	assert_string_equal(device, "a");
}

#define NOWHERE "00000000000000000000000000000000"

static void test_route6(void **state)
{
	(void)state;
	char device[NET_DEVICE_MAX] = "kept";

	assert_false(parse_route6_default(NOWHERE " 00 " NOWHERE " 00 " NOWHERE
						  " ffffffff 00000001 00000000 00200200       lo\n",
					  device));
	assert_false(parse_route6_default(NOWHERE " 40 " NOWHERE " 00 " NOWHERE
						  " 00000400 00000001 00000000 00000003 eth0\n",
					  device));
	assert_string_equal(device, "kept");
	assert_true(parse_route6_default(NOWHERE " 00 " NOWHERE
						 " 00 fd000000000000000000000000000001 00000400 "
						 "00000002 00000000 00000003     eth0\n",
					 device));
	assert_string_equal(device, "eth0");
}

static void test_proxy(void **state)
{
	(void)state;
	static const struct {
		const char *url, *shown; /* NULL: not shown at all */
	} rows[] = {
		{ "http://proxy.example:3128", "http://proxy.example:3128" },
		{ "http://user:secret@proxy.example:3128/path?token=secret",
		  "http://proxy.example:3128" },
		{ "http://user:se/cr@et@proxy.example:1", "http://proxy.example:1" },
		{ "socks5h://[2001:db8::1]:1080", "socks5h://[2001:db8::1]:1080" },
		{ "user:secret@proxy.example", "proxy.example" },
		{ "proxy.example:80", "proxy.example:80" },
		{ "http://", NULL },
		{ "", NULL },
		{ "user:secret@x://proxy.example", NULL },
		{ "http://pro\033xy", NULL },
		{ "http://a b", NULL },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[64] = "kept";
		bool shown = parse_proxy(rows[i].url, out, sizeof(out));
		assert_int_equal(shown, rows[i].shown != NULL);
		assert_string_equal(out, shown ? rows[i].shown : "kept");
		assert_null(strstr(out, "secret"));
	}
	char small[8];
	assert_false(parse_proxy("http://proxy.example", small, sizeof(small)));
}

static void test_no_proxy(void **state)
{
	(void)state;
	char out[32] = "kept";

	assert_false(parse_no_proxy("user:secret@host", out, sizeof(out)));
	assert_false(parse_no_proxy("a.example,b.example,c.example,d.example", out, sizeof(out)));
	assert_string_equal(out, "kept");
	assert_true(parse_no_proxy("localhost, .example,10.0.0.0/8", out, sizeof(out)));
	assert_string_equal(out, "localhost, .example,10.0.0.0/8");
}

static void test_net_dev(void **state)
{
	(void)state;
	const char *text =
		"Inter-|   Receive   \n face |bytes    packets\n    lo:    3267      29\n"
		"averyveryverylongname: 1\nno colon\neth0:1";
	char device[NET_DEVICE_MAX];

	assert_true(parse_net_dev(&text, device));
	assert_string_equal(device, "lo");
	assert_true(parse_net_dev(&text, device));
	assert_string_equal(device, "eth0");
	assert_false(parse_net_dev(&text, device));
}

static void test_trust(void **state)
{
	(void)state;
	const char *path = NULL;
	int err = 0;

	assert_int_equal(trust_bundle("tests/unit/fixtures/container", &path), ENOENT);
	assert_string_equal(trust_state("tests/unit/fixtures/container", "/etc/passwd", &err),
			    "ok");
	assert_string_equal(trust_state("tests/unit/fixtures/container", "/etc:/nowhere", &err),
			    "ok");
	assert_string_equal(trust_state("tests/unit/fixtures/container", "/no.pem", &err),
			    "missing");
	assert_string_equal(trust_state("tests/unit/fixtures/container", "/etc/passwd/x", &err),
			    "missing");
}

static struct profile *collected(const char *root, const char *const *environment)
{
	return collected_by(&collector_network, root, environment);
}

static void test_recorded(void **state)
{
	(void)state;
	const char *const environment[] = { "HTTPS_PROXY=http://me:secret@proxy.example:3128/",
					    "ALL_PROXY=http://not a host", "no_proxy=localhost",
					    "SSL_CERT_FILE=/nowhere.pem", NULL };
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/container", environment);
	const struct fact *list = profile_find(p, "network.interfaces");

	assert_int_equal(fact_list_count(list), 2);
	assert_true(fact_list_has(list, "eth0"));
	assert_true(profile_true(p, "network.interface[eth0].up"));
	assert_true(profile_false(p, "network.interface[lo].up"));
	assert_true(profile_true(p, "network.interface[lo].loopback"));
	assert_int_equal(profile_int(p, "network.interface[eth0].mtu", -1), 1500);
	assert_int_not_equal(profile_find(p, "network.interface[eth0].addresses")->status, FACT_OK);
	assert_true(profile_false(p, "network.loopback_up"));
	assert_true(profile_true(p, "network.route_default_v4"));
	assert_true(profile_false(p, "network.route_default_v6"));
	assert_string_equal(profile_text(p, "network.default_interface"), "eth0");
	assert_int_equal(fact_list_count(profile_find(p, "network.resolver")), 2);
	assert_true(fact_list_has(profile_find(p, "network.resolver_search"), "dev.example"));
	assert_true(profile_true(p, "network.hosts_localhost"));
	assert_string_equal(profile_text(p, "network.proxy[HTTPS_PROXY]"),
			    "http://proxy.example:3128");
	assert_status(p, "network.proxy[ALL_PROXY]", FACT_MALFORMED, EBADMSG);
	assert_string_equal(profile_text(p, "network.proxy[no_proxy]"), "localhost");
	assert_null(profile_find(p, "network.proxy[http_proxy]"));
	assert_status(p, "network.ca_bundle", FACT_ABSENT, ENOENT);
	assert_string_equal(profile_text(p, "network.ca_variable[SSL_CERT_FILE].state"), "missing");
}

/* No table and no try: that is not "no route". */
static void test_nothing_there(void **state)
{
	(void)state;
	const char *const environment[] = { NULL };
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/nowhere", environment);

	assert_status(p, "network.route_default_v4", FACT_SKIPPED, 0);
	assert_status(p, "network.default_interface", FACT_SKIPPED, ENOENT);
	assert_status(p, "network.loopback_up", FACT_SKIPPED, 0);
	assert_status(p, "network.interfaces", FACT_ABSENT, ENOENT);
	assert_status(p, "network.socket[inet].works", FACT_SKIPPED, 0);
	assert_status(p, "network.resolver", FACT_ABSENT, ENOENT);
	assert_status(p, "network.hosts_localhost", FACT_ABSENT, ENOENT);
}

#define MAY_NOT_FILTER 77

/* Installs a filter that answers socket(family) so; false where that is refused. */
static bool filter_socket(unsigned int family, unsigned int answer)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, family, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Runs check in a child, whose filter cannot be undone. */
static void filtered(unsigned int family, unsigned int answer, bool (*check)(struct profile *p))
{
	pid_t pid = fork();
	if (pid == 0) {
		const char *const environment[] = { NULL };
		if (!filter_socket(family, answer))
			_exit(MAY_NOT_FILTER);
		struct profile *p = collected("", environment);
		bool right = check(p);
		profile_free(p);
		_exit(right ? 0 : 1);
	}
	int status = -1;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == MAY_NOT_FILTER)
		skip();
	assert_int_equal(status, 0);
}

static bool check_killed_unix(struct profile *p)
{
	const struct fact *works = profile_find(p, "network.socket[unix].works");
	return works && works->status == FACT_DENIED &&
	       profile_true(p, "network.socket[netlink].works") &&
	       profile_find(p, "network.interfaces")->status == FACT_OK;
}

static void test_filter_kills(void **state)
{
	(void)state;
	filtered(AF_UNIX, SECCOMP_RET_KILL_PROCESS, check_killed_unix);
}

static bool check_refused_inet(struct profile *p)
{
	const char *name = profile_text(p, "network.socket[inet].errno");
	const struct fact *lo = profile_find(p, "network.loopback_up");
	return profile_false(p, "network.socket[inet].works") && name && !strcmp(name, "EPERM") &&
	       lo && !strcmp(lo->source, "interface flags");
}

static void test_filter_refuses(void **state)
{
	(void)state;
	filtered(AF_INET, SECCOMP_RET_ERRNO | EPERM, check_refused_inet);
}

static bool check_no_netlink(struct profile *p)
{
	const struct fact *list = profile_find(p, "network.interfaces");
	const struct fact *addresses = profile_find(p, "network.interface[lo].addresses");
	return profile_false(p, "network.socket[netlink].works") && list &&
	       list->status == FACT_OK && fact_list_has(list, "lo") &&
	       strcmp(list->source, "getifaddrs()") != 0 && addresses &&
	       (addresses->status != FACT_OK || fact_list_has(addresses, "127.0.0.1"));
}

static void test_filter_netlink(void **state)
{
	(void)state;
	filtered(AF_NETLINK, SECCOMP_RET_ERRNO | EPERM, check_no_netlink);
}

static void test_leaves_nothing_open(void **state)
{
	(void)state;
	const char *const environment[] = { NULL };
	int before = dup(0);
	close(before);
	cleanup_profile struct profile *p = collected("", environment);
	int after = dup(0);
	close(after);
	assert_int_equal(before, after);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_non_null(profile_find(p, "network.loopback_up"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resolv_conf),
		cmocka_unit_test(test_resolv_conf_bounds),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_route),
		cmocka_unit_test(test_route6),
		cmocka_unit_test(test_proxy),
		cmocka_unit_test(test_no_proxy),
		cmocka_unit_test(test_net_dev),
		cmocka_unit_test(test_trust),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_nothing_there),
		cmocka_unit_test(test_filter_kills),
		cmocka_unit_test(test_filter_refuses),
		cmocka_unit_test(test_filter_netlink),
		cmocka_unit_test(test_leaves_nothing_open),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
