// SPDX-License-Identifier: Apache-2.0
#include "cmd/live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/sys.h"
#include "core/guard.h"
#include "rules/layers.h"
#include "rules/rule.h"

/* Of this binary; the machine's is a fact like others (and uname(2) may be filtered). */
#if defined(__x86_64__)
#define PROBE_ARCH "x86_64"
#elif defined(__aarch64__)
#define PROBE_ARCH "aarch64"
#else
#error "unknown architecture: name it here"
#endif

#define COLLECTOR(name) extern const struct collector collector_##name;
#include "collectors/list.h"
#undef COLLECTOR

static const struct collector *const collectors[] = {
#define COLLECTOR(name) &collector_##name,
#include "collectors/list.h"
#undef COLLECTOR
};

#define COLLECTOR_COUNT (sizeof(collectors) / sizeof(*collectors))

const struct collector *live_next(const struct collector *prev)
{
	size_t i = 0;
	while (prev && i < COLLECTOR_COUNT && collectors[i] != prev)
		i++;
	i += prev != NULL;
	return i < COLLECTOR_COUNT ? collectors[i] : NULL;
}

static uint64_t mix(uint64_t x)
{
	/* splitmix64: every bit of the seed reaches every bit of the outcome */
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/*
 * Different for each process and moment, from what the kernel gave us at exec (AT_RANDOM): in this process no
 * getrandom(2), for which a filter may kill.
 */
static void random_bytes(unsigned char bytes[16])
{
	const void *given = (const void *)getauxval(AT_RANDOM);
	uint64_t seed[2] = { 0 };
	struct timespec now = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	if (given)
		memcpy(seed, given, sizeof(seed));
	seed[0] = mix(seed[0] ^ (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 40);
	seed[1] = mix(seed[1] + (uint64_t)now.tv_sec + seed[0]);
	memcpy(bytes, seed, sizeof(seed));
}

static void make_id(char id[37])
{
	unsigned char b[16];
	random_bytes(b);
	b[6] = (b[6] & 0x0f) | 0x40; /* version 4 */
	b[8] = (b[8] & 0x3f) | 0x80;
	for (int i = 0, at = 0; i < 16; i++) {
		at += sprintf(id + at, "%02x", b[i]);
		if (i == 3 || i == 5 || i == 7 || i == 9)
			id[at++] = '-';
	}
	id[36] = '\0';
}

static int profile_head(struct profile *profile)
{
	time_t now = time(NULL);
	struct tm tm;

	make_id(profile->id);
	if (!gmtime_r(&now, &tm) ||
	    !strftime(profile->taken_at, sizeof(profile->taken_at), "%Y-%m-%dT%H:%M:%SZ", &tm))
		strcpy(profile->taken_at, "1970-01-01T00:00:00Z");
	profile->probe_version = strdup(DRIFTPROBE_VERSION);
	profile->probe_arch = strdup(PROBE_ARCH);
	return profile->probe_version && profile->probe_arch ? 0 : -1;
}

static bool named(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

struct errand {
	const struct collector *collector;
	const struct scope *scope;
};

static void run_collector(struct sink *sink, const void *arg)
{
	const struct errand *errand = arg;
	errand->collector->collect(sink, errand->scope);
}

/* What runs for over a second says which parts are still awaited; only to a person. */
struct progress {
	bool terminal, shown;
	int64_t started_ms;
	size_t left;
};

static void progress_step(const char *name, void *data)
{
	struct progress *progress = data;
	(void)name;
	progress->left--;
	if (!progress->terminal || sys_now_ms() - progress->started_ms < 1000)
		return;
	progress->shown = true;
	fprintf(stderr, "\rdriftprobe: %zu collectors still at work ", progress->left);
}

static void skipped(struct profile *profile, const char *name)
{
	struct coverage row = { strdup(name), COVERAGE_SKIPPED, 0, strdup("not asked for") };
	profile_add_coverage(profile, row);
}

static size_t collector_place(const char *name)
{
	size_t i = 0;
	while (i < COLLECTOR_COUNT && name && strcmp(collectors[i]->name, name) != 0)
		i++;
	return i;
}

/* They end in any order; two profiles of one place should not differ for that. */
static int coverage_compare(const void *a, const void *b)
{
	const struct coverage *x = a, *y = b;
	size_t i = collector_place(x->collector), j = collector_place(y->collector);
	return i < j ? -1 : i > j;
}

static int run_all(const struct live_options *options, const struct scope *scope,
		   struct profile *profile)
{
	struct guard_task tasks[COLLECTOR_COUNT];
	struct errand errands[COLLECTOR_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < COLLECTOR_COUNT; i++) {
		const struct collector *collector = collectors[i];
		int deadline = collector->deadline_ms;
		if ((options->only[0] && !named(options->only, collector->name)) ||
		    named(options->skip, collector->name)) {
			skipped(profile, collector->name);
			continue;
		}
		if (options->deadline_ms && options->deadline_ms < deadline)
			deadline = options->deadline_ms;
		errands[count] = (struct errand){ collector, scope };
		tasks[count] = (struct guard_task){ collector->name, deadline, collector->shares,
						    run_collector, &errands[count] };
		count++;
	}
	struct progress progress = { .terminal = isatty(2),
				     .started_ms = sys_now_ms(),
				     .left = count };
	struct guard_options guard = { .progress = progress_step, .data = &progress };
	int err = guard_run(tasks, count, &guard, profile);
	if (progress.shown)
		fputs("\r\033[K", stderr);
	return err;
}

struct profile *live_profile(const struct live_options *options)
{
	char cwd[SYS_PATH_MAX];
	struct scope scope = { .root = "",
			       .dirs = options->dirs,
			       .environ = (const char *const *)environ };
	cleanup_profile struct profile *profile = profile_new();
	int64_t started = sys_now_ms();

	if (getcwd(cwd, sizeof(cwd)))
		scope.cwd = cwd;
	else
		scope.cwd_errno = errno;
	if (!profile || profile_head(profile) || run_all(options, &scope, profile))
		return NULL;
	profile->duration_ms = sys_now_ms() - started;
	profile_sort(profile);
	if (profile->coverage_count)
		qsort(profile->coverage, profile->coverage_count, sizeof(*profile->coverage),
		      coverage_compare);
	if (layers_run(profile) || rules_run(profile))
		return NULL;
	return steal_ptr(profile);
}
