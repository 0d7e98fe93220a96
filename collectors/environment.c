// SPDX-License-Identifier: Apache-2.0
/* How we were started: names of variables, locale, time zone, descriptors, signals. Values stay out but few. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/sys.h"
#include "collectors/collector.h"

#define NAMES_MAX      1000
#define NAME_MAX_SHOWN 200

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void speak_names(struct sink *sink, const struct scope *scope)
{
	cleanup_free char **names = calloc(NAMES_MAX + 1, sizeof(*names));
	int64_t count = 0, bytes = 0;
	size_t n = 0;

	for (const char *const *at = scope->environ; at && *at; at++, count++) {
		size_t len = strcspn(*at, "=");
		bytes += (int64_t)strlen(*at) + 1;
		if (names && n < NAMES_MAX)
			names[n++] = strndup(*at, len < NAME_MAX_SHOWN ? len : NAME_MAX_SHOWN);
		if (names && n && !names[n - 1])
			n--;
	}
	sink_int(sink, "environment.count", count, "environ");
	sink_int(sink, "environment.bytes", bytes, "environ");
	if (!names) {
		sink_fail(sink, "environment.names", ENOMEM, "environ");
		return;
	}
	qsort(names, n, sizeof(*names), name_compare);
	sink_list(sink, "environment.names", (const char *const *)names, "environ");
	for (size_t i = 0; i < n; i++)
		free(names[i]);
}

/* setlocale(3): LC_ALL before LC_CTYPE before LANG; an empty one does not count. */
static void speak_locale(struct sink *sink, const struct scope *scope)
{
	static const char *const order[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value = NULL, *source = "LC_ALL, LC_CTYPE, LANG";
	for (size_t i = 0; i < ARRAY_SIZE(order) && !value; i++) {
		value = scope_getenv(scope, order[i]);
		if (value && !*value)
			value = NULL;
		if (value)
			source = order[i];
	}
	if (value)
		sink_text(sink, "environment.locale", value, source);
	else
		sink_status(sink, "environment.locale", FACT_ABSENT, 0, source);
	const char *codeset = value ? strchr(value, '.') : NULL;
	sink_bool(sink, "environment.utf8",
		  codeset && (!strncasecmp(codeset + 1, "utf-8", 5) ||
			      !strncasecmp(codeset + 1, "utf8", 4)),
		  source);
}

static void speak_timezone(struct sink *sink, const struct scope *scope)
{
	const char *tz = scope_getenv(scope, "TZ");
	char target[SYS_PATH_MAX];
	if (tz && *tz) {
		sink_text(sink, "environment.timezone", tz, "TZ");
		return;
	}
	int err = sys_readlink(scope->root, "/etc/localtime", target, sizeof(target));
	const char *zone = err ? NULL : strstr(target, "zoneinfo/");
	if (zone)
		sink_text(sink, "environment.timezone", zone + strlen("zoneinfo/"),
			  "/etc/localtime");
	else if (err == EINVAL)
		/* A copy and not a link: its name is lost, the zone is not. */
		sink_status(sink, "environment.timezone", FACT_UNSUPPORTED, 0, "/etc/localtime");
	else
		sink_fail(sink, "environment.timezone", err ? err : EBADMSG, "/etc/localtime");
}

static const char *kind_of(int fd)
{
	struct stat st;
	/* O_PATH stands in for a descriptor that we were started without. */
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || (flags & O_PATH) || fstat(fd, &st))
		return "closed";
	if (isatty(fd))
		return "terminal";
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
		return "null";
	return S_ISFIFO(st.st_mode)   ? "pipe"
	       : S_ISREG(st.st_mode)  ? "file"
	       : S_ISSOCK(st.st_mode) ? "socket"
				      : "other";
}

static void speak_descriptors(struct sink *sink)
{
	static const char *const keys[] = { "environment.stdin", "environment.stdout",
					    "environment.stderr" };
	for (int fd = 0; fd < 3; fd++)
		sink_text(sink, keys[fd], kind_of(fd), "fstat");
	cleanup_fd int tty = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (tty >= 0 || errno == ENXIO)
		sink_bool(sink, "environment.controlling_terminal", tty >= 0, "open(/dev/tty)");
	else
		sink_fail(sink, "environment.controlling_terminal", errno, "open(/dev/tty)");
}

static const struct {
	int number;
	const char *name;
} signals[] = {
	{ SIGHUP, "SIGHUP" },	{ SIGINT, "SIGINT" },	{ SIGQUIT, "SIGQUIT" },
	{ SIGPIPE, "SIGPIPE" }, { SIGALRM, "SIGALRM" }, { SIGTERM, "SIGTERM" },
	{ SIGUSR1, "SIGUSR1" }, { SIGUSR2, "SIGUSR2" }, { SIGCHLD, "SIGCHLD" },
	{ SIGTSTP, "SIGTSTP" }, { SIGTTIN, "SIGTTIN" }, { SIGTTOU, "SIGTTOU" },
	{ SIGXFSZ, "SIGXFSZ" }, { SIGXCPU, "SIGXCPU" }, { SIGWINCH, "SIGWINCH" },
};

/* Both survive fork and exec, so what this process has is what it was given. */
static void speak_signals(struct sink *sink)
{
	const char *ignored[ARRAY_SIZE(signals) + 1] = { NULL },
						  *blocked[ARRAY_SIZE(signals) + 1] = { NULL };
	size_t i = 0, b = 0;
	sigset_t mask;

	sigemptyset(&mask);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (size_t k = 0; k < ARRAY_SIZE(signals); k++) {
		struct sigaction action;
		if (!sigaction(signals[k].number, NULL, &action) && action.sa_handler == SIG_IGN)
			ignored[i++] = signals[k].name;
		if (sigismember(&mask, signals[k].number) == 1)
			blocked[b++] = signals[k].name;
	}
	sink_list(sink, "environment.ignored_signals", ignored, "sigaction");
	sink_list(sink, "environment.blocked_signals", blocked, "sigprocmask");
}

static void speak_term(struct sink *sink, const struct scope *scope)
{
	const char *term = scope_getenv(scope, "TERM");
	if (term)
		sink_text(sink, "environment.term", term, "TERM");
	else
		sink_status(sink, "environment.term", FACT_ABSENT, 0, "TERM");
}

static void environment_collect(struct sink *sink, const struct scope *scope)
{
	speak_names(sink, scope);
	speak_locale(sink, scope);
	speak_timezone(sink, scope);
	speak_term(sink, scope);
	speak_descriptors(sink);
	speak_signals(sink);
}

const struct collector collector_environment = {
	.name = "environment",
	.about = "how we were started: names of variables, locale, descriptors, signals",
	.deadline_ms = 2000,
	.collect = environment_collect,
};
