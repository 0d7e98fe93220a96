// SPDX-License-Identifier: Apache-2.0
/* Who we are here, and what that is worth. */
#include <string.h>

#include "rules/sets.h"

static bool check_no_name(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *user = profile_find(profile, "identity.user");
	int64_t uid = profile_int(profile, "identity.euid", -1);
	if (!user || user->status != FACT_ABSENT || uid < 0)
		return false;
	verdict_detail(verdict, "%lld", (long long)uid);
	verdict_add(verdict, "identity.user");
	verdict_add(verdict, "identity.euid");
	return true;
}

static bool check_home(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *home = profile_find(profile, "identity.home");
	const char *state = profile_text(profile, "identity.home_state");
	if (home && home->status == FACT_ABSENT) {
		verdict_detail(verdict, "is not set");
		verdict_add(verdict, "identity.home");
		return true;
	}
	if (!state || (strcmp(state, "missing") != 0 && strcmp(state, "not-a-directory") != 0))
		return false;
	verdict_detail(verdict, "names a %s",
		       !strcmp(state, "missing") ? "directory that is missing"
						 : "file, not a directory");
	verdict_add(verdict, "identity.home_state");
	verdict_add(verdict, "identity.home");
	return true;
}

/* uid 0 with less than every capability, or with all of them over a single id. */
static bool check_weak_root(const struct profile *profile, struct verdict *verdict)
{
	int64_t mapped = profile_int(profile, "identity.user_namespace.mapped_uids", -1);
	if (profile_int(profile, "identity.euid", -1) != 0)
		return false;
	if (mapped == 1) {
		verdict_detail(verdict, "its user namespace maps one id only");
		verdict_add(verdict, "identity.user_namespace.uid_map");
		return true;
	}
	/* A machine may keep back one or two; a container's set is far from full. */
	const struct fact *held = profile_find(profile, "identity.capabilities.effective");
	if (!profile_false(profile, "identity.capabilities.full") || !held ||
	    held->status != FACT_OK || fact_list_has(held, "cap_sys_admin"))
		return false;
	verdict_detail(verdict, "it holds %zu capabilities", fact_list_count(held));
	verdict_add(verdict, "identity.capabilities.effective");
	return true;
}

static bool check_no_new_privs(const struct profile *profile, struct verdict *verdict)
{
	if (!profile_true(profile, "identity.no_new_privs"))
		return false;
	if (profile_int(profile, "identity.euid", 0) != 0 &&
	    profile_text(profile, "tools.tool[sudo].path")) {
		verdict->severity = SEVERITY_SUBTLE;
		verdict_detail(verdict, "sudo is installed, but cannot work");
		verdict_add(verdict, "tools.tool[sudo].path");
	} else {
		verdict_detail(verdict, "set-uid programs gain nothing here");
	}
	verdict_add(verdict, "identity.no_new_privs");
	return true;
}

static const struct rule rules[] = {
	{ .id = "identity.no-name",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_IMAGE,
	  .check = check_no_name,
	  .title = "User id %s has no name",
	  .consequence = "whoami, ssh, git commit, sudo, and getpass.getuser() in Python fail: "
			 "\"I have no name!\", \"No user exists for uid\".",
	  .remedy =
		  "Add a line for this id to /etc/passwd in the image, or set USER, HOME and the git "
		  "identity by environment.",
	  .meaning =
		  "/etc/passwd was read and has no entry with this id. Other name services are not "
		  "asked.",
	  .docker = "RUN useradd -u UID NAME in the image",
	  .kubernetes = "runAsUser with an id that the image knows",
	  .podman = "--userns=keep-id adds an entry by itself",
	  .bubblewrap = "--ro-bind /etc/passwd /etc/passwd",
	  .task = "export USER=agent LOGNAME=agent; git config user.name and user.email",
	  .ignore = "when names come from a directory service" },
	{ .id = "identity.no-home",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_home,
	  .title = "HOME %s",
	  .consequence = "Tools that keep settings or caches there fail, or write to / and to the "
			 "working directory.",
	  .remedy = "Create the directory, or set HOME to one that exists.",
	  .meaning = "The variable as received, and stat of its value.",
	  .docker = "-e HOME=DIR, or RUN mkdir in the image",
	  .kubernetes = "env HOME",
	  .podman = "-e HOME=DIR",
	  .bubblewrap = "--setenv HOME DIR --dir DIR",
	  .task = "export HOME=$(mktemp -d)",
	  .ignore = "for programs that keep nothing" },
	{ .id = "identity.weak-root",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_weak_root,
	  .title = "Root here is not the machine's root: %s",
	  .consequence =
		  "mount, chown to other ids, apt's own sandbox user and device access may be "
		  "refused although id says 0.",
	  .remedy = "Do without, or start with the capabilities or the id map that the task needs.",
	  .meaning = "Effective user id 0 with the capability sets and the id map of this user "
		     "namespace beside it: a full set over one id is nearly nothing.",
	  .docker = "--cap-add NAME",
	  .kubernetes = "securityContext.capabilities.add",
	  .podman = "--cap-add NAME; --userns",
	  .bubblewrap = "--cap-add helps only inside its own user namespace",
	  .task = "apt-get -o APT::Sandbox::User=root; tar --no-same-owner",
	  .ignore = "unless the task needs one of these" },
	{ .id = "identity.no-new-privs",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_no_new_privs,
	  .title = "no_new_privs is set: %s",
	  .consequence =
		  "sudo, su, ping with file capabilities and other set-uid helpers run without "
		  "their rights.",
	  .remedy = "Do what needs rights in the image, or start without no_new_privs.",
	  .meaning = "prctl(PR_GET_NO_NEW_PRIVS) says 1; it cannot be undone from inside.",
	  .docker = "without --security-opt no-new-privileges",
	  .kubernetes = "securityContext.allowPrivilegeEscalation: true",
	  .podman = "without --security-opt no-new-privileges",
	  .bubblewrap = "always set by bubblewrap",
	  .task = "none: never advise sudo here",
	  .ignore = "when nothing needs more rights" },
};

RULE_SET_DEFINE(identity, rules);
