// SPDX-License-Identifier: Apache-2.0
#include "base/signal_set.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "base/parse.h"

#define STANDARD_SIGNALS 32
#define N(name)		 [SIG##name] = "SIG" #name

static const char *const standard[STANDARD_SIGNALS] = {
	N(HUP),	 N(INT),    N(QUIT), N(ILL),   N(TRAP), N(ABRT), N(BUS),  N(FPE),
	N(KILL), N(USR1),   N(SEGV), N(USR2),  N(PIPE), N(ALRM), N(TERM), N(STKFLT),
	N(CHLD), N(CONT),   N(STOP), N(TSTP),  N(TTIN), N(TTOU), N(URG),  N(XCPU),
	N(XFSZ), N(VTALRM), N(PROF), N(WINCH), N(IO),	N(PWR),	 N(SYS),
};

void signal_set_names(uint64_t mask, struct signal_names *names)
{
	size_t n = 0;
	for (int signal = 1; signal <= 64; signal++) {
		if (!(mask >> (signal - 1) & 1))
			continue;
		char *text = names->text[n];
		if (signal < STANDARD_SIGNALS)
			snprintf(text, sizeof(names->text[n]), "%s", standard[signal]);
		else
			snprintf(text, sizeof(names->text[n]), "SIG%d", signal);
		names->items[n++] = text;
	}
	names->items[n] = NULL;
}

/* The C library keeps some real-time signals to itself and does not tell of them: the others are told. */
static uint64_t ask(enum signal_set which)
{
	struct sigaction action;
	uint64_t mask = 0;
	sigset_t blocked;
	sigemptyset(&blocked);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int signal = 1; signal <= 64; signal++) {
		bool member = which == SIGNAL_SET_BLOCKED ? sigismember(&blocked, signal) == 1
							  : !sigaction(signal, NULL, &action) &&
								    action.sa_handler == SIG_IGN;
		mask |= (uint64_t)member << (signal - 1);
	}
	return mask;
}

int signal_set_get(enum signal_set which, bool live, const char *status, uint64_t *mask,
		   const char **source)
{
	bool ignored = which == SIGNAL_SET_IGNORED;
	char hex[32];
	*source = "/proc/self/status";
	if (parse_keyed(status, ignored ? "SigIgn" : "SigBlk", hex, sizeof(hex)))
		return parse_hex64(hex, mask) ? 0 : EBADMSG;
	if (!live)
		return ENOENT;
	*source = ignored ? "sigaction()" : "sigprocmask()";
	*mask = ask(which);
	return 0;
}
