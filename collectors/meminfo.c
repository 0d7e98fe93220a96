// SPDX-License-Identifier: Apache-2.0
/* Memory as tools see it: the machine's, and this process's address-space limit. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "base/parse.h"
#include "base/sys.h"
#include "collectors/collector.h"

static void speak_machine(struct sink *sink, const char *root)
{
	static const struct {
		const char *key, *name;
	} lines[] = {
		{ "memory.total_bytes", "MemTotal" },
		{ "memory.available_bytes", "MemAvailable" },
		{ "memory.swap_total_bytes", "SwapTotal" },
		{ "memory.swap_free_bytes", "SwapFree" },
		{ "memory.commit_limit_bytes", "CommitLimit" },
		{ "memory.committed_bytes", "Committed_AS" },
	};
	cleanup_buf struct buf text = BUF_INIT(1 << 16);
	int err = sys_read(root, "/proc/meminfo", &text);
	struct sysinfo info;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		int64_t value;
		if (!err && parse_keyed_i64(buf_text(&text), lines[i].name, &value))
			sink_int(sink, lines[i].key, value, "/proc/meminfo");
		else if (err && i == 0 && !*root && !sysinfo(&info))
			sink_int(sink, lines[i].key, (int64_t)info.totalram * info.mem_unit,
				 "sysinfo");
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
	else if (limit.rlim_cur == RLIM_INFINITY)
		sink_text(sink, "memory.rlimit_as_bytes", "max", "getrlimit(RLIMIT_AS)");
	else
		sink_int(sink, "memory.rlimit_as_bytes", (int64_t)limit.rlim_cur,
			 "getrlimit(RLIMIT_AS)");
}

const struct collector collector_meminfo = {
	.name = "meminfo",
	.about = "memory as tools see it",
	.deadline_ms = 1500,
	.collect = meminfo_collect,
};
