// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/sys.h"

/* The guard forks once; a few more are for wrappers of our own. */
#define FORKS_MAX 8

struct status {
	char name[64];
	int64_t pid, parent;
};

static int read_status(const char *root, const char *pid, struct status *status)
{
	char path[64];
	cleanup_buf struct buf text = BUF_INIT(16384);
	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	int err = sys_read(root, path, &text);
	if (err)
		return err;
	if (!parse_keyed(buf_text(&text), "Name", status->name, sizeof(status->name)) ||
	    !parse_keyed_i64(buf_text(&text), "Pid", &status->pid) ||
	    !parse_keyed_i64(buf_text(&text), "PPid", &status->parent))
		return EBADMSG;
	return 0;
}

int process_line(const char *root, struct process_line *line)
{
	struct status self, up;
	int err = read_status(root, "self", &self);
	if (err)
		return err;
	for (int i = 0; i < FORKS_MAX && self.parent > 0; i++) {
		char pid[24];
		snprintf(pid, sizeof(pid), "%lld", (long long)self.parent);
		/* A parent whom hidepid hides is somebody else's: the line ends here. */
		if (read_status(root, pid, &up) || strcmp(up.name, self.name) != 0)
			break;
		self = up;
	}
	*line = (struct process_line){ self.pid, self.parent };
	return 0;
}

int64_t process_status_fields(const char *status, const char *name)
{
	char value[512], field[32];
	int64_t count = 0;
	if (!parse_keyed(status, name, value, sizeof(value)))
		return 0;
	for (const char *at = value; parse_field(&at, field, sizeof(field));)
		count++;
	return count;
}

bool process_id_map(const char *text, struct buf *out, int64_t *total)
{
	char line[128];
	int64_t sum = 0;
	while (parse_line(&text, line, sizeof(line))) {
		char f[3][24];
		int64_t n[3];
		const char *at = line;
		for (size_t i = 0; i < 3; i++)
			if (!parse_field(&at, f[i], sizeof(f[i])) || !parse_i64(f[i], &n[i]) ||
			    n[i] < 0 || n[i] > UINT32_MAX)
				return false;
		sum += n[2];
		buf_printf(out, "%s%s %s %s", out->len ? "; " : "", f[0], f[1], f[2]);
	}
	*total = sum;
	return !buf_failed(out);
}
