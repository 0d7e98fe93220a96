// SPDX-License-Identifier: Apache-2.0
#include "base/gvisor.h"

#include <stddef.h>
#include <string.h>
#include <sys/klog.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/sys.h"

#define SYSLOG_ACTION_READ_ALL 3

struct gvisor_look {
	const char *root;
	bool live; /* the kernel's log may be asked */
	const struct utsname *uts;
	const char *status; /* /proc/self/status; NULL when it could not be read */
};

/* gVisor answers uname with one date for all its builds. */
static bool sign_uname(const struct gvisor_look *look)
{
	return strstr(look->uts->release, "gvisor") ||
	       strstr(look->uts->version, "Sun Jan 10 15:06:54 PST 2016");
}

static bool sign_meminfo(const struct gvisor_look *look)
{
	char text[8];
	cleanup_buf struct buf start = BUF_INIT(sizeof(text));
	int err = sys_read(look->root, "/proc/sentry-meminfo", &start);
	return start.len || !err;
}

/* Linux writes both lines or, without seccomp, at least NoNewPrivs (since 4.10). */
static bool sign_status(const struct gvisor_look *look)
{
	char value[32];
	return look->status && parse_keyed(look->status, "Seccomp", value, sizeof(value)) &&
	       !parse_keyed(look->status, "NoNewPrivs", value, sizeof(value)) &&
	       !parse_keyed(look->status, "Seccomp_filters", value, sizeof(value));
}

/* Files that every Linux with a /proc has had for long. */
static bool sign_missing(const struct gvisor_look *look)
{
	static const char *const files[] = { "/proc/self/limits", "/proc/sys/kernel/random/boot_id",
					     "/proc/diskstats" };
	if (!look->status)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char path[SYS_PATH_MAX];
		if (sys_path(path, sizeof(path), look->root, files[i]) || !access(path, F_OK))
			return false;
	}
	return true;
}

/* Its log is a few joking lines; a Linux log ends otherwise, and is mostly refused. Nothing of it is kept. */
static bool sign_log(const struct gvisor_look *look)
{
	char text[4096];
	int n = look->live ? klogctl(SYSLOG_ACTION_READ_ALL, text, sizeof(text) - 1) : -1;
	if (n < 0)
		return false;
	text[n] = '\0';
	return strstr(text, "Starting gVisor") != NULL;
}

int gvisor_signs(const char *root, bool live, const struct utsname *uts, struct buf *signs)
{
	static const struct {
		const char *name;
		bool (*seen)(const struct gvisor_look *look);
		bool confirms; /* only asked when there is another sign */
	} all[] = {
		{ "uname", sign_uname, false },
		{ "/proc/sentry-meminfo", sign_meminfo, false },
		{ "no NoNewPrivs in /proc/self/status", sign_status, false },
		{ "files that /proc lacks", sign_missing, false },
		{ "kernel log", sign_log, true },
	};
	cleanup_buf struct buf status = BUF_INIT(16384);
	int count = 0, err = sys_read(root, "/proc/self/status", &status);
	struct gvisor_look look = { root, live, uts, err ? NULL : buf_text(&status) };
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if ((all[i].confirms && !count) || !all[i].seen(&look))
			continue;
		buf_printf(signs, "%s%s", count ? ", " : "", all[i].name);
		count++;
	}
	return count;
}
