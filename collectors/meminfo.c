// SPDX-License-Identifier: Apache-2.0
/* Memory as tools see it: the machine's, and this process's address-space limit. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/sys.h"
#include "collectors/collector.h"

/* What sysinfo(2) knows too: it needs no /proc. */
enum known { UNKNOWN, TOTAL, SWAP_TOTAL, SWAP_FREE };

static bool ask_kernel(enum known what, int64_t *value)
{
	struct sysinfo info;
	if (what == UNKNOWN || sysinfo(&info))
		return false;
	uint64_t units = what == TOTAL	      ? info.totalram
			 : what == SWAP_TOTAL ? info.totalswap
					      : info.freeswap;
	*value = (int64_t)(units * info.mem_unit);
	return true;
}

static void speak_machine(struct sink *sink, const char *root)
{
	static const struct {
		const char *key, *name;
		enum known known;
	} lines[] = {
		{ "memory.total_bytes", "MemTotal", TOTAL },
		{ "memory.available_bytes", "MemAvailable", UNKNOWN },
		{ "memory.swap_total_bytes", "SwapTotal", SWAP_TOTAL },
		{ "memory.swap_free_bytes", "SwapFree", SWAP_FREE },
		{ "memory.commit_limit_bytes", "CommitLimit", UNKNOWN },
		{ "memory.committed_bytes", "Committed_AS", UNKNOWN },
	};
	cleanup_buf struct buf text = BUF_INIT(1 << 16);
	char number[64];
	int err = sys_read(root, "/proc/meminfo", &text);

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		int64_t value;
		if (!err && parse_keyed_i64(buf_text(&text), lines[i].name, &value))
			sink_int(sink, lines[i].key, value, "/proc/meminfo");
		else if (err && !*root && ask_kernel(lines[i].known, &value))
			sink_int(sink, lines[i].key, value, "sysinfo");
		else if (!err &&
			 parse_keyed(buf_text(&text), lines[i].name, number, sizeof(number)))
			sink_fail(sink, lines[i].key, EBADMSG, "/proc/meminfo");
		else
			sink_fail(sink, lines[i].key, err ? err : ENOENT, "/proc/meminfo");
	}
	char line[32];
	err = sys_read_line(root, "/proc/sys/vm/overcommit_memory", line, sizeof(line));
	if (err)
		sink_fail(sink, "memory.overcommit", err, "/proc/sys/vm/overcommit_memory");
	else
		sink_text(sink, "memory.overcommit", line, "/proc/sys/vm/overcommit_memory");
}

static void meminfo_collect(struct sink *sink, const struct scope *scope)
{
	struct rlimit limit;
	speak_machine(sink, scope->root);
	if (getrlimit(RLIMIT_AS, &limit))
		sink_fail(sink, "memory.rlimit_as_bytes", errno, "getrlimit");
	else
		sink_limit(sink, "memory.rlimit_as_bytes",
			   limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur,
			   "getrlimit(RLIMIT_AS)");
}

const struct collector collector_meminfo = {
	.name = "meminfo",
	.about = "memory as tools see it",
	.deadline_ms = 1500,
	.shares = true,
	.collect = meminfo_collect,
};
