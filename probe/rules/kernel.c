// SPDX-License-Identifier: Apache-2.0
/* What the kernel, or what plays its part, allows. */
#include <string.h>

#include "rules/sets.h"

static bool check_filter(const struct profile *profile, struct verdict *verdict)
{
	const char *mode = profile_text(profile, "identity.seccomp_mode");
	if (!mode || strcmp(mode, "filter") != 0)
		return false;
	verdict_add(verdict, "identity.seccomp_mode");
	verdict_add(verdict, "identity.seccomp_filters");
	return true;
}

static bool check_userns(const struct profile *profile, struct verdict *verdict)
{
	const char *most = profile_text(profile, "kernel.sysctl[user.max_user_namespaces]");
	const char *clone =
		profile_text(profile, "kernel.sysctl[kernel.unprivileged_userns_clone]");
	bool none = most && !strcmp(most, "0");
	if (!none && (!clone || strcmp(clone, "0") != 0))
		return false;
	verdict_add(verdict, none ? "kernel.sysctl[user.max_user_namespaces]"
				  : "kernel.sysctl[kernel.unprivileged_userns_clone]");
	return true;
}

static const struct rule rules[] = {
	{ .id = "kernel.gvisor",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_LIKELY,
	  .who = WHO_HOST,
	  .when_true = "kernel.gvisor",
	  .title = "The kernel is gVisor, not Linux",
	  .consequence =
		  "Versions, CPU counts and /proc are made up; some system calls are missing, "
		  "and file access is slower.",
	  .remedy = "Trust tries, not uname; run what needs a missing call on another runtime.",
	  .meaning = "Several habits of gVisor's own /proc and kernel log were found together.",
	  .docker = "docker run --runtime=runc",
	  .kubernetes = "another runtimeClassName",
	  .podman = "podman --runtime=runc",
	  .bubblewrap = NULL,
	  .task = "fewer parallel jobs; avoid io_uring and perf",
	  .ignore = "when the task works" },
	{ .id = "kernel.seccomp-filter",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_filter,
	  .title = "A system-call filter is in force",
	  .consequence = "Some system calls are refused by policy, whatever the permissions.",
	  .remedy = "If a task needs a refused call, start with a filter that allows it.",
	  .meaning =
		  "Seccomp: 2 in /proc/self/status. That there is a filter says nothing about what it "
		  "refuses.",
	  .docker = "--security-opt seccomp=FILE",
	  .kubernetes = "securityContext.seccompProfile",
	  .podman = "--security-opt seccomp=FILE",
	  .bubblewrap = "--seccomp FD",
	  .task = "none",
	  .ignore = "unless a call that the task needs is refused" },
	{ .id = "kernel.userns-off",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_HOST,
	  .check = check_userns,
	  .title = "Unprivileged user namespaces are switched off",
	  .consequence =
		  "Browsers' sandboxes, bubblewrap, rootless podman and flatpak cannot start as "
		  "an ordinary user.",
	  .remedy = "Allow them on the host, or run the inner sandbox without them.",
	  .meaning = "The kernel's switch was read: 0.",
	  .docker = "a matter of the host's sysctl",
	  .kubernetes = "a matter of the node's sysctl",
	  .podman = "a matter of the host's sysctl",
	  .bubblewrap = "without --disable-userns",
	  .task = "chromium --no-sandbox, in a sandbox that is trusted",
	  .ignore = "unless the task nests sandboxes" },
};

RULE_SET_DEFINE(kernel, rules);
