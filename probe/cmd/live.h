/* SPDX-License-Identifier: Apache-2.0 */
/* Taking a profile of this environment. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include <stdbool.h>

#include "collectors/collector.h"
#include "core/profile.h"

#define LIVE_NAMES_MAX 64

struct live_options {
	const char *only[LIVE_NAMES_MAX], *skip[LIVE_NAMES_MAX]; /* collector names; NULL-ended */
	const char *dirs[LIVE_NAMES_MAX]; /* NULL-ended */
	int deadline_ms; /* for every collector; 0: each its own */
};

/* The walk over all collectors; NULL to begin with. */
const struct collector *live_next(const struct collector *prev);

/* A sorted profile with layers and findings, or NULL when out of memory. Says progress on a terminal. */
struct profile *live_profile(const struct live_options *options);

#endif
