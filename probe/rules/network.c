// SPDX-License-Identifier: Apache-2.0
/* The way out: routes, names, proxies, trust. */
#include <string.h>
#include <strings.h>

#include "rules/sets.h"

static bool no_route(const struct profile *profile)
{
	return profile_false(profile, "network.route_default_v4") &&
	       profile_false(profile, "network.route_default_v6");
}

static const struct fact *proxy_find(const struct profile *profile)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "network.proxy[*]", fact));) {
		char name[64];
		if (fact->status == FACT_OK && key_name(fact->key, name, sizeof(name)) > 0 &&
		    strcasecmp(name, "NO_PROXY") != 0)
			return fact;
	}
	return NULL;
}

static bool check_no_route(const struct profile *profile, struct verdict *verdict)
{
	if (!no_route(profile) || proxy_find(profile))
		return false;
	verdict_add(verdict, "network.route_default_v4");
	verdict_add(verdict, "network.route_default_v6");
	return true;
}

static bool check_proxy_only(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *proxy = proxy_find(profile);
	if (!no_route(profile) || !proxy)
		return false;
	verdict_add(verdict, "network.route_default_v4");
	verdict_add(verdict, "network.route_default_v6");
	verdict_add(verdict, proxy->key);
	return true;
}

static bool check_resolver(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *resolver = profile_find(profile, "network.resolver");
	bool empty = resolver && resolver->status == FACT_OK && !fact_list_count(resolver);
	if (!resolver || (!empty && resolver->status != FACT_ABSENT) || proxy_find(profile) ||
	    !(profile_true(profile, "network.route_default_v4") ||
	      profile_true(profile, "network.route_default_v6")))
		return false;
	verdict_add(verdict, "network.resolver");
	return true;
}

static bool check_inet(const struct profile *profile, struct verdict *verdict)
{
	if (!profile_false(profile, "network.socket[inet].works"))
		return false;
	verdict_add(verdict, "network.socket[inet].works");
	verdict_add(verdict, "network.socket[inet].errno");
	return true;
}

static bool check_unix(const struct profile *profile, struct verdict *verdict)
{
	if (!profile_false(profile, "network.socket[unix].works"))
		return false;
	verdict_add(verdict, "network.socket[unix].works");
	verdict_add(verdict, "network.socket[unix].errno");
	return true;
}

static bool check_ca_variable(const struct profile *profile, struct verdict *verdict)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "network.ca_variable[*].state", fact));) {
		char name[64] = "?";
		if (fact->status != FACT_OK || fact->type != FACT_TEXT ||
		    !strcmp(fact->value, "ok"))
			continue;
		key_name(fact->key, name, sizeof(name));
		verdict_detail(verdict, "%s (%s)", name, fact->value);
		verdict_add(verdict, fact->key);
		return true;
	}
	return false;
}

static bool check_ca_missing(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *bundle = profile_find(profile, "network.ca_bundle");
	if (!bundle || bundle->status != FACT_ABSENT || (no_route(profile) && !proxy_find(profile)))
		return false;
	verdict_add(verdict, "network.ca_bundle");
	return true;
}

static const struct rule rules[] = {
	{ .id = "network.no-route",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_no_route,
	  .title = "There is no way out to the network",
	  .consequence =
		  "Downloads, package installs, git fetch and calls to outside services fail: "
		  "\"Network is unreachable\", \"Temporary failure in name resolution\".",
	  .remedy = "Start with a network, or bring everything needed into the image.",
	  .meaning =
		  "A datagram socket was pointed at an address outside (nothing is sent): the kernel "
		  "has no route, over IPv4 or IPv6, and no proxy variable is set.",
	  .docker = "without --network none",
	  .kubernetes = "check NetworkPolicy and the CNI",
	  .podman = "without --network none",
	  .bubblewrap = "--share-net after --unshare-all",
	  .task = "use what is installed; do not retry",
	  .ignore = "when the task needs no network: then it is a feature" },
	{ .id = "network.proxy-only",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_LIKELY,
	  .who = WHO_TASK,
	  .check = check_proxy_only,
	  .title = "The only way out is a proxy",
	  .consequence =
		  "Programs that ignore proxy variables cannot connect: Node's fetch, raw "
		  "sockets, ssh, database drivers. The proxy decides which hosts are reached.",
	  .remedy =
		  "Let each tool use the proxy (NODE_USE_ENV_PROXY=1, ssh ProxyCommand), and ask for "
		  "the hosts that it refuses.",
	  .meaning =
		  "No default route, and a proxy variable is set. The proxy itself was not asked.",
	  .docker = "-e HTTPS_PROXY",
	  .kubernetes = "env HTTPS_PROXY",
	  .podman = "--http-proxy",
	  .bubblewrap = "--setenv HTTPS_PROXY",
	  .task = "NODE_USE_ENV_PROXY=1; pip --proxy; git config http.proxy",
	  .ignore = "for tools that honour the variables" },
	{ .id = "network.loopback-down",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .when_false = "network.loopback_up",
	  .title = "The loopback interface is down",
	  .consequence = "Programs cannot talk to their own local servers: test servers, language "
			 "servers, debuggers, browsers under automation.",
	  .remedy = "Bring lo up in the network namespace.",
	  .meaning = "A datagram socket pointed at 127.0.0.1 was refused.",
	  .docker = "is up by default",
	  .kubernetes = "is up by default",
	  .podman = "is up by default",
	  .bubblewrap = "is brought up by --unshare-net",
	  .task = "ip link set lo up, with CAP_NET_ADMIN",
	  .ignore = "for tasks without local servers" },
	{ .id = "network.no-resolver",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_resolver,
	  .title = "No name server is configured",
	  .consequence = "Host names cannot be resolved, although a route exists.",
	  .remedy = "Provide /etc/resolv.conf.",
	  .meaning = "/etc/resolv.conf is missing or names no server.",
	  .docker = "--dns ADDRESS",
	  .kubernetes = "dnsPolicy, dnsConfig",
	  .podman = "--dns ADDRESS",
	  .bubblewrap =
		  "--ro-bind /etc/resolv.conf /etc/resolv.conf (the target, where it is a link)",
	  .task = "none",
	  .ignore = "when only addresses or /etc/hosts names are used" },
	{ .id = "network.inet-blocked",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_inet,
	  .title = "Internet sockets cannot be made at all",
	  .consequence =
		  "Nothing reaches the network, and local test servers on 127.0.0.1 do not work "
		  "either.",
	  .remedy = "Allow socket(AF_INET) in the sandbox's policy.",
	  .meaning =
		  "socket(AF_INET) itself was refused; the errno is in the evidence. EPERM or EACCES "
		  "is a filter or a security module.",
	  .docker = "a seccomp profile that allows socket",
	  .kubernetes = "securityContext.seccompProfile",
	  .podman = "a seccomp profile that allows socket",
	  .bubblewrap = "the filter given by --seccomp",
	  .task = "none: it is the sandbox's setting",
	  .ignore = "when the task uses no sockets" },
	{ .id = "network.unix-blocked",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_unix,
	  .title = "Unix sockets cannot be made",
	  .consequence = "Daemons and clients that meet in a socket file fail: docker, gpg-agent, "
			 "ssh-agent, PostgreSQL, D-Bus, tmux, Python multiprocessing managers.",
	  .remedy = "Allow AF_UNIX in the sandbox's settings.",
	  .meaning = "socket(AF_UNIX) was refused; socketpair may still work.",
	  .docker = "a seccomp profile that allows it",
	  .kubernetes = "securityContext.seccompProfile",
	  .podman = "a seccomp profile that allows it",
	  .bubblewrap = "the filter given by --seccomp",
	  .task = "use TCP on 127.0.0.1 instead",
	  .ignore = "when nothing meets over socket files" },
	{ .id = "network.ca-variable",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_ca_variable,
	  .title = "A certificate variable names a file that cannot be read: %s",
	  .consequence = "TLS clients that trust the variable refuse every server.",
	  .remedy = "Unset the variable, or put the bundle where it says.",
	  .meaning = "The variable is set; opening the path it names failed.",
	  .docker = "-v BUNDLE:PATH:ro",
	  .kubernetes = "mount the ConfigMap that holds it",
	  .podman = "-v BUNDLE:PATH:ro",
	  .bubblewrap = "--ro-bind the bundle",
	  .task = "unset the variable",
	  .ignore = "never" },
	{ .id = "network.ca-missing",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_LIKELY,
	  .who = WHO_IMAGE,
	  .check = check_ca_missing,
	  .title = "No certificate bundle was found",
	  .consequence = "https fails in curl, git, Go and OpenSSL programs: \"unable to get local "
			 "issuer certificate\".",
	  .remedy = "Install ca-certificates.",
	  .meaning = "None of the well-known places of a CA bundle can be read.",
	  .docker = "RUN apt-get install ca-certificates",
	  .kubernetes = "as for the image",
	  .podman = "RUN … install ca-certificates",
	  .bubblewrap = "--ro-bind /etc/ssl /etc/ssl (and what its links lead to)",
	  .task = "SSL_CERT_FILE=… to a bundle of your own (python: certifi)",
	  .ignore = "for clients with a bundle of their own (Node, Java, pip)" },
};

RULE_SET_DEFINE(network, rules);
