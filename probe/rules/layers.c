// SPDX-License-Identifier: Apache-2.0
#include "rules/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a detector has gathered: signs, each a fact that speaks for the layer. */
struct signs {
	char evidence[512];
	int strong, weak;
};

static void sign(struct signs *signs, bool strong, const char *what)
{
	size_t used = strlen(signs->evidence);
	snprintf(signs->evidence + used, sizeof(signs->evidence) - used, "%s%s", used ? "; " : "",
		 what);
	if (strong)
		signs->strong++;
	else
		signs->weak++;
}

static bool text_is(const struct profile *p, const char *key, const char *value)
{
	const char *text = profile_text(p, key);
	return text && !strcmp(text, value);
}

static bool text_has(const struct profile *p, const char *key, const char *part)
{
	const char *text = profile_text(p, key);
	return text && strstr(text, part);
}

static bool marker(const struct profile *p, const char *path)
{
	return profile_true(p, key_make("kernel.marker", path, NULL).text);
}

/* Namespaces other than the machine's first ones: something encloses us, whoever it was. */
static bool namespaced(const struct profile *p, const char *kind)
{
	return profile_false(p, key_make("kernel.namespace", kind, "initial").text);
}

static bool cgroup_names(const struct profile *p, const char *part)
{
	return text_has(p, "memory.cgroup.path", part);
}

static void firecracker(const struct profile *p, struct signs *s)
{
	if (text_has(p, "kernel.acpi_oem", "FIRECK"))
		sign(s, true, "the ACPI tables are by FIRECK");
	if (text_has(p, "kernel.release", "-fc") || text_has(p, "kernel.release", "firecracker"))
		sign(s, false, "the kernel's release names it");
}

static void vm_vendor(const struct profile *p, struct signs *s, const char *vendor,
		      const char *signature)
{
	if (vendor &&
	    (text_has(p, "kernel.dmi_vendor", vendor) || text_has(p, "kernel.dmi_product", vendor)))
		sign(s, true, "DMI names it");
	if (signature && text_has(p, "kernel.hypervisor", signature))
		sign(s, !vendor, "CPUID has its signature");
}

static void qemu(const struct profile *p, struct signs *s)
{
	vm_vendor(p, s, "QEMU", "TCGTCGTCG");
}

static void microsoft(const struct profile *p, struct signs *s)
{
	vm_vendor(p, s, "Microsoft", "Microsoft Hv");
}

static void vmware(const struct profile *p, struct signs *s)
{
	vm_vendor(p, s, "VMware", "VMware");
}

static void xen(const struct profile *p, struct signs *s)
{
	vm_vendor(p, s, "Xen", "XenVMM");
}

static void google(const struct profile *p, struct signs *s)
{
	vm_vendor(p, s, "Google", NULL);
}

static void amazon(const struct profile *p, struct signs *s)
{
	vm_vendor(p, s, "Amazon", NULL);
}

static void kvm(const struct profile *p, struct signs *s)
{
	vm_vendor(p, s, NULL, "KVMKVMKVM");
}

static void vm_other(const struct profile *p, struct signs *s)
{
	if (profile_text(p, "kernel.hypervisor"))
		sign(s, true, "CPUID says that there is a hypervisor");
}

static void wsl(const struct profile *p, struct signs *s)
{
	if (text_has(p, "kernel.release", "microsoft") ||
	    text_has(p, "kernel.release", "Microsoft"))
		sign(s, true, "the kernel's release names it");
}

static void gvisor(const struct profile *p, struct signs *s)
{
	if (profile_true(p, "kernel.gvisor"))
		sign(s, true, "its own habits in /proc and the kernel log");
}

static void docker(const struct profile *p, struct signs *s)
{
	if (marker(p, "/.dockerenv"))
		sign(s, false, "/.dockerenv");
	if (cgroup_names(p, "/docker") || cgroup_names(p, "docker-"))
		sign(s, true, "the cgroup's path");
	if (namespaced(p, "pid") && text_is(p, "filesystem.root_type", "overlay"))
		sign(s, false, "its own processes on an overlay");
}

static void podman(const struct profile *p, struct signs *s)
{
	if (marker(p, "/run/.containerenv"))
		sign(s, false, "/run/.containerenv");
	if (text_is(p, "kernel.container_env", "podman"))
		sign(s, true, "container=podman in the environment");
	if (cgroup_names(p, "libpod"))
		sign(s, true, "the cgroup's path");
}

static void nspawn(const struct profile *p, struct signs *s)
{
	if (text_is(p, "kernel.container_env", "systemd-nspawn"))
		sign(s, true, "container=systemd-nspawn in the environment");
}

static void lxc(const struct profile *p, struct signs *s)
{
	if (text_is(p, "kernel.container_env", "lxc"))
		sign(s, true, "container=lxc in the environment");
	if (cgroup_names(p, "lxc"))
		sign(s, false, "the cgroup's path");
}

static void kubernetes(const struct profile *p, struct signs *s)
{
	if (marker(p, "/var/run/secrets/kubernetes.io/serviceaccount"))
		sign(s, false, "a service account is mounted");
	if (cgroup_names(p, "kubepods"))
		sign(s, true, "the cgroup's path");
}

static void bubblewrap(const struct profile *p, struct signs *s)
{
	if (text_is(p, "identity.init", "bwrap"))
		sign(s, true, "process 1 is bwrap");
	if (text_is(p, "filesystem.mount[/].root", "/newroot") &&
	    text_is(p, "filesystem.mount[/].type", "tmpfs"))
		sign(s, true, "the root is the /newroot of a tmpfs, as bwrap makes it");
	if (s->strong + s->weak == 0 && profile_true(p, "identity.no_new_privs") &&
	    profile_int(p, "identity.user_namespace.mapped_uids", 0) == 1 && namespaced(p, "user"))
		sign(s, false, "no_new_privs, and a user namespace of one id");
}

/* Something separates us, but not in a way that names its maker. */
static void container_other(const struct profile *p, struct signs *s)
{
	if (namespaced(p, "pid"))
		sign(s, true, "a PID namespace of its own");
	if (namespaced(p, "user"))
		sign(s, false, "a user namespace");
	if (s->strong && namespaced(p, "ipc"))
		sign(s, false, "an IPC namespace");
}

static void user_namespace(const struct profile *p, struct signs *s)
{
	if (namespaced(p, "user"))
		sign(s, true, "its inode is not the first one's");
}

static void seccomp_filter(const struct profile *p, struct signs *s)
{
	if (text_is(p, "identity.seccomp_mode", "filter"))
		sign(s, true, "Seccomp: 2 in /proc/self/status");
}

/* Outermost first. One of a group is enough: an "other" is told only where its group named nobody. */
static const struct detector {
	const char *id;
	char group; /* m machine, c container; 0: on its own */
	bool rest;
	void (*look)(const struct profile *p, struct signs *s);
} detectors[] = {
	{ "firecracker", 'm', false, firecracker },
	{ "amazon", 'm', false, amazon },
	{ "google", 'm', false, google },
	{ "microsoft", 'm', false, microsoft },
	{ "vmware", 'm', false, vmware },
	{ "xen", 'm', false, xen },
	{ "qemu", 'm', false, qemu },
	{ "kvm", 'm', true, kvm },
	{ "vm-other", 'm', true, vm_other },
	{ "wsl", 0, false, wsl },
	{ "gvisor", 'c', false, gvisor },
	{ "kubernetes", 0, false, kubernetes },
	{ "docker", 'c', false, docker },
	{ "podman", 'c', false, podman },
	{ "systemd-nspawn", 'c', false, nspawn },
	{ "lxc", 'c', false, lxc },
	{ "bubblewrap", 'c', false, bubblewrap },
	{ "container-other", 'c', true, container_other },
	{ "user-namespace", 0, false, user_namespace },
	{ "seccomp-filter", 0, false, seccomp_filter },
};

/* One strong sign with another beside it is certain; one alone is likely; a marker alone is a possibility. */
static enum confidence confidence_of(const struct signs *s)
{
	if (s->strong && s->strong + s->weak > 1)
		return CONFIDENCE_CERTAIN;
	return s->strong || s->weak > 1 ? CONFIDENCE_LIKELY : CONFIDENCE_POSSIBLE;
}

int layers_run(struct profile *profile)
{
	bool named[128] = { false };

	profile_clear_layers(profile);
	for (size_t i = 0; i < sizeof(detectors) / sizeof(*detectors); i++) {
		const struct detector *detector = &detectors[i];
		struct signs signs = { 0 };
		if (detector->rest && named[(unsigned char)detector->group])
			continue;
		detector->look(profile, &signs);
		if (!signs.strong && !signs.weak)
			continue;
		/* What only the kernel's own file tells needs no second sign. */
		bool plain = !detector->group && signs.strong;
		struct layer layer = { .id = strdup(detector->id),
				       .evidence = strdup(signs.evidence),
				       .confidence =
					       plain ? CONFIDENCE_CERTAIN : confidence_of(&signs) };
		bool whole = layer.id && layer.evidence;
		if (profile_add_layer(profile, layer) || !whole)
			return -1;
		named[(unsigned char)detector->group] = true;
	}
	return 0;
}
