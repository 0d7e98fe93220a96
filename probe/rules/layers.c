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
	/* Not by CPUID: other hypervisors borrow "bhyve bhyve" (seen under Firecracker). */
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

	{ "container-other", TRACE, FALSE, "kernel.namespace[pid].initial", NULL, false },
	{ "container-other", HINT, THERE, "kernel.container_env", NULL, false },
	{ "container-other", HINT, TRUE, "kernel.marker[/run/systemd/container]", NULL, false },
	{ "container-other", HINT, TRUE, "kernel.marker[/.singularity.d]", NULL, false },
	{ "container-other", HINT, FALSE, "kernel.namespace[ipc].initial", NULL, true },
	{ "container-other", HINT, FALSE, "kernel.namespace[uts].initial", NULL, true },
	{ "container-other", HINT, HAS, "filesystem.root_type", "overlay", true },

	{ "user-namespace", PROOF, FALSE, "identity.user_namespace.initial", NULL, false },
	{ "bubblewrap", PROOF, IS, "filesystem.mount[/].root", "/newroot", false },
	{ "bubblewrap", TRACE, IS, "identity.init", "bwrap", false },
	{ "bubblewrap", TRACE, IS, "identity.parent", "bwrap", false },
	{ "firejail", HINT, IS, "kernel.container_env", "firejail", false },
	{ "firejail", TRACE, IS, "identity.init", "firejail", false },
	{ "firejail", TRACE, IS, "identity.parent", "firejail", false },
	/* Mounts below /run/firejail outlive the jail on the host: no sign by themselves. */
	{ "firejail", TRACE, HAS, "filesystem.mount[*].root", "/firejail/", true },
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
	{ "landlock", HINT, LISTS, "kernel.lsm", "landlock", true },
	{ "landlock", HINT, TRUE, "identity.no_new_privs", NULL, true },
	{ "seccomp-filter", PROOF, IS, "identity.seccomp_mode", "filter", false },
};

struct look {
	const struct profile *profile;
	int own, support; /* weights */
	struct buf evidence;
};

#define EVIDENCE_MAX 1024

static void say(struct look *look, int weight, bool support, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void say(struct look *look, int weight, bool support, const char *fmt, ...)
{
	char text[320];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	*(support ? &look->support : &look->own) += weight;
	/* Evidence that no longer fits is left out; the weight stays. */
	if (look->evidence.len + strlen(text) + 2 < EVIDENCE_MAX)
		buf_printf(&look->evidence, "%s%s", look->evidence.len ? "; " : "", text);
}

/* The part of the fact that satisfies the sign; NULL when none does. */
static const char *satisfied(const struct sign *sign, const struct fact *fact)
{
	if (fact->status != FACT_OK)
		return NULL;
	if (fact->type == FACT_BOOL)
		return sign->test == TRUE && fact->number     ? "true"
		       : sign->test == FALSE && !fact->number ? "false"
							      : NULL;
	if (sign->test == THERE)
		return fact->type == FACT_TEXT ? fact->value : "there";
	if (fact->type == FACT_TEXT)
		return (sign->test == IS && !strcmp(fact->value, sign->value)) ||
				       (sign->test == HAS && strstr(fact->value, sign->value))
			       ? fact->value
			       : NULL;
	for (const char *item = NULL;
	     fact->type == FACT_LIST && (item = fact_list_next(fact, item));)
		if ((sign->test == LISTS && !strcmp(item, sign->value)) ||
		    (sign->test == HAS && strstr(item, sign->value)))
			return item;
	return NULL;
}

static void weigh(struct look *look, const struct sign *sign)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(look->profile, sign->key, fact));) {
		const char *value = satisfied(sign, fact);
		if (!value)
			continue;
		bool list = fact->type == FACT_LIST;
		say(look, sign->weight, sign->support, "%.150s %s %.120s", fact->key,
		    list ? "has" : "is", value);
		return;
	}
}

static bool absent(const struct profile *p, const char *key)
{
	const struct fact *fact = profile_find(p, key);
	return fact && fact->status == FACT_ABSENT;
}

/* A kernel that has /sys but no DMI runs on no PC, and on none of the larger virtual machines. */
static void look_firecracker(struct look *look)
{
	const struct profile *p = look->profile;
	const char *hypervisor = profile_text(p, "kernel.hypervisor");
	if (!absent(p, "kernel.dmi_vendor"))
		return;
	if (profile_true(p, "kernel.marker[/sys/bus/acpi/devices/AMZNC10C:00]"))
		say(look, TRACE, false, "no DMI, yet the clock device of Amazon's hypervisors");
	else if (hypervisor && strstr(hypervisor, "KVM") &&
		 profile_false(p, "kernel.marker[/sys/bus/pci/devices]"))
		say(look, TRACE, false, "KVM with neither DMI nor a PCI bus");
}

static void look_bubblewrap(struct look *look)
{
	const struct profile *p = look->profile;
	if (!profile_true(p, "identity.no_new_privs") ||
	    !profile_false(p, "identity.user_namespace.initial") ||
	    profile_int(p, "identity.user_namespace.mapped_uids", 0) != 1)
		return;
	say(look, HINT, false, "no_new_privs in a user namespace that maps one id");
	if (profile_false(p, "kernel.namespace[pid].initial"))
		say(look, HINT, false, "kernel.namespace[pid].initial is false");
}

/* May we write there by the mode bits, or by the capability that stands above them? */
static bool mode_allows(const struct profile *p, const char *dir)
{
	const char *mode = profile_text(p, key_make("filesystem.dir", dir, "mode").text);
	int64_t owner = profile_int(p, key_make("filesystem.dir", dir, "owner").text, -1);
	int64_t euid = profile_int(p, "identity.euid", -2);
	const struct fact *held = profile_find(p, "identity.capabilities.effective");
	unsigned long bits = mode ? strtoul(mode, NULL, 8) : 0;
	if (held && held->status == FACT_OK && held->type == FACT_LIST &&
	    fact_list_has(held, "cap_dac_override") &&
	    profile_true(p, "identity.user_namespace.initial"))
		return true;
	return owner == euid ? (bits & 0300) == 0300 : (bits & 0333) == 0333;
}

/* Landlock tells nothing of itself: EACCES where owner, mode and mount allow is what it looks like. */
static void look_landlock(struct look *look)
{
	static const char *const local[] = { "ext4", "ext3",	"xfs", "btrfs", "tmpfs",
					     "f2fs", "overlay", "zfs", "ramfs" };
	const struct profile *p = look->profile;
	const char *label = profile_text(p, "identity.lsm_label");
	if ((label && strcmp(label, "unconfined") != 0) || profile_true(p, "kernel.gvisor"))
		return;
	for (const struct fact *fact = NULL;
	     (fact = profile_next(p, "filesystem.dir[*].create_errno", fact));) {
		char dir[FACT_KEY_MAX];
		if (fact->status != FACT_OK || fact->type != FACT_TEXT ||
		    strcmp(fact->value, "EACCES") != 0 ||
		    key_name(fact->key, dir, sizeof(dir)) < 0 ||
		    profile_true(p, key_make("filesystem.dir", dir, "readonly").text) ||
		    !mode_allows(p, dir))
			continue;
		const char *type = profile_text(p, key_make("filesystem.dir", dir, "type").text);
		for (size_t i = 0; type && i < ARRAY_SIZE(local); i++)
			if (!strcmp(type, local[i])) {
				say(look, HINT, false,
				    "%.150s is EACCES though mode and mount allow", fact->key);
				return;
			}
	}
}

#define MOUNTS_TOLD 200 /* of more mounts the profile leaves out some */

/* The mount table shows what can be reached from our root: a root that is no mount point is not in it. */
static void look_chroot(struct look *look)
{
	int64_t count = profile_int(look->profile, "filesystem.mount_count", 0);
	if (count > 0 && count <= MOUNTS_TOLD &&
	    !profile_find(look->profile, "filesystem.mount[/].type"))
		say(look, TRACE, false, "the mount table has no entry for /");
}

enum group {
	MACHINE, /* one at most */
	ENGINE, /* has namespaces of its own */
	JAIL,
	ALONE,
};

/* Outermost first; among machines the more special first. */
static const struct detector {
	const char *id;
	enum group group;
	int least; /* weight below which it is not told */
	void (*look)(struct look *look); /* signs that are no single fact; may be NULL */
} detectors[] = {
	{ "firecracker", MACHINE, HINT, look_firecracker },
	{ "cloud-hypervisor", MACHINE, HINT, NULL },
	{ "amazon", MACHINE, HINT, NULL },
	{ "google", MACHINE, HINT, NULL },
	{ "oracle", MACHINE, HINT, NULL },
	{ "vmware", MACHINE, HINT, NULL },
	{ "xen", MACHINE, HINT, NULL },
	{ "parallels", MACHINE, HINT, NULL },
	{ "uml", MACHINE, HINT, NULL },
	{ "kvm", MACHINE, HINT, NULL },
	{ "qemu", MACHINE, HINT, NULL },
	{ "microsoft", MACHINE, HINT, NULL },
	{ "bhyve", MACHINE, HINT, NULL },
	{ "vm-other", MACHINE, HINT, NULL },
	{ "kata", ALONE, HINT, NULL },
	{ "gvisor", ALONE, HINT, NULL },
	{ "wsl", ALONE, HINT, NULL },
	{ "lxc", ENGINE, HINT, NULL },
	{ "systemd-nspawn", ENGINE, HINT, NULL },
	{ "kubernetes", ENGINE, HINT, NULL },
	{ "docker", ENGINE, HINT, NULL },
	{ "podman", ENGINE, HINT, NULL },
	{ "flatpak", ENGINE, HINT, NULL },
	{ "container-other", ENGINE, HINT, NULL },
	{ "user-namespace", ALONE, HINT, NULL },
	{ "bubblewrap", JAIL, HINT, look_bubblewrap },
	{ "firejail", JAIL, HINT, NULL },
	{ "srt", JAIL, HINT, NULL },
	{ "codex", JAIL, HINT, NULL },
	{ "claude-code", JAIL, HINT + HINT, NULL },
	{ "landlock", ALONE, HINT + HINT, look_landlock },
	{ "seccomp-filter", ALONE, HINT, NULL },
	{ "chroot", ALONE, HINT, look_chroot },
};

static bool is(const struct detector *detector, const char *id)
{
	return !strcmp(detector->id, id);
}

/* All namespaces that an engine makes by default are the machine's first ones. */
static bool in_first_namespaces(const struct profile *p)
{
	return profile_true(p, "kernel.namespace[pid].initial") &&
	       profile_true(p, "kernel.namespace[ipc].initial") &&
	       profile_true(p, "kernel.namespace[uts].initial");
}

/* The weight of a detector; 0: it is not told. */
static int judge(const struct detector *detector, struct look *look)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (is(detector, signs[i].layer))
			weigh(look, &signs[i]);
	if (detector->look)
		detector->look(look);
	if (!look->own)
		return 0;
	int weight = look->own + look->support;
	if (detector->group == ENGINE && in_first_namespaces(look->profile)) {
		/* An image that once was a container's keeps its marker when it is booted. */
		if (weight < TRACE)
			return 0;
		say(look, 0, true, "yet all namespaces are the machine's first");
		return HINT;
	}
	/* A PID namespace alone may be another's work; an overlay below it is what engines make. */
	const char *root = profile_text(look->profile, "filesystem.root_type");
	if (detector->group == ENGINE && !is(detector, "container-other") && root &&
	    strstr(root, "overlay") &&
	    profile_false(look->profile, "kernel.namespace[pid].initial")) {
		say(look, HINT, true, "a PID namespace on an overlay");
		weight += HINT;
	}
	if (is(detector, "container-other") && weight >= PROOF)
		weight = PROOF - 1; /* that there is one is sure, not which */
	return weight >= detector->least ? weight : 0;
}

/* Of machines the first that is at least likely, or else the first; an engine without a name only alone. */
static void settle(int weights[ARRAY_SIZE(detectors)])
{
	size_t best = ARRAY_SIZE(detectors), other = best;
	bool named = false;
	for (size_t i = 0; i < ARRAY_SIZE(detectors); i++) {
		const struct detector *detector = &detectors[i];
		if (detector->group == MACHINE && weights[i] &&
		    (best == ARRAY_SIZE(detectors) ||
		     (weights[best] < TRACE && weights[i] >= TRACE)))
			best = i;
		if (is(detector, "container-other"))
			other = i;
		else if (weights[i] >= TRACE &&
			 (detector->group == ENGINE || detector->group == JAIL ||
			  is(detector, "gvisor") || is(detector, "kata")))
			named = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(detectors); i++)
		if (detectors[i].group == MACHINE && i != best)
			weights[i] = 0;
	if (named)
		weights[other] = 0;
}

static int add(struct profile *profile, const char *id, const char *evidence, int weight)
{
	struct layer layer = {
		.id = strdup(id),
		.evidence = strdup(evidence),
		.confidence = weight >= PROOF	? CONFIDENCE_CERTAIN
			      : weight >= TRACE ? CONFIDENCE_LIKELY
						: CONFIDENCE_POSSIBLE,
	};
	bool whole = layer.id && layer.evidence;
	return profile_add_layer(profile, layer) || !whole ? -1 : 0;
}

/* Nothing seen, and the place to look was closed: that is not "nothing there". */
static bool blind(const struct profile *p)
{
	const struct fact *pid = profile_find(p, "kernel.namespace[pid].initial");
	return pid && pid->status != FACT_OK;
}

int layers_run(struct profile *profile)
{
	struct look looks[ARRAY_SIZE(detectors)];
	int weights[ARRAY_SIZE(detectors)], err = 0;
	bool inside = false;

	profile_clear_layers(profile);
	for (size_t i = 0; i < ARRAY_SIZE(detectors); i++) {
		looks[i] = (struct look){ .profile = profile, .evidence = BUF_INIT(EVIDENCE_MAX) };
		weights[i] = judge(&detectors[i], &looks[i]);
	}
	settle(weights);
	for (size_t i = 0; i < ARRAY_SIZE(detectors); i++) {
		if (weights[i] && !err)
			err = add(profile, detectors[i].id, buf_text(&looks[i].evidence),
				  weights[i]);
		inside |= weights[i] && detectors[i].group != MACHINE;
		buf_done(&looks[i].evidence);
	}
	if (!err && !inside && blind(profile))
		err = add(profile, "unknown", "the namespaces of this process could not be seen",
			  0);
	return err;
}
