// SPDX-License-Identifier: Apache-2.0
#include "base/sysctl.h"

#include <stdio.h>
#include <string.h>

#include "base/sys.h"

const char *const sysctl_names[] = {
	/* who may use which part of the kernel */
	"kernel.unprivileged_userns_clone",
	"kernel.apparmor_restrict_unprivileged_userns",
	"user.max_user_namespaces",
	"kernel.unprivileged_bpf_disabled",
	"kernel.perf_event_paranoid",
	"kernel.yama.ptrace_scope",
	"kernel.io_uring_disabled",
	"kernel.seccomp.actions_avail",
	"kernel.modules_disabled",
	"kernel.dmesg_restrict",
	"kernel.kptr_restrict",
	"kernel.randomize_va_space",
	"fs.protected_symlinks",
	"fs.protected_hardlinks",
	"net.ipv4.ip_unprivileged_port_start",
	"net.ipv4.ping_group_range",
	/* how much there is */
	"kernel.pid_max",
	"kernel.threads-max",
	"vm.overcommit_memory",
	"vm.max_map_count",
	"vm.swappiness",
	"fs.file-max",
	"fs.inotify.max_user_watches",
	"fs.inotify.max_user_instances",
	"net.core.somaxconn",
	/* where a crash goes */
	"kernel.core_pattern",
	NULL,
};

int sysctl_read(const char *root, const char *name, char path[SYSCTL_PATH_MAX], char *value,
		size_t size)
{
	snprintf(path, SYSCTL_PATH_MAX, "/proc/sys/%s", name);
	for (char *dot = path; (dot = strchr(dot, '.'));)
		*dot = '/';
	return sys_read_line(root, path, value, size);
}
