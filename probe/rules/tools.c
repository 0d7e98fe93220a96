// SPDX-License-Identifier: Apache-2.0
/* What can be run, and whether PATH leads there. */
#include <string.h>

#include "rules/sets.h"

static bool check_off_path(const struct profile *profile, struct verdict *verdict)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "tools.tool[*].off_path", fact));) {
		char name[64] = "?";
		if (fact->status != FACT_OK || fact->type != FACT_TEXT)
			continue;
		key_name(fact->key, name, sizeof(name));
		verdict_list(verdict, "%s in %s", name, fact->value);
		verdict_add(verdict, fact->key);
	}
	return verdict->evidence_count > 0;
}

static bool check_broken(const struct profile *profile, struct verdict *verdict)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "tools.tool[*].state", fact));) {
		char name[64] = "?";
		if (fact->status != FACT_OK || fact->type != FACT_TEXT ||
		    !strcmp(fact->value, "ok"))
			continue;
		key_name(fact->key, name, sizeof(name));
		verdict_list(verdict, "%s: %s", name, fact->value);
		verdict_add(verdict, fact->key);
	}
	return verdict->evidence_count > 0;
}

static bool check_path_entry(const struct profile *profile, struct verdict *verdict)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "tools.path_entry[*].state", fact));) {
		char name[128] = "?";
		if (fact->status != FACT_OK || fact->type != FACT_TEXT ||
		    (strcmp(fact->value, "missing") != 0 && strcmp(fact->value, "denied") != 0 &&
		     strcmp(fact->value, "not-a-directory") != 0))
			continue;
		key_name(fact->key, name, sizeof(name));
		verdict_list(verdict, "%s %s", name, fact->value);
		verdict_add(verdict, fact->key);
	}
	return verdict->evidence_count > 0;
}

/* What nearly every agent types within its first minute. */
static bool check_everyday(const struct profile *profile, struct verdict *verdict)
{
	static const char *const everyday[] = { "git",	"curl", "python3", "tar",
						"grep", "sed",	"find",	   "bash" };
	for (size_t i = 0; i < sizeof(everyday) / sizeof(*everyday); i++) {
		struct key key = key_make("tools.tool", everyday[i], "path");
		const struct fact *fact = profile_find(profile, key.text);
		if (!fact || fact->status != FACT_ABSENT)
			continue;
		verdict_list(verdict, "%s", everyday[i]);
		verdict_add(verdict, fact->key);
	}
	return verdict->evidence_count > 0;
}

static const struct rule rules[] = {
	{ .id = "tools.no-shell",
	  .severity = SEVERITY_FATAL,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_IMAGE,
	  .when_false = "tools.sh",
	  .title = "There is no /bin/sh",
	  .consequence = "Nothing that runs a command line works: agents' shell tools, make, npm "
			 "scripts, system(3).",
	  .remedy = "Put a shell into the image (busybox is enough).",
	  .meaning = "/bin/sh was looked for and is not there, or cannot be executed.",
	  .docker = "a base image with a shell; COPY --from=busybox /bin/busybox /bin/sh",
	  .kubernetes = "kubectl debug with an image that has one",
	  .podman = "a base image with a shell",
	  .bubblewrap = "--symlink usr/bin /bin, so that /bin/sh leads somewhere",
	  .task = "none",
	  .ignore = "for an image that only runs one static program" },
	{ .id = "tools.path-unset",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .when_absent = "tools.path",
	  .title = "PATH is not set",
	  .consequence =
		  "Each program falls back on a default of its own: a shell finds what another "
		  "program does not.",
	  .remedy = "Set PATH when starting the command.",
	  .meaning = "The environment as received had no PATH.",
	  .docker = "ENV PATH=… in the image",
	  .kubernetes = "env PATH, or an image that sets it",
	  .podman = "ENV PATH=… in the image",
	  .bubblewrap = "--setenv PATH /usr/local/bin:/usr/bin:/bin after --clearenv",
	  .task = "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	  .ignore = "never" },
	{ .id = "tools.off-path",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_TASK,
	  .check = check_off_path,
	  .title = "Installed, but not on PATH: %s",
	  .consequence =
		  "\"command not found\" (127) although the tool is there: usually a PATH made "
		  "for another kind of shell.",
	  .remedy =
		  "Add the directory to PATH for the commands of the task, or call the tool by its "
		  "full path.",
	  .meaning = "No entry of PATH has the tool; a well-known place outside PATH does. Profile "
		     "files (.profile, .bashrc) are read by login or interactive shells only.",
	  .docker = "ENV PATH=$PATH:DIR in the image; docker exec reads no profile files",
	  .kubernetes = "env PATH; kubectl exec reads no profile files",
	  .podman = "ENV PATH=$PATH:DIR in the image",
	  .bubblewrap = "--setenv PATH",
	  .task = "export PATH=\"$PATH:DIR\", or bash -lc 'COMMAND'",
	  .ignore = "for tools that the task does not use" },
	{ .id = "tools.broken",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_IMAGE,
	  .check = check_broken,
	  .title = "On PATH, but cannot start: %s",
	  .consequence =
		  "The shell says \"not found\", \"Permission denied\" or \"bad interpreter\" "
		  "about a file that is there.",
	  .remedy = "Install the tool again, with its interpreter or loader.",
	  .meaning =
		  "The file was found through PATH; its own first bytes name an interpreter or "
		  "loader that is missing, or it is a dangling link, or has no execute permission.",
	  .docker = "install it in the image for its C library (musl or glibc)",
	  .kubernetes = "as for the image",
	  .podman = "as for the image",
	  .bubblewrap =
		  "bind what the link or interpreter leads to (/lib64, /opt, /etc/alternatives)",
	  .task = "call the interpreter by its own path",
	  .ignore = "for tools that the task does not use" },
	{ .id = "tools.path-entry",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_IMAGE,
	  .check = check_path_entry,
	  .title = "PATH has entries that lead nowhere: %s",
	  .consequence = "Tools that were meant to be found there are not.",
	  .remedy = "Drop the entry, or create or mount the directory.",
	  .meaning = "Each entry of PATH was looked at.",
	  .docker = "ENV PATH=… in the image",
	  .kubernetes = "env PATH",
	  .podman = "ENV PATH=… in the image",
	  .bubblewrap = "--setenv PATH, or bind the directory",
	  .task = "export PATH=…",
	  .ignore = "mostly: a missing entry costs nothing by itself" },
	{ .id = "tools.everyday-missing",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_IMAGE,
	  .check = check_everyday,
	  .title = "Everyday tools are not installed: %s",
	  .consequence = "Commands that agents use by habit end with 127.",
	  .remedy = "Install them in the image, or tell the agent what is there.",
	  .meaning = "No entry of PATH has them, and every entry could be searched.",
	  .docker = "RUN apt-get install … in the image",
	  .kubernetes = "as for the image",
	  .podman = "RUN … in the image",
	  .bubblewrap = "bind the directories that hold them",
	  .task = "use what is installed",
	  .ignore = "for tools that the task does not use" },
};

RULE_SET_DEFINE(tools, rules);
