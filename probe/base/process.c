// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "base/child.h"
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
	*line = (struct process_line){ .parent_err = ENOENT };
	for (int i = 0; i <= FORKS_MAX && self.parent > 0; i++) {
		char pid[24];
		snprintf(pid, sizeof(pid), "%lld", (long long)self.parent);
		line->parent_err = read_status(root, pid, &up);
		/* A parent whom hidepid hides is somebody else's: the line ends here. */
		if (line->parent_err || strcmp(up.name, self.name) != 0)
			break;
		self = up;
		line->parent_err = ENOENT;
	}
	line->own = self.pid;
	line->parent = self.parent;
	if (!line->parent_err)
		memcpy(line->parent_name, up.name, sizeof(up.name));
	return 0;
}

#define STATUS_SOURCE "/proc/self/status"

int process_no_new_privs(bool live, const char *status, int64_t *on, const char **source)
{
	int answer = live ? prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) : -1;
	int err = live ? errno : 0;
	*source = "prctl(PR_GET_NO_NEW_PRIVS)";
	if (answer >= 0) {
		*on = answer;
		return 0;
	}
	if (parse_keyed_i64(status, "NoNewPrivs", on)) {
		*source = STATUS_SOURCE;
		return 0;
	}
	return err ? err : ENOENT;
}

struct seccomp_answer {
	int mode, err;
};

static int ask_seccomp(void *shared)
{
	struct seccomp_answer *answer = shared;
	answer->mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
	answer->err = answer->mode < 0 ? errno : 0;
	return 0;
}

int process_seccomp(bool live, const char *status, int64_t *mode, const char **source)
{
	*source = STATUS_SOURCE;
	if (parse_keyed_i64(status, "Seccomp", mode))
		return 0;
	/* A status file without the line: the kernel was built without seccomp, and prctl says so too. */
	if (!live)
		return ENOENT;
	*source = "prctl(PR_GET_SECCOMP)";
	/* In strict mode the question itself kills. */
	struct seccomp_answer answer = { .err = EAGAIN };
	struct child_result result = child_run(ask_seccomp, &answer, sizeof(answer), 1000);
	if (result.end == CHILD_SIGNALED)
		return EPERM;
	if (result.end != CHILD_EXITED)
		return result.end == CHILD_TIMEOUT ? ETIMEDOUT : result.code;
	if (!answer.err)
		*mode = answer.mode;
	return answer.err;
}

bool process_unfiltered(void)
{
	cleanup_buf struct buf status = BUF_INIT(16384);
	int64_t mode;
	return !sys_read("", STATUS_SOURCE, &status) &&
	       parse_keyed_i64(buf_text(&status), "Seccomp", &mode) && mode == 0;
}

unsigned int process_umask(void)
{
	mode_t mask = umask(022);
	umask(mask);
	return (unsigned int)mask;
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

int process_read_id_map(const char *root, const char *path, struct buf *out, int64_t *total)
{
	cleanup_buf struct buf text = BUF_INIT(65536);
	int err = sys_read(root, path, &text);
	if (err)
		return err;
	return process_id_map(buf_text(&text), out, total) ? 0 : EBADMSG;
}
