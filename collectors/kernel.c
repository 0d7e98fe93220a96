// SPDX-License-Identifier: Apache-2.0
/* The kernel, or what plays its part; the system on top; what both say about being enclosed. */
#include "collectors/collector.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/gvisor.h"
#include "base/hypervisor.h"
#include "base/namespace.h"
#include "base/os_release.h"
#include "base/sysctl.h"
#include "base/tree.h"

#define STATUS	  "/proc/self/status"
#define VALUE_MAX 512
#define ITEMS_MAX 128

struct look {
	struct sink *sink;
	const char *root;
	bool live; /* not a recorded tree: system calls speak of the same place as its files */
	int proc_err, sys_err; /* is there a /proc, a /sys at all? */
};

/* Speaks the failure, if there is one. A missing file of /proc or /sys says nothing when all of it is missing. */
static bool failed(const struct look *look, const char *key, int err, const char *source)
{
	if (err == ENOENT && ((look->proc_err && !strncmp(source, "/proc/", 6)) ||
			      (look->sys_err && !strncmp(source, "/sys/", 5))))
		sink_status(look->sink, key, FACT_SKIPPED, err, source);
	else if (err)
		sink_fail(look->sink, key, err, source);
	return err != 0;
}

static void speak_text(const struct look *look, const char *key, int err, const char *value,
		       const char *source)
{
	if (!failed(look, key, err, source))
		sink_text(look->sink, key, value, source);
}

static void speak_there(const struct look *look, const char *key, const char *path, int how)
{
	int err = tree_open(look->root, path, how);
	bool seen = !(look->proc_err && !strncmp(path, "/proc/", 6)) &&
		    !(look->sys_err && !strncmp(path, "/sys/", 5));
	if (!err || (seen && (err == ENOENT || err == ENOTDIR)))
		sink_bool(look->sink, key, !err, path);
	else
		failed(look, key, err, path);
}

static void speak_words(const struct look *look, const char *key, const char *path)
{
	cleanup_buf struct buf text = BUF_INIT(16384);
	const char *items[ITEMS_MAX + 1];
	int err = tree_words(look->root, path, "nodev", &text, items, ITEMS_MAX);
	if (!failed(look, key, err, path))
		sink_list(look->sink, key, items, path);
}

static void speak_sysctls(const struct look *look)
{
	char path[SYSCTL_PATH_MAX], value[VALUE_MAX];
	for (const char *const *name = sysctl_names; *name; name++) {
		struct key key = key_make("kernel.sysctl", *name, NULL);
		int err = sysctl_read(look->root, *name, path, value, sizeof(value));
		speak_text(look, key.text, err, value, path);
	}
}

static void speak_namespaces(const struct look *look)
{
	for (const struct namespace_kind *kind = namespace_kinds; kind->name; kind++) {
		char path[64];
		uint64_t inode = 0;
		struct key key = key_make("kernel.namespace", kind->name,
					  kind->initial ? "initial" : "inode");
		snprintf(path, sizeof(path), "/proc/self/ns/%s", kind->name);
		if (failed(look, key.text, namespace_inode(look->root, kind->name, &inode), path))
			continue;
		if (kind->initial)
			sink_bool(look->sink, key.text, inode == kind->initial, path);
		else
			sink_int(look->sink, key.text, (int64_t)inode, path);
	}
}

static void speak_uname(const struct look *look)
{
	struct utsname uts;
	cleanup_buf struct buf signs = BUF_INIT(512);
	if (uname(&uts)) /* a filter refuses it: the names of /proc are as good */
		memset(&uts, 0, sizeof(uts));
	const char *const rows[][2] = { { "kernel.sysname", uts.sysname },
					{ "kernel.release", uts.release },
					{ "kernel.version", uts.version },
					{ "kernel.machine", uts.machine },
					{ "kernel.hostname", uts.nodename } };
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		speak_text(look, rows[i][0], *uts.sysname ? 0 : EPERM, rows[i][1], "uname()");
	const char *wsl = strcasestr(uts.release, "microsoft");
	speak_text(look, "kernel.osrelease_hint", wsl ? 0 : ENOENT, "microsoft", "uname()");

	int count = gvisor_signs(look->root, look->live, &uts, &signs);
	const char *source = count ? buf_text(&signs) : "uname(), /proc";
	if (count == 1 && look->proc_err) /* one sign, and nowhere to look for a second */
		sink_status(look->sink, "kernel.gvisor", FACT_SKIPPED, look->proc_err, source);
	else
		sink_bool(look->sink, "kernel.gvisor", count >= 2, source);
}

static void speak_machine(const struct look *look)
{
	static const char *const lines[][2] = {
		{ "kernel.boot_id", "/proc/sys/kernel/random/boot_id" },
		{ "kernel.dmi_vendor", "/sys/class/dmi/id/sys_vendor" },
		{ "kernel.dmi_product", "/sys/class/dmi/id/product_name" },
		{ "kernel.lockdown", "/sys/kernel/security/lockdown" },
	};
	char name[HYPERVISOR_NAME_MAX], oem[7];
	const char *source;
	struct timespec up;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		char line[VALUE_MAX];
		int err = tree_chosen(look->root, lines[i][1], line, sizeof(line));
		speak_text(look, lines[i][0], err, line, lines[i][1]);
	}
	int err = hypervisor_name(look->root, look->live, name, &source);
	speak_text(look, "kernel.hypervisor", err, name, source);
	err = hypervisor_acpi_oem(look->root, oem);
	speak_text(look, "kernel.acpi_oem", err, oem, "/sys/firmware/acpi/tables/FACP");
	sink_int(look->sink, "kernel.page_size_bytes", sysconf(_SC_PAGESIZE), "sysconf()");
	sink_text(look->sink, "kernel.byte_order",
		  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "little" : "big", "compiler");
	if (!failed(look, "kernel.uptime_s", clock_gettime(CLOCK_BOOTTIME, &up) ? errno : 0,
		    "clock_gettime(CLOCK_BOOTTIME)"))
		sink_int(look->sink, "kernel.uptime_s", up.tv_sec, "clock_gettime(CLOCK_BOOTTIME)");
}

static void speak_system(const struct look *look, const char *container)
{
	struct os_release os;
	const char *libc, *source = os_release_read(look->root, &os);
	speak_text(look, "kernel.os_id", os.id_err, os.id, source);
	speak_text(look, "kernel.os_version", os.version_err, os.version, source);
	speak_text(look, "kernel.os_name", os.name_err, os.name, source);
	int err = tree_libc(look->root, &libc, &source);
	speak_text(look, "kernel.libc", err, libc, source);
	speak_text(look, "kernel.container_env", container ? 0 : ENOENT, container, "container");
}

static void speak_markers(const struct look *look)
{
	static const char *const paths[] = {
		"/.dockerenv", "/run/.containerenv", "/run/systemd/container",
		"/run/host/container-manager", "/.singularity.d", "/.flatpak-info",
		"/var/run/secrets/kubernetes.io/serviceaccount", "/run/kata-containers",
		/* A clock of Amazon's hypervisors; no PCI bus at all is the habit of micro VMs. */
		"/sys/bus/acpi/devices/AMZNC10C:00", "/sys/bus/pci/devices"
	};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		speak_there(look, key_make("kernel.marker", paths[i], NULL).text, paths[i], O_PATH);
}

static void collect(struct sink *sink, const struct scope *scope)
{
	struct look look = { sink, scope->root, !scope->root || !*scope->root,
			     tree_open(scope->root, STATUS, O_RDONLY),
			     tree_open(scope->root, "/sys/kernel", O_PATH) };
	speak_uname(&look);
	speak_machine(&look);
	speak_words(&look, "kernel.lsm", "/sys/kernel/security/lsm");
	speak_words(&look, "kernel.filesystems", "/proc/filesystems");
	speak_there(&look, "kernel.btf", "/sys/kernel/btf/vmlinux", O_RDONLY);
	speak_there(&look, "kernel.config", "/proc/config.gz", O_RDONLY);
	speak_namespaces(&look);
	speak_sysctls(&look);
	speak_system(&look, scope_getenv(scope, "container"));
	speak_markers(&look);
}

const struct collector collector_kernel = {
	.name = "kernel",
	.about = "kernel, settings, namespaces, system, hypervisor",
	.deadline_ms = 5000,
	.shares = true,
	.collect = collect,
};
