// SPDX-License-Identifier: Apache-2.0
/* How we were started: locale, signals, descriptors. */
#include "rules/sets.h"

static bool check_locale(const struct profile *profile, struct verdict *verdict)
{
	const char *locale = profile_text(profile, "environment.locale");
	if (!profile_false(profile, "environment.utf8"))
		return false;
	verdict_detail(verdict, "%s", locale ? locale : "not set");
	verdict_add(verdict, "environment.utf8");
	verdict_add(verdict, "environment.locale");
	return true;
}

static bool check_sigpipe(const struct profile *profile, struct verdict *verdict)
{
	const struct fact *ignored = profile_find(profile, "environment.ignored_signals");
	if (!ignored || !fact_list_has(ignored, "SIGPIPE"))
		return false;
	verdict_add(verdict, "environment.ignored_signals");
	return true;
}

static const struct rule rules[] = {
	{ .id = "environment.locale",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_POSSIBLE,
	  .who = WHO_RUNTIME,
	  .check = check_locale,
	  .title = "The locale is not UTF-8 (%s)",
	  .consequence =
		  "Older Python, Perl, Ruby, Java, tmux and sort treat non-ASCII text as bytes or "
		  "fail with UnicodeEncodeError.",
	  .remedy = "Set LC_ALL=C.UTF-8.",
	  .meaning = "LC_ALL, LC_CTYPE and LANG as received, in this order.",
	  .docker = "ENV LANG=C.UTF-8",
	  .kubernetes = "env LANG",
	  .podman = "ENV LANG=C.UTF-8",
	  .bubblewrap = "--setenv LANG C.UTF-8",
	  .task = "export LC_ALL=C.UTF-8",
	  .ignore = "with Python 3.7 or later, Go, Rust and Node" },
	{ .id = "environment.sigpipe-ignored",
	  .severity = SEVERITY_INFO,
	  .confidence = CONFIDENCE_CERTAIN,
	  .who = WHO_RUNTIME,
	  .check = check_sigpipe,
	  .title = "We were started with SIGPIPE ignored",
	  .consequence =
		  "Pipelines that end early, as with head, print \"Broken pipe\" errors, or do "
		  "not end.",
	  .remedy = "Restore the default before the exec (Python: restore_signals=True).",
	  .meaning = "SigIgn of /proc/self/status; ignored signals survive fork and exec.",
	  .docker = "a matter of the program that runs exec",
	  .kubernetes = "a matter of the program that runs exec",
	  .podman = "a matter of the program that runs exec",
	  .bubblewrap = "inherited",
	  .task = "env --default-signal=PIPE COMMAND",
	  .ignore = "when no pipeline ends early" },
};

RULE_SET_DEFINE(environment, rules);
