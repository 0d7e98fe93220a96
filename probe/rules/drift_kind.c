// SPDX-License-Identifier: Apache-2.0
#include "rules/drift_kind.h"

#include <stdlib.h>
#include <string.h>

#define GIB ((int64_t)1 << 30)

/* Value of a property of the same subject on one side. */
static const struct fact *beside(const struct profile *profile, const struct drift_case *c,
				 const char *property)
{
	const char *key = c->here ? c->here->key : c->there->key;
	const char *close = strchr(key, ']');
	char other[FACT_KEY_MAX];
	size_t len = close ? (size_t)(close + 1 - key) : 0;
	if (!close || len + strlen(property) + 2 > sizeof(other))
		return NULL;
	memcpy(other, key, len);
	other[len] = '.';
	strcpy(other + len + 1, property);
	return profile_find(profile, other);
}

static bool is_true(const struct fact *fact)
{
	return fact && fact->status == FACT_OK && fact->type == FACT_BOOL && fact->number;
}

/* Number of a fact; "max" is more than any. -1 when it has none. */
static int64_t amount(const struct fact *fact)
{
	if (!fact || fact->status != FACT_OK)
		return -1;
	if (fact->type == FACT_INT)
		return fact->number;
	return fact->type == FACT_TEXT && !strcmp(fact->value, "max") ? INT64_MAX : -1;
}

static bool shrunk_to(const struct drift_case *c, int64_t divisor, int64_t below)
{
	int64_t here = amount(c->here), there = amount(c->there);
	return here > 0 && there >= 0 && there < here / divisor && there < below;
}

static bool judge_room(struct drift_case *c)
{
	return shrunk_to(c, 4, 4 * GIB);
}

static bool judge_half(struct drift_case *c)
{
	return shrunk_to(c, 2, INT64_MAX);
}

static bool judge_cores(struct drift_case *c)
{
	if (c->change != DRIFT_CHANGED || c->here->type != FACT_TEXT || c->there->type != FACT_TEXT)
		return false;
	return strtod(c->there->value, NULL) < strtod(c->here->value, NULL) / 2;
}

/* A tool that is only off PATH is no missing tool: its own rule says so. */
static bool judge_missing_tool(struct drift_case *c)
{
	const struct fact *off = beside(c->remote, c, "off_path");
	return !off || off->status != FACT_OK;
}

/* 3.11.2 against 3.12: the first two numbers decide whether code written for one runs on the other. */
static bool judge_version(struct drift_case *c)
{
	const char *a = c->here->value, *b = c->there->value;
	if (c->change != DRIFT_CHANGED || c->here->type != FACT_TEXT || c->there->type != FACT_TEXT)
		return false;
	for (int part = 0; part < 2; part++) {
		size_t n = strcspn(a, "."), m = strcspn(b, ".");
		if (n != m || strncmp(a, b, n) != 0)
			return true;
		a += n + (a[n] == '.');
		b += m + (b[m] == '.');
	}
	return false;
}

/* The directories that a task writes to by habit or by wish; the rest of the tree matters less. */
static bool judge_dir(struct drift_case *c)
{
	static const char *const habits[] = { "/tmp", "/var/tmp", "/dev/shm" };
	const struct fact *role = beside(c->remote, c, "role");
	char name[256] = "";
	bool matters = role && (fact_list_has(role, "cwd") || fact_list_has(role, "HOME") ||
				fact_list_has(role, "TMPDIR") || fact_list_has(role, "--dir"));
	key_name(c->here->key, name, sizeof(name));
	for (size_t i = 0; i < sizeof(habits) / sizeof(*habits); i++)
		matters |= !strcmp(habits[i], name);
	if (!matters)
		c->severity = SEVERITY_SUBTLE;
	return true;
}

/* rename, symlink, chmod, fsync where not even a file can be made say nothing of their own. */
static bool judge_create_fails(struct drift_case *c)
{
	return !is_true(beside(c->remote, c, "create")) || !is_true(beside(c->local, c, "create"));
}

static bool judge_lost_root(struct drift_case *c)
{
	return amount(c->here) == 0 && amount(c->there) > 0;
}

/* Something must have gone, not only come. */
static bool judge_list_lost(struct drift_case *c)
{
	for (const char *item = NULL; (item = fact_list_next(c->here, item));)
		if (!fact_list_has(c->there, item))
			return true;
	return false;
}

/* A subject that one side does not have is told once, by its principal property. */
static const struct {
	const char *pattern, *principal;
} subjects[] = {
	{ "filesystem.dir[*].*", "exists" }, { "filesystem.mount[*].*", "type" },
	{ "tools.tool[*].*", "path" },	     { "tools.path_entry[*].*", "state" },
	{ "network.interface[*].*", "up" },
};

static bool subject_on(const struct profile *profile, const struct drift_case *c,
		       const char *principal)
{
	const struct fact *fact = beside(profile, c, principal);
	return fact && fact->status == FACT_OK &&
	       (fact->type != FACT_BOOL || fact->number || strcmp(principal, "exists") != 0);
}

static bool judge_no_subject(struct drift_case *c)
{
	const char *key = c->here ? c->here->key : c->there->key;
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++) {
		if (!key_matches(key, subjects[i].pattern))
			continue;
		const char *property = strrchr(key, ']') + 2;
		return strcmp(property, subjects[i].principal) != 0 &&
		       !(subject_on(c->local, c, subjects[i].principal) &&
			 subject_on(c->remote, c, subjects[i].principal)) &&
		       strcmp(property, "off_path") != 0;
	}
	return false;
}

#define NOISE(key)                                                                                 \
	{                                                                                          \
		.pattern = key, .changes = DRIFT_ANY                                               \
	}
#define LOST	DRIFT_MASK(DRIFT_LOST)
#define GAINED	DRIFT_MASK(DRIFT_GAINED)
#define CHANGED DRIFT_MASK(DRIFT_CHANGED)
#define BLIND	DRIFT_MASK(DRIFT_NOT_COMPARABLE)
#define INFO(name, key, t)                                                                         \
	{                                                                                          \
		.id = name, .pattern = key, .changes = LOST | GAINED | CHANGED,                    \
		.severity = SEVERITY_INFO, .who = WHO_RUNTIME, .title = t                          \
	}

static const struct drift_kind kinds[] = {
	{ .pattern = "*", .changes = DRIFT_ANY, .judge = judge_no_subject },
	NOISE("identity.pid"),
	NOISE("identity.ppid"),
	NOISE("identity.parent"),
	NOISE("memory.available_bytes"),
	NOISE("memory.committed_bytes"),
	NOISE("memory.swap_free_bytes"),
	NOISE("memory.usage_bytes"),
	NOISE("memory.headroom_bytes"),
	NOISE("memory.reclaimable_bytes"),
	NOISE("memory.oom_kills"),
	NOISE("memory.limit_level"),
	NOISE("memory.level[*].*"),
	NOISE("memory.psi.*"),
	NOISE("memory.shm.free_bytes"),
	NOISE("cpu.load1"),
	NOISE("cpu.psi.*"),
	NOISE("cpu.periods"),
	NOISE("cpu.throttled_*"),
	NOISE("limits.pids.current"),
	NOISE("limits.pids.left"),
	NOISE("limits.pids.hits"),
	NOISE("limits.oom_score_adj"),
	NOISE("filesystem.mount_count"),
	NOISE("filesystem.dir[*].free_bytes"),
	NOISE("filesystem.dir[*].inodes_free"),
	NOISE("filesystem.dir[*].inodes"),
	NOISE("filesystem.dir[*].role"),
	NOISE("filesystem.dir[*].mode"),
	NOISE("kernel.uptime_s"),
	NOISE("kernel.boot_id"),
	NOISE("kernel.namespace[*].inode"),
	NOISE("environment.count"),
	NOISE("environment.bytes"),
	NOISE("environment.columns"),
	NOISE("environment.stdout"),
	NOISE("environment.stderr"),
	NOISE("tools.path_entry[*].index"),
	NOISE("tools.path_entry[*].duplicate"),
	NOISE("tools.tool[*].version_line"),
	NOISE("tools.tool[*].resolved"),
	NOISE("tools.tool[*].shadows"),
	NOISE("tools.tool[*].exit"),
	{ .id = "drift.tool-missing",
	  .pattern = "tools.tool[*].path",
	  .changes = LOST,
	  .severity = SEVERITY_DEGRADED,
	  .who = WHO_IMAGE,
	  .judge = judge_missing_tool,
	  .title = "Tools that are here are missing there",
	  .consequence = "Commands that use them end with 127, \"command not found\".",
	  .remedy = "Install them in the image, or put the directory that holds them on PATH." },
	{ .id = "tools.off-path",
	  .pattern = "tools.tool[*].path",
	  .changes = LOST,
	  .severity = SEVERITY_DEGRADED,
	  .who = WHO_TASK,
	  .title = "Tools that are here are installed there too, but not on PATH",
	  .consequence = "Commands that use them end with 127, \"command not found\".",
	  .remedy = "Set PATH so that it has the directory of each tool (tools.tool[…].off_path), "
		    "or call them by full path." },
	{ .pattern = "tools.tool[*].off_path", .changes = DRIFT_ANY, .firm = true },
	{ .id = "drift.tool-version",
	  .pattern = "tools.tool[*].version",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_IMAGE,
	  .judge = judge_version,
	  .title = "Tools have another version there",
	  .consequence = "Syntax, flags and lock files of one version may not fit the other.",
	  .remedy = "Pin the version that the task was written for." },
	INFO("drift.tool", "tools.tool[*].*", "Tools differ in detail"),
	INFO("drift.path", "tools.*", "PATH differs"),
	{ .id = "drift.dir-unwritable",
	  .pattern = "filesystem.dir[*].create",
	  .changes = LOST,
	  .severity = SEVERITY_DEGRADED,
	  .who = WHO_RUNTIME,
	  .judge = judge_dir,
	  .title = "Directories that take files here refuse them there",
	  .consequence = "Writes fail there; the errno beside the fact says which gate refused.",
	  .remedy = "Mount them writable for this user, or point the task elsewhere." },
	{ .pattern = "filesystem.dir[*].create_errno", .changes = DRIFT_ANY },
	{ .pattern = "filesystem.dir[*].write", .changes = DRIFT_ANY, .judge = judge_create_fails },
	{ .pattern = "filesystem.dir[*].fsync", .changes = DRIFT_ANY, .judge = judge_create_fails },
	{ .pattern = "filesystem.dir[*].rename",
	  .changes = DRIFT_ANY,
	  .judge = judge_create_fails },
	{ .pattern = "filesystem.dir[*].symlink",
	  .changes = DRIFT_ANY,
	  .judge = judge_create_fails },
	{ .pattern = "filesystem.dir[*].chmod", .changes = DRIFT_ANY, .judge = judge_create_fails },
	{ .pattern = "filesystem.dir[*].exec", .changes = DRIFT_ANY, .judge = judge_create_fails },
	{ .id = "drift.dir-noexec",
	  .pattern = "filesystem.dir[*].exec",
	  .changes = LOST,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .title = "Programs can be run from these directories here, but not there",
	  .consequence = "Built or unpacked programs fail with EACCES whatever their mode bits.",
	  .remedy = "Mount them without noexec, or build elsewhere." },
	{ .id = "drift.dir-missing",
	  .pattern = "filesystem.dir[*].exists",
	  .changes = LOST,
	  .severity = SEVERITY_INFO,
	  .who = WHO_RUNTIME,
	  .title = "Directories that exist here do not exist there" },
	{ .id = "drift.dir-small",
	  .pattern = "filesystem.dir[*].size_bytes",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .judge = judge_room,
	  .title = "Much less disk there",
	  .consequence = "Writes that fit here fail there with ENOSPC.",
	  .remedy = "Enlarge the filesystem, or point TMPDIR and caches at a larger one." },
	{ .id = "drift.dir-ability",
	  .pattern = "filesystem.dir[*].*",
	  .changes = LOST,
	  .severity = SEVERITY_INFO,
	  .who = WHO_RUNTIME,
	  .title = "File operations that work here fail there" },
	INFO("drift.dir", "filesystem.dir[*].*", "Directories differ in detail"),
	INFO("drift.mount", "filesystem.mount[*].*", "Mounts differ"),
	INFO("drift.filesystem", "filesystem.*", "The filesystem differs in detail"),
	{ .id = "drift.memory",
	  .pattern = "memory.limit_bytes",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .judge = judge_half,
	  .title = "Much less memory there",
	  .consequence = "What fits here may be killed there by the OOM killer.",
	  .remedy = "Raise the memory limit, or make the work smaller." },
	{ .id = "drift.memory-machine",
	  .pattern = "memory.total_bytes",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_HOST,
	  .judge = judge_half,
	  .title = "A much smaller machine there",
	  .consequence = "What fits here may be killed there by the OOM killer.",
	  .remedy = "Take a larger machine, or make the work smaller." },
	{ .id = "drift.shm",
	  .pattern = "memory.shm.size_bytes",
	  .changes = CHANGED,
	  .severity = SEVERITY_INFO,
	  .who = WHO_RUNTIME,
	  .judge = judge_half,
	  .title = "A smaller /dev/shm there" },
	INFO("drift.memory-detail", "memory.*", "Memory differs in detail"),
	{ .id = "drift.cpu",
	  .pattern = "cpu.effective",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .judge = judge_cores,
	  .title = "Much less CPU there",
	  .consequence = "Time limits that hold here are missed there.",
	  .remedy = "Raise the CPU quota, or the time limits." },
	INFO("drift.cpu-detail", "cpu.*", "CPUs differ in detail"),
	{ .id = "drift.rlimit",
	  .pattern = "limits.rlimit[*].soft",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .judge = judge_half,
	  .title = "Lower resource limits there",
	  .consequence = "Calls fail there with EMFILE, EAGAIN, ENOMEM or EFBIG.",
	  .remedy =
		  "ulimit in the task up to the hard limit; else raise it where the sandbox starts." },
	{ .id = "drift.pids",
	  .pattern = "limits.pids.limit",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .judge = judge_half,
	  .title = "Fewer processes and threads are allowed there",
	  .consequence = "fork and thread creation fail with EAGAIN.",
	  .remedy = "Raise the pids limit." },
	INFO("drift.limits", "limits.*", "Limits differ in detail"),
	{ .id = "drift.not-root",
	  .pattern = "identity.euid",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .judge = judge_lost_root,
	  .title = "Root here, an ordinary user there",
	  .consequence = "Installing packages, low ports, chown and files of root are refused.",
	  .remedy = "Prepare in the image what needs root." },
	{ .id = "drift.capabilities",
	  .pattern = "identity.capabilities.effective",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .judge = judge_list_lost,
	  .title = "Capabilities are lost there",
	  .consequence = "What needs them is refused with EPERM or EACCES, also for uid 0: other "
			 "users' files, chown, mount, low ports, raw sockets, ptrace.",
	  .remedy = "Do what needs them in the image, or start with the few that the task needs "
		    "(--cap-add NAME)." },
	INFO("drift.identity", "identity.*", "We are somebody else there"),
	{ .id = "drift.architecture",
	  .pattern = "kernel.machine",
	  .changes = CHANGED,
	  .severity = SEVERITY_DEGRADED,
	  .who = WHO_IMAGE,
	  .title = "Another processor architecture there",
	  .consequence = "Programs, wheels and native modules built here do not run there: "
			 "\"Exec format error\".",
	  .remedy = "Build for that architecture, or install from source there." },
	{ .id = "drift.libc",
	  .pattern = "kernel.libc",
	  .changes = CHANGED | LOST,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_IMAGE,
	  .title = "Another C library there",
	  .consequence =
		  "Prebuilt programs, wheels and node modules fail with \"not found\" although "
		  "the file is there.",
	  .remedy = "Use an image with the same C library, or builds made for it." },
	{ .id = "drift.page-size",
	  .pattern = "kernel.page_size_bytes",
	  .changes = CHANGED,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_HOST,
	  .title = "Another page size there",
	  .consequence =
		  "Programs linked for smaller pages (jemalloc, some ELF files) do not start.",
	  .remedy = "Use builds made for that page size." },
	INFO("drift.kernel", "kernel.*", "The kernel or system differs"),
	{ .id = "drift.route",
	  .pattern = "network.route_default_v4",
	  .changes = LOST,
	  .severity = SEVERITY_DEGRADED,
	  .who = WHO_RUNTIME,
	  .title = "No IPv4 route out there",
	  .consequence = "Hosts that have no IPv6 address cannot be reached.",
	  .remedy = "Start with a network that has IPv4." },
	{ .id = "drift.socket",
	  .pattern = "network.socket[*].works",
	  .changes = LOST,
	  .severity = SEVERITY_SUBTLE,
	  .who = WHO_RUNTIME,
	  .title = "Kinds of socket that work here are refused there",
	  .consequence = "Programs that use them fail with the errno beside the fact.",
	  .remedy = "Allow them in the sandbox's policy." },
	INFO("drift.network", "network.*", "The network differs in detail"),
	INFO("drift.environment", "environment.*", "The way we are started differs"),
	{ .id = "drift.blind",
	  .pattern = "*",
	  .changes = BLIND,
	  .severity = SEVERITY_INFO,
	  .who = WHO_RUNTIME,
	  .title = "Could not be compared" },
	{ .id = "drift.other",
	  .pattern = "*",
	  .changes = DRIFT_ANY,
	  .severity = SEVERITY_INFO,
	  .who = WHO_RUNTIME,
	  .title = "Other differences" },
};

const struct drift_kind *drift_kind_find(struct drift_case *c)
{
	const char *key = c->here ? c->here->key : c->there->key;
	size_t i = 0;
	for (;; i++) {
		c->severity = kinds[i].severity;
		if ((kinds[i].changes & DRIFT_MASK(c->change)) &&
		    key_matches(key, kinds[i].pattern) &&
		    (i + 1 == sizeof(kinds) / sizeof(*kinds) || !kinds[i].judge ||
		     kinds[i].judge(c)))
			return &kinds[i];
	}
}
