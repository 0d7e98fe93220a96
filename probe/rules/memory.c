// SPDX-License-Identifier: Apache-2.0
/* Memory, CPU and the other countable limits: what tools see against what is enforced. */
#include <stdlib.h>

#include "base/size.h"
#include "rules/sets.h"

#define MIB ((int64_t)1 << 20)

static bool check_limit_hidden(const struct profile *profile, struct verdict *verdict)
{
	int64_t limit = profile_int(profile, "memory.limit_bytes", -1);
	int64_t total = profile_int(profile, "memory.total_bytes", -1);
	if (limit < 0 || total < 0 || limit > total / 10 * 9)
		return false;
	if (limit < 1024 * MIB)
		verdict->severity = SEVERITY_DEGRADED;
	verdict_detail(verdict, "%s, while MemTotal shows %s", size_text(limit).text,
		       size_text(total).text);
	verdict_add(verdict, "memory.limit_bytes");
	verdict_add(verdict, "memory.total_bytes");
	verdict_add(verdict, "memory.limit_level");
	return true;
}

static bool check_headroom(const struct profile *profile, struct verdict *verdict)
{
	int64_t limit = profile_int(profile, "memory.limit_bytes", -1);
	int64_t headroom = profile_int(profile, "memory.headroom_bytes", -1);
	if (limit < 0 || headroom < 0 || (headroom >= 64 * MIB && headroom >= limit / 10))
		return false;
	verdict_detail(verdict, "%s of %s", size_text(headroom).text, size_text(limit).text);
	verdict_add(verdict, "memory.headroom_bytes");
	verdict_add(verdict, "memory.usage_bytes");
	verdict_add(verdict, "memory.limit_bytes");
	return true;
}

static bool check_oom_killed(const struct profile *profile, struct verdict *verdict)
{
	int64_t kills = profile_int(profile, "memory.oom_kills", 0);
	if (kills <= 0)
		return false;
	verdict_detail(verdict, "%lld", (long long)kills);
	verdict_add(verdict, "memory.oom_kills");
	return true;
}

static bool check_shm(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *size = profile_find(profile, "memory.shm.size_bytes");
	bool absent = size && size->status == FACT_ABSENT;
	if (!absent && !profile_false(profile, "memory.shm.writable"))
		return false;
	verdict_detail(verdict, "%s", absent ? "does not exist" : "cannot be written");
	verdict_add(verdict, absent ? "memory.shm.size_bytes" : "memory.shm.writable");
	return true;
}

static bool check_shm_small(const struct profile *profile, struct verdict *verdict)
{
	int64_t size = profile_int(profile, "memory.shm.size_bytes", -1);
	if (size < 0 || size >= 256 * MIB || profile_false(profile, "memory.shm.writable"))
		return false;
	verdict_detail(verdict, "%s", size_text(size).text);
	verdict_add(verdict, "memory.shm.size_bytes");
	return true;
}

static bool check_quota_hidden(const struct profile *profile, struct verdict *verdict)
{
	const char *quota = profile_text(profile, "cpu.quota");
	int64_t nproc = profile_int(profile, "cpu.nproc", -1);
	char *end;
	double cores = quota ? strtod(quota, &end) : 0;
	if (!quota || *end || nproc < 0 || cores <= 0 || cores > (double)nproc * 0.9)
		return false;
	verdict_detail(verdict, "%s cores, while nproc says %lld", quota, (long long)nproc);
	verdict_add(verdict, "cpu.quota");
	verdict_add(verdict, "cpu.nproc");
	return true;
}

static bool check_pids(const struct profile *profile, struct verdict *verdict)
{
	int64_t left = profile_int(profile, "limits.pids.left", -1);
	if (left < 0 || left >= 64)
		return false;
	verdict_detail(verdict, "%lld", (long long)left);
	verdict_add(verdict, "limits.pids.left");
	verdict_add(verdict, "limits.pids.limit");
	return true;
}

static bool check_nofile(const struct profile *profile, struct verdict *verdict)
{
	int64_t soft = profile_int(profile, "limits.rlimit[nofile].soft", -1);
	if (soft < 0 || soft >= 1024)
		return false;
	verdict_detail(verdict, "%lld", (long long)soft);
	verdict_add(verdict, "limits.rlimit[nofile].soft");
	verdict_add(verdict, "limits.rlimit[nofile].hard");
	return true;
}

static const struct rule rules[] = {
	{ .id = "memory.limit-hidden",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_TASK,
	  .check = check_limit_hidden,
	  .title = "Memory ends at %s",
	  .consequence =
		  "Programs that size heaps and worker counts by the machine's memory go past "
		  "the limit and are killed by SIGKILL (137) without a message.",
	  .remedy =
		  "Size by the limit: java -XX:MaxRAMPercentage, node --max-old-space-size, fewer "
		  "make, cargo and pytest workers; or ask for a higher limit.",
	  .meaning =
		  "The tightest memory limit over all visible cgroup levels is well below MemTotal "
		  "of /proc/meminfo. free, top, and many runtimes read the latter.",
	  .docker = "docker run --memory=SIZE",
	  .kubernetes = "spec.containers[].resources.limits.memory",
	  .podman = "podman run --memory=SIZE",
	  .bubblewrap =
		  "bubblewrap sets no limit: raise the one of the enclosing cgroup (systemd-run "
		  "-p MemoryMax=SIZE)",
	  .task = "give each tool its own cap below the limit",
	  .ignore = "when the task is far smaller than the limit" },
	{ .id = "memory.headroom-low",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_LIKELY,
	  .who = WHO_RUNTIME,
	  .check = check_headroom,
	  .title = "Only %s of memory is left before the limit",
	  .consequence = "The next larger allocation may bring the OOM killer.",
	  .remedy = "Raise the memory limit, or end what else runs in this cgroup.",
	  .meaning = "Limit less usage, with cache that can be given back counted as free, at the "
		     "level with the tightest limit.",
	  .docker = "docker run --memory=SIZE; docker update --memory=SIZE CONTAINER",
	  .kubernetes = "raise resources.limits.memory",
	  .podman = "podman run --memory=SIZE",
	  .bubblewrap = "raise the limit of the enclosing cgroup",
	  .task = "stop background servers; run fewer workers",
	  .ignore =
		  "when the usage is page cache that the kernel counts as active: it is given back "
		  "under pressure" },
	{ .id = "memory.oom-killed",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_oom_killed,
	  .title = "The OOM killer has struck here already (%s)",
	  .consequence =
		  "Something in this cgroup needed more than the limit; the same work will fail "
		  "again.",
	  .remedy = "Raise the memory limit or make the work smaller.",
	  .meaning =
		  "The cgroup's own counter of OOM kills is above zero (memory.events oom_kill, or "
		  "memory.oom_control on version 1).",
	  .docker = "docker run --memory=SIZE",
	  .kubernetes = "raise resources.limits.memory",
	  .podman = "podman run --memory=SIZE",
	  .bubblewrap = "raise the limit of the enclosing cgroup",
	  .task = "run the heavy step alone, with fewer workers",
	  .ignore = "when the kill was an earlier experiment" },
	{ .id = "memory.shm-unusable",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_shm,
	  .title = "/dev/shm %s",
	  .consequence =
		  "shm_open and sem_open fail: Python multiprocessing, Chromium, PostgreSQL and "
		  "PyTorch data loaders break.",
	  .remedy = "Mount a tmpfs on /dev/shm.",
	  .meaning =
		  "POSIX shared memory lives in files under /dev/shm; it was looked for and tried.",
	  .docker = "docker mounts one by itself; check --ipc and --tmpfs",
	  .kubernetes = "emptyDir {medium: Memory} mounted at /dev/shm",
	  .podman = "--shm-size=64m, or --tmpfs /dev/shm",
	  .bubblewrap = "--tmpfs /dev/shm after --dev /dev",
	  .task = "chromium --disable-dev-shm-usage; keep data loaders in one process",
	  .ignore = "when nothing uses shared memory" },
	{ .id = "memory.shm-small",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_POSSIBLE,
	  .who = WHO_RUNTIME,
	  .check = check_shm_small,
	  .title = "/dev/shm holds only %s",
	  .consequence =
		  "Browsers, data loaders and databases that use shared memory may die of SIGBUS "
		  "when it is full.",
	  .remedy = "Give those that need it a larger /dev/shm.",
	  .meaning =
		  "Size of the filesystem on /dev/shm. 64 MB is the usual default of containers.",
	  .docker = "docker run --shm-size=1g",
	  .kubernetes = "emptyDir {medium: Memory, sizeLimit: 1Gi} mounted at /dev/shm",
	  .podman = "podman run --shm-size=1g",
	  .bubblewrap = "--size 1073741824 --tmpfs /dev/shm",
	  .task = "chromium --disable-dev-shm-usage",
	  .ignore = "for everything but users of shared memory" },
	{ .id = "cpu.quota-hidden",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_TASK,
	  .check = check_quota_hidden,
	  .title = "CPU time is capped at %s",
	  .consequence =
		  "Tools that start a worker per CPU start too many: they are throttled, time "
		  "out, and use memory for nothing.",
	  .remedy = "Set the worker count by the quota: make -jN, CARGO_BUILD_JOBS, "
		    "OMP_NUM_THREADS, pytest -n N.",
	  .meaning =
		  "The tightest CFS quota over all visible cgroup levels, beside the CPUs that this "
		  "process may run on.",
	  .docker = "docker run --cpus=N",
	  .kubernetes = "resources.limits.cpu",
	  .podman = "podman run --cpus=N",
	  .bubblewrap = "set by the enclosing cgroup",
	  .task = "pass the worker count explicitly",
	  .ignore = "with runtimes that read the quota themselves (Go 1.25, Java 10, Rust, .NET)" },
	{ .id = "limits.pids-low",
	  .severity = SEVERITY_DEGRADED,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_pids,
	  .title = "Only %s more processes or threads can be started",
	  .consequence = "fork and thread creation fail with EAGAIN: \"Resource temporarily "
			 "unavailable\", \"can't start new thread\".",
	  .remedy = "Raise the pids limit.",
	  .meaning = "pids.max less pids.current at the tightest visible level. Threads count.",
	  .docker = "docker run --pids-limit=4096",
	  .kubernetes = "the kubelet's podPidsLimit",
	  .podman = "podman run --pids-limit=4096",
	  .bubblewrap = "set by the enclosing cgroup",
	  .task = "run fewer workers; end background processes",
	  .ignore = "for a task of a few processes" },
	{ .id = "limits.nofile-low",
	  .severity = SEVERITY_SUBTLE,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_TASK,
	  .check = check_nofile,
	  .title = "Only %s files can be open at once",
	  .consequence =
		  "Bundlers, test runners and watchers fail with EMFILE, \"Too many open files\".",
	  .remedy = "ulimit -n \"$(ulimit -Hn)\" in the task's shell; else raise the hard limit.",
	  .meaning = "RLIMIT_NOFILE of this process, soft value.",
	  .docker = "docker run --ulimit nofile=65536:65536",
	  .kubernetes = "set by the container runtime on the node",
	  .podman = "podman run --ulimit nofile=65536:65536",
	  .bubblewrap = "inherited: ulimit -n before bwrap",
	  .task = "ulimit -n up to the hard limit",
	  .ignore = "for small tasks" },
};

RULE_SET_DEFINE(memory, rules);
