// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/sink_make.h"
#include "rules/layers.h"

/* A fact by hand: text, or one of the words below. A list is written "[a,b", a number "#1". */
struct given {
	const char *key, *value;
};

static const char yes[] = "yes", no[] = "no", absent[] = "absent", skipped[] = "skipped",
		  unsupported[] = "unsupported";

static void speak_items(struct sink *sink, const char *key, const char *text)
{
	char copy[256], *rest;
	const char *items[8] = { NULL };
	size_t count = 0;
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *item = strtok_r(copy, ",", &rest); item && count < 7;
	     item = strtok_r(NULL, ",", &rest))
		items[count++] = item;
	sink_list(sink, key, items, "test");
}

static void speak(struct sink *sink, const struct given *given)
{
	if (given->value == yes || given->value == no)
		sink_bool(sink, given->key, given->value == yes, "test");
	else if (given->value == absent)
		sink_fail(sink, given->key, ENOENT, "test");
	else if (given->value == skipped)
		sink_status(sink, given->key, FACT_SKIPPED, 0, "test");
	else if (given->value == unsupported)
		sink_fail(sink, given->key, EOPNOTSUPP, "test");
	else if (given->value[0] == '[')
		speak_items(sink, given->key, given->value + 1);
	else if (given->value[0] == '#')
		sink_int(sink, given->key, given->value[1] - '0', "test");
	else
		sink_text(sink, given->key, given->value, "test");
}

static struct profile *made(const struct given *facts)
{
	struct profile *profile = profile_new();
	struct sink *sink = sink_new_profile(profile);
	for (; facts->key; facts++)
		speak(sink, facts);
	sink_free(sink);
	profile_sort(profile);
	assert_int_equal(layers_run(profile), 0);
	return profile;
}

/* Compares with "id:confidence id:confidence …". */
static void assert_layers(const struct profile *profile, const char *expected)
{
	char text[512] = "";
	for (size_t i = 0; i < profile->layer_count; i++) {
		const struct layer *layer = &profile->layers[i];
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s:%s", i ? " " : "",
			 layer->id, confidence_name(layer->confidence));
		assert_true(*layer->evidence);
	}
	assert_string_equal(text, expected);
}

#define FIRST_NAMESPACES                                                                           \
	{ "kernel.namespace[pid].initial", yes }, { "kernel.namespace[ipc].initial", yes },        \
		{ "kernel.namespace[uts].initial", yes },                                          \
	{                                                                                          \
		"identity.user_namespace.initial", yes                                             \
	}
#define OWN_NAMESPACES                                                                             \
	{ "kernel.namespace[pid].initial", no }, { "kernel.namespace[ipc].initial", no },          \
	{                                                                                          \
		"kernel.namespace[uts].initial", no                                                \
	}

#define CHECK(expected, ...)                                                                       \
	do {                                                                                       \
		const struct given facts_[] = { __VA_ARGS__, { NULL, NULL } };                     \
		cleanup_profile struct profile *profile_ = made(facts_);                           \
		assert_layers(profile_, expected);                                                 \
	} while (0)

static void test_nothing(void **state)
{
	(void)state;
	CHECK("", FIRST_NAMESPACES, { "kernel.hypervisor", absent },
	      { "identity.seccomp_mode", "none" }, { "kernel.dmi_vendor", "LENOVO" },
	      { "identity.no_new_privs", no });
	CHECK("", { "memory.total_bytes", "#1" });
}

/* What could not be seen is not "nothing there". */
static void test_blind(void **state)
{
	(void)state;
	CHECK("unknown:possible", { "kernel.namespace[pid].initial", skipped },
	      { "kernel.hypervisor", absent });
	CHECK("kvm:certain unknown:possible", { "kernel.namespace[pid].initial", skipped },
	      { "kernel.hypervisor", "KVMKVMKVM" });
	CHECK("seccomp-filter:certain", { "kernel.namespace[pid].initial", skipped },
	      { "identity.seccomp_mode", "filter" });
}

static void test_machines(void **state)
{
	(void)state;
	CHECK("kvm:certain", FIRST_NAMESPACES, { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.dmi_vendor", "QEMU" });
	CHECK("qemu:certain", FIRST_NAMESPACES, { "kernel.hypervisor", "TCGTCGTCGTCG" });
	CHECK("amazon:certain", FIRST_NAMESPACES, { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.dmi_vendor", "Amazon EC2" });
	CHECK("google:certain", { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.dmi_product", "Google Compute Engine" });
	CHECK("microsoft:certain", { "kernel.hypervisor", "Microsoft Hv" },
	      { "kernel.dmi_vendor", "Microsoft Corporation" });
	CHECK("microsoft:likely", { "kernel.hypervisor", "Microsoft Hv" });
	CHECK("", FIRST_NAMESPACES, { "kernel.hypervisor", absent },
	      { "kernel.dmi_vendor", "Microsoft Corporation" });
	CHECK("microsoft:likely wsl:certain", FIRST_NAMESPACES,
	      { "kernel.hypervisor", "Microsoft Hv" }, { "kernel.osrelease_hint", "microsoft" });
	CHECK("vm-other:likely", FIRST_NAMESPACES, { "kernel.hypervisor", "NEWNEWNEWNEW" });
	CHECK("uml:certain", FIRST_NAMESPACES, { "cpu.model", "UML" });
	CHECK("kvm:certain kata:certain", { "kernel.hypervisor", "KVMKVMKVM" },
	      { "filesystem.mount[/etc/hosts].source", "kataShared" });
}

static void test_firecracker(void **state)
{
	(void)state;
	/* As root the ACPI tables name it, whatever the processor pretends to be. */
	CHECK("firecracker:certain", FIRST_NAMESPACES, { "kernel.hypervisor", "bhyve bhyve" },
	      { "kernel.acpi_oem", "FIRECK" });
	CHECK("firecracker:likely", FIRST_NAMESPACES, { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.dmi_vendor", absent },
	      { "kernel.marker[/sys/bus/acpi/devices/AMZNC10C:00]", yes });
	CHECK("firecracker:likely", FIRST_NAMESPACES, { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.dmi_vendor", absent }, { "kernel.marker[/sys/bus/pci/devices]", no });
	/* Amazon's own machines have that clock, and DMI. */
	CHECK("amazon:certain", FIRST_NAMESPACES, { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.dmi_vendor", "Amazon EC2" },
	      { "kernel.marker[/sys/bus/acpi/devices/AMZNC10C:00]", yes });
	/* /sys missing: DMI could not be looked at. */
	CHECK("kvm:certain", FIRST_NAMESPACES, { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.dmi_vendor", skipped }, { "kernel.marker[/sys/bus/pci/devices]", no });
	CHECK("kvm:certain", FIRST_NAMESPACES, { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.release", "6.1.0-fc" });
	CHECK("firecracker:possible", FIRST_NAMESPACES, { "kernel.release", "6.1.0-fc" });
}

static void test_docker(void **state)
{
	(void)state;
	CHECK("docker:certain seccomp-filter:certain", OWN_NAMESPACES,
	      { "kernel.marker[/.dockerenv]", yes }, { "filesystem.root_type", "overlay" },
	      { "filesystem.mount[/etc/hosts].root", "/var/lib/docker/containers/0a/hosts" },
	      { "identity.seccomp_mode", "filter" });
	CHECK("docker:likely", OWN_NAMESPACES, { "memory.cgroup.path", "/docker/0a" });
	CHECK("docker:certain user-namespace:certain", OWN_NAMESPACES,
	      { "filesystem.mount[/].super_options", "[lowerdir=/var/lib/docker/overlay2/l/A" },
	      { "memory.cgroup.path", "/system.slice/docker-0a.scope" },
	      { "identity.user_namespace.initial", no });
}

/* A marker file is copied with the image: possible at most, and nothing where nothing else is. */
static void test_lonely_marker(void **state)
{
	(void)state;
	CHECK("docker:possible", { "kernel.marker[/.dockerenv]", yes },
	      { "kernel.namespace[uts].initial", yes });
	CHECK("", FIRST_NAMESPACES, { "kernel.marker[/.dockerenv]", yes });
	CHECK("docker:possible", FIRST_NAMESPACES,
	      { "filesystem.mount[/x].root", "/var/lib/docker/containers/0a/x" },
	      { "memory.cgroup.path", "/docker/0a" });
	CHECK("podman:possible", { "kernel.marker[/run/.containerenv]", yes });
	CHECK("firejail:possible", { "kernel.container_env", "firejail" }, FIRST_NAMESPACES);
	CHECK("srt:possible", { "environment.names", "[SANDBOX_RUNTIME" });
	CHECK("kubernetes:possible", { "environment.names", "[KUBERNETES_SERVICE_HOST" });
}

static void test_engines(void **state)
{
	(void)state;
	CHECK("podman:certain", OWN_NAMESPACES, { "kernel.marker[/run/.containerenv]", yes },
	      { "kernel.container_env", "podman" }, { "filesystem.root_type", "fuse-overlayfs" },
	      { "memory.cgroup.path", "/machine.slice/libpod-0a.scope" });
	CHECK("podman:likely", OWN_NAMESPACES, { "kernel.marker[/run/.containerenv]", yes },
	      { "filesystem.root_type", "overlay" });
	CHECK("kubernetes:certain", OWN_NAMESPACES,
	      { "kernel.marker[/var/run/secrets/kubernetes.io/serviceaccount]", yes },
	      { "memory.cgroup.path", "/kubepods.slice/x" }, { "filesystem.root_type", "overlay" });
	CHECK("lxc:likely", OWN_NAMESPACES, { "kernel.container_env", "lxc" },
	      { "filesystem.mount[/proc/cpuinfo].type", "fuse.lxcfs" });
	CHECK("systemd-nspawn:likely", OWN_NAMESPACES, { "kernel.container_env", "systemd-nspawn" },
	      { "kernel.marker[/run/host/container-manager]", yes });
	CHECK("container-other:likely", OWN_NAMESPACES, { "filesystem.root_type", "overlay" });
	CHECK("docker:possible container-other:likely", OWN_NAMESPACES,
	      { "kernel.marker[/.dockerenv]", yes });
}

static void test_gvisor(void **state)
{
	(void)state;
	CHECK("kvm:certain gvisor:certain docker:possible", { "kernel.hypervisor", "KVMKVMKVM" },
	      { "kernel.gvisor", yes }, { "kernel.namespace[pid].initial", unsupported },
	      { "identity.user_namespace.initial", unsupported },
	      { "kernel.marker[/.dockerenv]", yes }, { "identity.seccomp_mode", "none" });
	CHECK("gvisor:certain", { "kernel.gvisor", yes },
	      { "kernel.namespace[pid].initial", unsupported });
}

static void test_bubblewrap(void **state)
{
	(void)state;
	CHECK("user-namespace:certain bubblewrap:certain", OWN_NAMESPACES,
	      { "identity.user_namespace.initial", no }, { "filesystem.mount[/].root", "/newroot" },
	      { "filesystem.mount[/].type", "tmpfs" });
	/* The host's root, bound read-only: process 1 gives it away. */
	CHECK("user-namespace:certain bubblewrap:certain", OWN_NAMESPACES,
	      { "identity.user_namespace.initial", no }, { "identity.no_new_privs", yes },
	      { "identity.user_namespace.mapped_uids", "#1" }, { "identity.init", "bwrap" });
	CHECK("user-namespace:certain bubblewrap:likely", OWN_NAMESPACES,
	      { "identity.user_namespace.initial", no }, { "identity.no_new_privs", yes },
	      { "identity.user_namespace.mapped_uids", "#1" }, { "identity.init", "3" });
	CHECK("user-namespace:certain bubblewrap:possible",
	      { "identity.user_namespace.initial", no }, { "identity.no_new_privs", yes },
	      { "identity.user_namespace.mapped_uids", "#1" });
	CHECK("user-namespace:certain", { "identity.user_namespace.initial", no },
	      { "identity.no_new_privs", no }, { "identity.user_namespace.mapped_uids", "#1" });
}

static void test_agents(void **state)
{
	(void)state;
	CHECK("codex:certain seccomp-filter:certain", FIRST_NAMESPACES,
	      { "environment.names", "[CODEX_SANDBOX_NETWORK_DISABLED" },
	      { "network.socket[inet].errno", "EPERM" }, { "identity.seccomp_mode", "filter" },
	      { "identity.no_new_privs", yes });
	CHECK("srt:certain claude-code:likely seccomp-filter:certain", FIRST_NAMESPACES,
	      { "environment.names", "[SANDBOX_RUNTIME,CLAUDECODE" },
	      { "network.socket[unix].errno", "EPERM" }, { "identity.seccomp_mode", "filter" },
	      { "network.proxy[HTTP_PROXY]", "http://localhost:3128" });
}

/* An agent's name in the environment encloses nothing. */
static void test_agent_without_sandbox(void **state)
{
	(void)state;
	CHECK("", FIRST_NAMESPACES, { "environment.names", "[CLAUDECODE" });
	CHECK("", FIRST_NAMESPACES, { "environment.names", "[CODEX_CI" });
	CHECK("", FIRST_NAMESPACES, { "network.proxy[HTTP_PROXY]", "http://localhost:3128" });
	CHECK("claude-code:likely", FIRST_NAMESPACES, { "environment.names", "[CLAUDECODE" },
	      { "network.socket[unix].errno", "EPERM" });
}

#define DIR(property) "filesystem.dir[/work]." property

static void test_landlock(void **state)
{
	(void)state;
	CHECK("landlock:likely", FIRST_NAMESPACES, { DIR("create_errno"), "EACCES" },
	      { DIR("type"), "ext4" }, { DIR("mode"), "0755" }, { DIR("owner"), "#7" },
	      { "identity.euid", "#7" }, { "kernel.lsm", "[landlock" },
	      { "identity.no_new_privs", yes });
	/* Another's directory, a network's, a labelled process, no sign beside it. */
	CHECK("", FIRST_NAMESPACES, { DIR("create_errno"), "EACCES" }, { DIR("type"), "ext4" },
	      { DIR("mode"), "0755" }, { DIR("owner"), "#0" }, { "identity.euid", "#7" },
	      { "identity.no_new_privs", yes });
	CHECK("", FIRST_NAMESPACES, { DIR("create_errno"), "EACCES" }, { DIR("type"), "nfs4" },
	      { DIR("mode"), "0777" }, { "identity.no_new_privs", yes });
	CHECK("", FIRST_NAMESPACES, { DIR("create_errno"), "EACCES" }, { DIR("type"), "ext4" },
	      { DIR("mode"), "0777" }, { "identity.no_new_privs", yes },
	      { "identity.lsm_label", "snap.x (enforce)" });
	CHECK("", FIRST_NAMESPACES, { DIR("create_errno"), "EACCES" }, { DIR("type"), "ext4" },
	      { DIR("mode"), "0777" });
}

static void test_chroot(void **state)
{
	(void)state;
	CHECK("chroot:likely", FIRST_NAMESPACES, { "filesystem.mount_count", "#1" },
	      { "filesystem.mount[/proc].type", "proc" });
	CHECK("", FIRST_NAMESPACES, { "filesystem.mount_count", "#1" },
	      { "filesystem.mount[/].type", "ext4" });
	CHECK("", FIRST_NAMESPACES, { "filesystem.mount_count", absent });
}

/* Values are a sandbox's own words: long ones are cut, and running twice gives the same. */
static void test_hostile_and_repeated(void **state)
{
	(void)state;
	char path[3000];
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	memcpy(path, "/docker/", 8);
	const struct given facts[] = { { "memory.cgroup.path", path },
				       { "kernel.marker[/.dockerenv]", yes },
				       { "identity.init", "bwrap" },
				       { NULL, NULL } };
	cleanup_profile struct profile *p = made(facts);

	assert_layers(p, "docker:likely bubblewrap:likely");
	assert_true(strlen(p->layers[0].evidence) < 1024);
	assert_int_equal(layers_run(p), 0);
	assert_layers(p, "docker:likely bubblewrap:likely");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_blind),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_firecracker),
		cmocka_unit_test(test_docker),
		cmocka_unit_test(test_lonely_marker),
		cmocka_unit_test(test_engines),
		cmocka_unit_test(test_gvisor),
		cmocka_unit_test(test_bubblewrap),
		cmocka_unit_test(test_agents),
		cmocka_unit_test(test_agent_without_sandbox),
		cmocka_unit_test(test_landlock),
		cmocka_unit_test(test_chroot),
		cmocka_unit_test(test_hostile_and_repeated),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
