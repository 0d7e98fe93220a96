// SPDX-License-Identifier: Apache-2.0
/* Where files can be written and run, and how much room there is. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "rules/sets.h"

#define MIB ((int64_t)1 << 20)

/* Key of another property of the same directory; the caller holds the memory. */
static struct key sibling(const struct fact *fact, const char *property)
{
	char name[FACT_KEY_MAX];
	if (key_name(fact->key, name, sizeof(name)) < 0)
		name[0] = '\0';
	return key_make("filesystem.dir", name, property);
}

static const struct fact *sibling_fact(const struct profile *profile, const struct fact *fact,
				       const char *property)
{
	return profile_find(profile, sibling(fact, property).text);
}

static bool sibling_is(const struct profile *profile, const struct fact *fact, const char *property,
		       bool value)
{
	struct key key = sibling(fact, property);
	return value ? profile_true(profile, key.text) : profile_false(profile, key.text);
}

/* The directory that plays a role: "cwd", "HOME", "TMPDIR". NULL when none does. */
static const struct fact *role_find(const struct profile *profile, const char *role)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "filesystem.dir[*].role", fact));)
		if (fact_list_has(fact, role))
			return fact;
	return NULL;
}

static void detail_refused(const struct profile *profile, const struct fact *fact,
			   struct verdict *verdict)
{
	char name[256];
	const char *err = profile_text(profile, sibling(fact, "create_errno").text);
	const struct fact *create = sibling_fact(profile, fact, "create");
	const struct fact *code = sibling_fact(profile, fact, "create_errno");
	if (key_name(fact->key, name, sizeof(name)) < 0)
		snprintf(name, sizeof(name), "?");
	verdict_detail(verdict, err ? "%s (%s)" : "%s", name, err);
	if (create)
		verdict_add(verdict, create->key);
	if (code)
		verdict_add(verdict, code->key);
}

static bool role_unwritable(const struct profile *profile, const char *role,
			    struct verdict *verdict)
{
	const struct fact *fact = role_find(profile, role);
	if (!fact || !sibling_is(profile, fact, "create", false))
		return false;
	detail_refused(profile, fact, verdict);
	return true;
}

static bool check_cwd(const struct profile *profile, struct verdict *verdict)
{
	return role_unwritable(profile, "cwd", verdict);
}

static bool check_home(const struct profile *profile, struct verdict *verdict)
{
	return role_unwritable(profile, "HOME", verdict);
}

static bool check_tmpdir(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *fact = role_find(profile, "TMPDIR");
	if (!fact || !sibling_is(profile, fact, "exists", false))
		return false;
	char name[256] = "?";
	key_name(fact->key, name, sizeof(name));
	verdict_detail(verdict, "%s", name);
	const struct fact *exists = sibling_fact(profile, fact, "exists");
	verdict_add(verdict, exists->key);
	return true;
}

/* No place for temporary files at all: only when each was looked at and refused. */
static bool check_no_temp(const struct profile *profile, struct verdict *verdict)
{
	static const char *const places[] = { "/tmp", "/var/tmp" };
	const struct fact *tmpdir = role_find(profile, "TMPDIR");
	if (tmpdir && !sibling_is(profile, tmpdir, "create", false) &&
	    !sibling_is(profile, tmpdir, "exists", false))
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct key create = key_make("filesystem.dir", places[i], "create");
		struct key exists = key_make("filesystem.dir", places[i], "exists");
		const struct fact *fact = profile_false(profile, create.text)
						  ? profile_find(profile, create.text)
						  : NULL;
		if (!fact && profile_false(profile, exists.text))
			fact = profile_find(profile, exists.text);
		if (!fact)
			return false;
		verdict_add(verdict, fact->key);
	}
	return true;
}

static bool check_tmp_noexec(const struct profile *profile, struct verdict *verdict)
{
	if (!profile_true(profile, "filesystem.dir[/tmp].create") ||
	    !profile_false(profile, "filesystem.dir[/tmp].exec"))
		return false;
	verdict_add(verdict, "filesystem.dir[/tmp].exec");
	return true;
}

static bool check_tmp_small(const struct profile *profile, struct verdict *verdict)
{
	int64_t size = profile_int(profile, "filesystem.dir[/tmp].size_bytes", -1);
	if (size <= 0 || size >= 512 * MIB || !profile_true(profile, "filesystem.dir[/tmp].create"))
		return false;
	if (size < 128 * MIB)
		verdict->severity = SEVERITY_DEGRADED;
	verdict_detail(verdict, "%s", size_text(size).text);
	verdict_add(verdict, "filesystem.dir[/tmp].size_bytes");
	verdict_add(verdict, "filesystem.dir[/tmp].type");
	return true;
}

/* Places a task writes to by habit; a small tmpfs is the business of the rule above. */
static bool check_space(const struct profile *profile, struct verdict *verdict)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "filesystem.dir[*].free_bytes", fact));) {
		struct key size_key = sibling(fact, "size_bytes");
		int64_t size = profile_int(profile, size_key.text, -1);
		if (fact->status != FACT_OK || size < 512 * MIB || fact->number >= 256 * MIB ||
		    !sibling_is(profile, fact, "create", true))
			continue;
		char name[128] = "?";
		key_name(fact->key, name, sizeof(name));
		verdict_list(verdict, "%s (%s)", name, size_text(fact->number).text);
		verdict_add(verdict, fact->key);
	}
	return verdict->evidence_count > 0;
}

static bool check_inodes(const struct profile *profile, struct verdict *verdict)
{
	for (const struct fact *fact = NULL;
	     (fact = profile_next(profile, "filesystem.dir[*].inodes_free", fact));) {
		if (fact->status != FACT_OK || fact->number >= 1000 ||
		    profile_int(profile, sibling(fact, "inodes").text, 0) <= 0)
			continue;
		char name[128] = "?";
		key_name(fact->key, name, sizeof(name));
		verdict_detail(verdict, "%s (%lld left)", name, (long long)fact->number);
		verdict_add(verdict, fact->key);
		return true;
	}
	return false;
}

/* EROFS only: an ordinary user's EACCES on / is as it should be. */
static bool check_root_readonly(const struct profile *profile, struct verdict *verdict)
{
	const char *err = profile_text(profile, "filesystem.dir[/].create_errno");
	if (!err || strcmp(err, "EROFS") != 0)
		return false;
	verdict_add(verdict, "filesystem.dir[/].create");
	verdict_add(verdict, "filesystem.dir[/].create_errno");
	return true;
}

static bool check_dev(const struct profile *profile, struct verdict *verdict)
{
	static const char *const needed[] = { "null", "zero", "urandom" };
	const struct fact *missing = profile_find(profile, "filesystem.dev_missing");
	for (size_t i = 0; missing && i < sizeof(needed) / sizeof(*needed); i++)
		if (fact_list_has(missing, needed[i]))
			verdict_list(verdict, "/dev/%s", needed[i]);
	if (!verdict->detail[0])
		return false;
	verdict_add(verdict, "filesystem.dev_missing");
	return true;
}

static const struct rule rules[] = {
	{ .id = "filesystem.no-temp",
	  .severity = SEVERITY_FATAL,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_no_temp,
	  .title = "There is no place for temporary files",
	  .consequence = "Compilers, package managers, git and shell here-documents fail.",
	  .remedy = "Mount a tmpfs on /tmp, or set TMPDIR to a writable directory.",
	  .meaning = "/tmp, /var/tmp and TMPDIR were each tried and none took a file.",
	  .docker = "docker run --tmpfs /tmp",
	  .kubernetes = "an emptyDir mounted at /tmp",
	  .podman = "podman run --tmpfs /tmp",
	  .bubblewrap = "--tmpfs /tmp",
	  .task = "export TMPDIR=… to any directory that takes files",
	  .ignore = "for a program that writes nothing" },
	{ .id = "filesystem.tmpdir-missing",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_TASK,
	  .check = check_tmpdir,
	  .title = "TMPDIR names a directory that does not exist: %s",
	  .consequence = "mktemp, and every tool that trusts TMPDIR, fails with ENOENT.",
	  .remedy = "mkdir -p \"$TMPDIR\", or unset TMPDIR.",
	  .meaning = "The variable is set, and stat of its value says ENOENT.",
	  .docker = "-e TMPDIR=/tmp",
	  .kubernetes = "set TMPDIR in env to a mounted path",
	  .podman = "-e TMPDIR=/tmp",
	  .bubblewrap = "--setenv TMPDIR /tmp, or --dir for the path",
	  .task = "mkdir -p \"$TMPDIR\"",
	  .ignore = "never: it costs one mkdir" },
	{ .id = "filesystem.cwd-unwritable",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_cwd,
	  .title = "The working directory cannot be written: %s",
	  .consequence = "Edits, builds and checkouts made here fail.",
	  .remedy = "Start in a writable directory, or mount this one writable for this user.",
	  .meaning =
		  "A file was created there, or not: the errno says why. EROFS is a read-only mount, "
		  "EACCES ownership, mode or a security module.",
	  .docker = "-w DIR, -v HOST:DIR without :ro, --user matching the owner",
	  .kubernetes = "workingDir and a writable volume; securityContext.fsGroup",
	  .podman = "-v HOST:DIR:U",
	  .bubblewrap = "--bind DIR DIR, and --chdir DIR",
	  .task = "cd to a writable directory",
	  .ignore = "when the task only reads" },
	{ .id = "filesystem.home-unwritable",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_home,
	  .title = "HOME cannot be written: %s",
	  .consequence =
		  "Caches and settings fail: npm, pip, cargo, git config --global, and tools "
		  "that make a dot folder at their start.",
	  .remedy = "Point HOME (or XDG_CACHE_HOME and the like) at a writable directory.",
	  .meaning = "A file was created in $HOME, or not: the errno says why.",
	  .docker = "-e HOME=/tmp/home, or --tmpfs $HOME",
	  .kubernetes = "an emptyDir at HOME",
	  .podman = "--tmpfs $HOME",
	  .bubblewrap = "--tmpfs \"$HOME\" or --bind",
	  .task = "export HOME=$(mktemp -d)",
	  .ignore = "when no tool keeps caches" },
	{ .id = "filesystem.tmp-noexec",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_tmp_noexec,
	  .title = "Programs in /tmp cannot be executed",
	  .consequence =
		  "Installers, go test, native modules and downloaded binaries that unpack there "
		  "fail with EACCES, \"Permission denied\", whatever their mode bits.",
	  .remedy = "Mount /tmp without noexec, or set TMPDIR to a place where execution works.",
	  .meaning = "A file was created in /tmp but a tiny program placed there did not run.",
	  .docker = "--tmpfs /tmp:exec",
	  .kubernetes = "an emptyDir at /tmp",
	  .podman = "--tmpfs /tmp:exec",
	  .bubblewrap = "--tmpfs /tmp has no noexec: it comes from a bind of the host's",
	  .task = "export TMPDIR to a directory where it works",
	  .ignore = "when nothing is built or unpacked there" },
	{ .id = "filesystem.tmp-small",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_tmp_small,
	  .title = "/tmp holds only %s",
	  .consequence = "Builds, downloads and test suites fail with ENOSPC while other disks are "
			 "empty.",
	  .remedy = "Enlarge the tmpfs, or set TMPDIR to a larger disk.",
	  .meaning = "Size of the filesystem under /tmp by statfs.",
	  .docker = "--tmpfs /tmp:size=2g",
	  .kubernetes = "raise sizeLimit of the emptyDir",
	  .podman = "--tmpfs /tmp:size=2g",
	  .bubblewrap = "--size BYTES before --tmpfs /tmp",
	  .task = "export TMPDIR to a directory with room",
	  .ignore = "for tasks without large temporary files" },
	{ .id = "filesystem.space-low",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_space,
	  .title = "Little room is left in %s",
	  .consequence = "Writes fail with ENOSPC; some tools leave half-written files.",
	  .remedy = "Free space or enlarge the disk.",
	  .meaning =
		  "Blocks free to unprivileged writers, by statfs, in a directory that takes files.",
	  .docker = "docker system df; --storage-opt size=",
	  .kubernetes = "raise ephemeral-storage",
	  .podman = "podman system prune",
	  .bubblewrap = "it is the host's disk",
	  .task = "remove caches and build trees",
	  .ignore = "for tasks that write little" },
	{ .id = "filesystem.inodes-low",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_inodes,
	  .title = "Nearly no inodes are left in %s",
	  .consequence = "Creating files fails with ENOSPC although df shows free bytes.",
	  .remedy =
		  "Remove many small files, or make the filesystem with more inodes (nr_inodes= for "
		  "tmpfs).",
	  .meaning = "Free inodes by statfs, on a filesystem that counts them.",
	  .docker = "--tmpfs DIR:nr_inodes=",
	  .kubernetes = "a volume with more inodes",
	  .podman = "--tmpfs DIR:nr_inodes=",
	  .bubblewrap = "it is the host's filesystem",
	  .task = "delete node_modules, caches",
	  .ignore = "never for long" },
	{ .id = "filesystem.root-readonly",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_root_readonly,
	  .title = "The root filesystem is read-only",
	  .consequence = "apt, pip without a virtual environment, and npm -g cannot install; files "
			 "outside the writable mounts fail with EROFS.",
	  .remedy = "Install in the image, or mount the directories that must change.",
	  .meaning =
		  "Creating a file in / was refused with EROFS, so the mount refuses it, not the "
		  "permissions.",
	  .docker = "without --read-only, or --tmpfs / -v for the paths",
	  .kubernetes = "securityContext.readOnlyRootFilesystem: false",
	  .podman = "without --read-only",
	  .bubblewrap = "--bind in place of --ro-bind for what must change",
	  .task = "python3 -m venv, npm --prefix, CARGO_HOME: install below a writable directory",
	  .ignore =
		  "when everything needed is installed and HOME, /tmp and the workspace take files" },
	{ .id = "filesystem.proc-missing",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .when_false = "filesystem.proc",
	  .title = "/proc is not mounted",
	  .consequence =
		  "ps, top, free, process substitution in bash, Java, Go and Rust runtimes that "
		  "look at /proc/self fail in odd ways; this report knows less, too.",
	  .remedy = "Mount proc on /proc.",
	  .meaning = "statfs of /proc shows no procfs there.",
	  .docker = "it is mounted by default; check for masked paths",
	  .kubernetes = "it is mounted by default; check procMount",
	  .podman = "it is mounted by default",
	  .bubblewrap = "--proc /proc",
	  .task = "none",
	  .ignore = "for a static program that never looks" },
	{ .id = "filesystem.dev-missing",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_dev,
	  .title = "Basic devices are missing: %s",
	  .consequence = "Redirections to /dev/null fail, and programs that need random numbers or "
			 "/dev/zero stop.",
	  .remedy = "Provide the standard device nodes.",
	  .meaning = "Opening the node said ENOENT.",
	  .docker = "they are there by default; check volumes over /dev",
	  .kubernetes = "they are there by default; check volumes over /dev",
	  .podman = "they are there by default; check volumes over /dev",
	  .bubblewrap = "--dev /dev",
	  .task = "none",
	  .ignore = "for a program that uses none of them" },
};

RULE_SET_DEFINE(filesystem, rules);
