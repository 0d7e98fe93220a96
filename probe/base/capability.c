// SPDX-License-Identifier: Apache-2.0
#include "base/capability.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "base/parse.h"

/* The ABI has two words of 32 bits: no kernel can know more. */
#define CAPABILITY_BITS 64

static const struct {
	const char *name, *call, *line;
	cap_flag_t flag;
} sets[CAPABILITY_SET_COUNT] = {
	[CAPABILITY_EFFECTIVE] = { "effective", "capget()", "CapEff", CAP_EFFECTIVE },
	[CAPABILITY_PERMITTED] = { "permitted", "capget()", "CapPrm", CAP_PERMITTED },
	[CAPABILITY_INHERITABLE] = { "inheritable", "capget()", "CapInh", CAP_INHERITABLE },
	[CAPABILITY_BOUNDING] = { "bounding", "prctl(PR_CAPBSET_READ)", "CapBnd", CAP_EFFECTIVE },
	[CAPABILITY_AMBIENT] = { "ambient", "prctl(PR_CAP_AMBIENT_IS_SET)", "CapAmb",
				 CAP_EFFECTIVE },
};

const char *capability_set_name(enum capability_set set)
{
	return sets[set].name;
}

static int read_flags(cap_flag_t flag, uint64_t *mask)
{
	cap_t caps = cap_get_proc();
	if (!caps)
		return errno;
	uint64_t bits = 0;
	for (int i = 0; i < CAPABILITY_BITS; i++) {
		cap_flag_value_t value;
		/* Fails above what this kernel knows. */
		if (cap_get_flag(caps, i, flag, &value) != 0)
			break;
		if (value == CAP_SET)
			bits |= UINT64_C(1) << i;
	}
	cap_free(caps);
	*mask = bits;
	return 0;
}

static int ask_bounding(int bit)
{
	return prctl(PR_CAPBSET_READ, bit, 0, 0, 0);
}

static int ask_ambient(int bit)
{
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, bit, 0, 0);
}

static int ask_known(int bit)
{
	return prctl(PR_CAPBSET_READ, bit, 0, 0, 0) >= 0 ? 1 : -1;
}

/* EINVAL on the first bit means that the question is unknown; later it means that the bit is. */
static int ask_each(int (*ask)(int bit), uint64_t *mask)
{
	uint64_t bits = 0;
	for (int i = 0; i < CAPABILITY_BITS; i++) {
		int answer = ask(i);
		if (answer < 0 && (i == 0 || errno != EINVAL))
			return errno;
		if (answer < 0)
			break;
		if (answer > 0)
			bits |= UINT64_C(1) << i;
	}
	*mask = bits;
	return 0;
}

static int ask_kernel(enum capability_set set, uint64_t *mask)
{
	if (set == CAPABILITY_BOUNDING)
		return ask_each(ask_bounding, mask);
	if (set == CAPABILITY_AMBIENT)
		return ask_each(ask_ambient, mask);
	return read_flags(sets[set].flag, mask);
}

int capability_get(enum capability_set set, bool live, const char *status, uint64_t *mask,
		   const char **source)
{
	char hex[24];
	int err = live ? ask_kernel(set, mask) : ENOENT;
	*source = live ? sets[set].call : "/proc/self/status";
	/* gVisor lacks some of the calls, and yet writes the line. */
	if (err && parse_keyed(status, sets[set].line, hex, sizeof(hex)) &&
	    parse_hex64(hex, mask)) {
		*source = "/proc/self/status";
		return 0;
	}
	return err;
}

int capability_known(uint64_t *mask)
{
	return ask_each(ask_known, mask);
}

void capability_names(uint64_t mask, struct capability_names *names)
{
	size_t count = 0;
	for (int i = 0; i < CAPABILITY_BITS; i++) {
		if (!(mask >> i & 1))
			continue;
		char *text = names->text[count];
		char *name = cap_to_name(i);
		/* For a capability it does not know the library gives the bare number. */
		if (name && !isdigit((unsigned char)*name))
			snprintf(text, CAPABILITY_NAME_MAX, "%s", name);
		else
			snprintf(text, CAPABILITY_NAME_MAX, "cap_%d", i);
		cap_free(name);
		names->items[count++] = text;
	}
	names->items[count] = NULL;
}
