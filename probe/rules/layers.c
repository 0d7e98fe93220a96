// SPDX-License-Identifier: Apache-2.0
/*
 * Signs are rows: a fact that speaks for a layer, and how much. No sign that anybody can forge or copy (a marker
 * file, a variable) makes a layer more than possible; behaviour and what the kernel tells do.
 */
#include "rules/layers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

enum weight {
	HINT = 1, /* can be copied into an image, or set by anybody */
	TRACE = 2, /* a habit of that engine */
	PROOF = 4, /* the kernel, processor or firmware says so */
};

enum test {
	IS, /* the text is value */
	HAS, /* the text, or an item of the list, contains value */
	LISTS, /* an item of the list is value */
	TRUE,
	FALSE,
	THERE, /* has any value */
};

struct sign {
	const char *layer;
	enum weight weight;
	enum test test;
	const char *key; /* key_matches */
	const char *value;
	bool support; /* counts only beside a sign of its own kind */
};

static const struct sign signs[] = {
	{ "firecracker", PROOF, IS, "kernel.acpi_oem", "FIRECK", false },
	{ "firecracker", TRACE, HAS, "kernel.release", "firecracker", false },
	{ "firecracker", HINT, HAS, "kernel.release", "-fc", false },
	{ "cloud-hypervisor", PROOF, IS, "kernel.dmi_vendor", "Cloud Hypervisor", false },
	{ "cloud-hypervisor", PROOF, IS, "kernel.acpi_oem", "CLOUDH", false },
	{ "amazon", PROOF, IS, "kernel.dmi_vendor", "Amazon EC2", false },
	{ "google", PROOF, IS, "kernel.dmi_product", "Google Compute Engine", false },
	{ "oracle", PROOF, IS, "kernel.hypervisor", "VBoxVBoxVBox", false },
	{ "oracle", PROOF, IS, "kernel.dmi_product", "VirtualBox", false },
	{ "oracle", TRACE, IS, "kernel.dmi_vendor", "innotek GmbH", false },
	{ "vmware", PROOF, IS, "kernel.hypervisor", "VMwareVMware", false },
	{ "vmware", PROOF, HAS, "kernel.dmi_vendor", "VMware", false },
	{ "xen", PROOF, IS, "kernel.hypervisor", "XenVMMXenVMM", false },
	{ "xen", PROOF, IS, "kernel.dmi_vendor", "Xen", false },
	{ "xen", PROOF, HAS, "kernel.hypervisor", "xen,", false },
	/* KVM shows this signature too, to please Windows: alone it is no proof. */
	{ "microsoft", TRACE, IS, "kernel.hypervisor", "Microsoft Hv", false },
	{ "microsoft", TRACE, IS, "kernel.dmi_vendor", "Microsoft Corporation", true },
	{ "microsoft", PROOF, IS, "kernel.dmi_product", "Virtual Machine", true },
	{ "parallels", PROOF, HAS, "kernel.dmi_vendor", "Parallels", false },
	{ "parallels", PROOF, HAS, "kernel.hypervisor", "lrpepyh", false },
	{ "uml", PROOF, IS, "cpu.model", "UML", false },
	{ "kvm", PROOF, HAS, "kernel.hypervisor", "KVM", false },
	{ "kvm", PROOF, IS, "kernel.hypervisor", "linux,kvm", false },
	{ "qemu", PROOF, IS, "kernel.hypervisor", "TCGTCGTCGTCG", false },
	{ "qemu", PROOF, IS, "kernel.dmi_vendor", "QEMU", false },
	{ "qemu", TRACE, HAS, "cpu.model", "QEMU", false },
	{ "bhyve", TRACE, IS, "kernel.hypervisor", "bhyve bhyve", false },
	{ "bhyve", PROOF, IS, "kernel.dmi_product", "BHYVE", false },
	{ "vm-other", TRACE, THERE, "kernel.hypervisor", NULL, false },

	{ "kata", PROOF, IS, "filesystem.mount[*].source", "kataShared", false },
	{ "kata", TRACE, HAS, "kernel.release", "kata", false },
	{ "kata", HINT, TRUE, "kernel.marker[/run/kata-containers]", NULL, false },
	{ "gvisor", PROOF, TRUE, "kernel.gvisor", NULL, false },

	{ "wsl", PROOF, IS, "kernel.osrelease_hint", "microsoft", false },
	{ "lxc", HINT, IS, "kernel.container_env", "lxc", false },
	{ "lxc", TRACE, HAS, "memory.cgroup.path", "lxc.payload", false },
	{ "lxc", TRACE, HAS, "memory.cgroup.path", "/lxc/", false },
	{ "lxc", TRACE, IS, "filesystem.mount[*].type", "fuse.lxcfs", false },
	{ "systemd-nspawn", HINT, IS, "kernel.container_env", "systemd-nspawn", false },
	{ "systemd-nspawn", HINT, TRUE, "kernel.marker[/run/host/container-manager]", NULL, false },
	{ "systemd-nspawn", TRACE, HAS, "memory.cgroup.path", "machine.slice/", true },
	{ "kubernetes", HINT, TRUE, "kernel.marker[/var/run/secrets/kubernetes.io/serviceaccount]",
	  NULL, false },
	{ "kubernetes", HINT, LISTS, "environment.names", "KUBERNETES_SERVICE_HOST", false },
	{ "kubernetes", TRACE, HAS, "memory.cgroup.path", "kubepods", false },
	{ "kubernetes", TRACE, THERE, "filesystem.mount[/dev/termination-log].type", NULL, false },
	{ "kubernetes", TRACE, HAS, "filesystem.mount[*].root", "/kubelet/pods/", false },
	{ "docker", HINT, TRUE, "kernel.marker[/.dockerenv]", NULL, false },
	{ "docker", TRACE, HAS, "memory.cgroup.path", "/docker/", false },
	{ "docker", TRACE, HAS, "memory.cgroup.path", "docker-", false },
	{ "docker", TRACE, HAS, "filesystem.mount[*].root", "/docker/containers/", false },
	{ "docker", TRACE, HAS, "filesystem.mount[/].super_options", "/docker/", false },
	{ "podman", HINT, TRUE, "kernel.marker[/run/.containerenv]", NULL, false },
	{ "podman", HINT, IS, "kernel.container_env", "podman", false },
	{ "podman", TRACE, HAS, "memory.cgroup.path", "libpod", false },
	{ "podman", TRACE, HAS, "filesystem.mount[*].root", "/overlay-containers/", false },
	{ "podman", TRACE, HAS, "filesystem.mount[/].super_options", "containers/storage", false },
	{ "flatpak", HINT, TRUE, "kernel.marker[/.flatpak-info]", NULL, false },
	{ "flatpak", HINT, IS, "kernel.container_env", "flatpak", false },
	{ "flatpak", TRACE, HAS, "filesystem.mount[/app].root", "flatpak", false },

	{ "user-namespace", PROOF, FALSE, "identity.user_namespace.initial", NULL, false },
	{ "bubblewrap", PROOF, IS, "filesystem.mount[/].root", "/newroot", false },
	{ "bubblewrap", TRACE, IS, "identity.init", "bwrap", false },
	{ "bubblewrap", TRACE, IS, "identity.parent", "bwrap", false },
	{ "firejail", HINT, IS, "kernel.container_env", "firejail", false },
	{ "firejail", TRACE, IS, "identity.init", "firejail", false },
	{ "firejail", TRACE, IS, "identity.parent", "firejail", false },
	{ "firejail", TRACE, HAS, "filesystem.mount[*].root", "/firejail/", false },
	{ "srt", HINT, LISTS, "environment.names", "SANDBOX_RUNTIME", false },
	{ "srt", HINT, HAS, "network.proxy[*]", "localhost:3128", true },
	{ "srt", HINT, IS, "network.socket[unix].errno", "EPERM", true },
	{ "srt", HINT, IS, "identity.seccomp_mode", "filter", true },
	{ "srt", HINT, TRUE, "identity.no_new_privs", NULL, true },
	{ "codex", HINT, LISTS, "environment.names", "CODEX_SANDBOX_NETWORK_DISABLED", false },
	{ "codex", HINT, LISTS, "environment.names", "CODEX_SANDBOX", false },
	{ "codex", TRACE, HAS, "identity.init", "codex-linux-san", false },
	{ "codex", HINT, IS, "identity.parent", "codex", true },
	{ "codex", HINT, IS, "network.socket[inet].errno", "EPERM", true },
	{ "codex", HINT, IS, "identity.seccomp_mode", "filter", true },
	{ "codex", HINT, TRUE, "identity.no_new_privs", NULL, true },
	/* The agent's name alone encloses nothing: it also runs commands without a sandbox. */
	{ "claude-code", HINT, LISTS, "environment.names", "CLAUDECODE", false },
	{ "claude-code", HINT, LISTS, "environment.names", "SANDBOX_RUNTIME", true },
	{ "claude-code", HINT, IS, "network.socket[unix].errno", "EPERM", true },
	{ "seccomp-filter", PROOF, IS, "identity.seccomp_mode", "filter", false },
};

struct case_ {
	const struct profile *profile;
	int own, support; /* weights */
	size_t said; /* signs in the evidence */
	struct buf evidence;
};
