// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collected.h"

extern const struct collector collector_identity;

static struct profile *collected(const char *root, const char *const *environment)
{
	struct scope scope = { .root = root, .environ = environment, .cwd_errno = EACCES };
	return collected_noting(&collector_identity, &scope, NULL);
}

static const char *const no_environment[] = { NULL };

static void test_container(void **state)
{
	(void)state;
	const char *const environment[] = { "HOME=/etc", NULL };
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/container", environment);
	const struct fact *held = profile_find(p, "identity.capabilities.effective");

	assert_true(profile_true(p, "identity.no_new_privs"));
	assert_string_equal(profile_text(p, "identity.seccomp_mode"), "filter");
	assert_int_equal(profile_int(p, "identity.seccomp_filters", -1), 3);
	assert_true(profile_false(p, "identity.user_namespace.initial"));
	assert_string_equal(profile_text(p, "identity.user_namespace.uid_map"),
			    "0 100000 65536; 70000 5 1");
	assert_int_equal(profile_int(p, "identity.user_namespace.mapped_uids", -1), 65537);
	assert_status(p, "identity.user_namespace.gid_map", FACT_MALFORMED, EBADMSG);
	assert_string_equal(profile_text(p, "identity.capabilities.effective_mask"),
			    "00000000a80425fb");
	assert_int_equal(fact_list_count(held), 14);
	assert_true(fact_list_has(held, "cap_net_raw"));
	assert_false(fact_list_has(held, "cap_sys_admin"));
	held = profile_find(p, "identity.capabilities.ambient");
	assert_int_equal(fact_list_count(held), 1);
	assert_true(fact_list_has(held, "cap_63"));
	assert_true(profile_false(p, "identity.capabilities.full"));
	assert_int_equal(profile_int(p, "identity.pid_namespace_depth", -1), 1);
	assert_string_equal(profile_text(p, "identity.lsm_label"), "docker-default (enforce)");
	assert_string_equal(profile_text(p, "identity.init"), "sh");
}

/* We fork: our parent is who started the oldest of us. */
static void test_ancestors(void **state)
{
	(void)state;
	cleanup_profile struct profile *p =
		collected("tests/unit/fixtures/container", no_environment);

	assert_int_equal(profile_int(p, "identity.pid", -1), 12);
	assert_int_equal(profile_int(p, "identity.ppid", -1), 7);
	assert_string_equal(profile_text(p, "identity.parent"), "bash");
}

static void test_home(void **state)
{
	(void)state;
	const char *const environment[] = { "HOMER=/x", "HOME=/etc/passwd", NULL };
	const char *const missing[] = { "HOME=/nowhere", NULL };
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/container", environment);
	cleanup_profile struct profile *m = collected("tests/unit/fixtures/container", missing);
	cleanup_profile struct profile *n =
		collected("tests/unit/fixtures/container", no_environment);

	assert_string_equal(profile_text(p, "identity.home"), "/etc/passwd");
	assert_string_equal(profile_text(p, "identity.home_state"), "not-a-directory");
	assert_true(profile_int(p, "identity.home_owner", -1) >= 0);
	assert_string_equal(profile_text(m, "identity.home_state"), "missing");
	assert_status(m, "identity.home_writable", FACT_ABSENT, ENOENT);
	assert_status(n, "identity.home", FACT_ABSENT, ENOENT);
	assert_status(n, "identity.cwd", FACT_DENIED, EACCES);
}

static void test_gvisor(void **state)
{
	(void)state;
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/gvisor", no_environment);

	assert_status(p, "identity.no_new_privs", FACT_ABSENT, ENOENT);
	assert_string_equal(profile_text(p, "identity.seccomp_mode"), "none");
	assert_status(p, "identity.seccomp_filters", FACT_ABSENT, ENOENT);
	assert_status(p, "identity.capabilities.bounding", FACT_ABSENT, ENOENT);
	assert_int_equal(profile_int(p, "identity.ppid", -1), 0);
	assert_status(p, "identity.parent", FACT_ABSENT, ENOENT);
	assert_status(p, "identity.user", FACT_ABSENT, ENOENT);
}

/* Without /proc its files are not "absent": we could not look. What system calls tell is told. */
static void test_no_proc(void **state)
{
	(void)state;
	cleanup_profile struct profile *p =
		collected("tests/unit/fixtures/nowhere", no_environment);

	assert_status(p, "identity.seccomp_filters", FACT_SKIPPED, ENOENT);
	assert_status(p, "identity.user_namespace.initial", FACT_SKIPPED, ENOENT);
	assert_status(p, "identity.pid", FACT_SKIPPED, ENOENT);
	assert_status(p, "identity.init", FACT_SKIPPED, ENOENT);
	assert_int_equal(profile_int(p, "identity.euid", -1), (int)geteuid());
	assert_int_equal(strlen(profile_text(p, "identity.umask")), 4);
}

static void test_live(void **state)
{
	(void)state;
	mode_t before = umask(077);
	/* no_new_privs cannot be undone: set it in a child. */
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		struct profile *p = collected("", no_environment);
		const struct fact *nnp = profile_find(p, "identity.no_new_privs");
		const char *mask = profile_text(p, "identity.umask");
		bool right = nnp && nnp->status == FACT_OK && nnp->number &&
			     !strcmp(nnp->source, "prctl(PR_GET_NO_NEW_PRIVS)") && mask &&
			     !strcmp(mask, "0077") &&
			     profile_find(p, "identity.capabilities.bounding")->status == FACT_OK;
		profile_free(p);
		_exit(right ? 0 : 1);
	}
	int status = -1;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(umask(before), 077);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_container), cmocka_unit_test(test_ancestors),
		cmocka_unit_test(test_home),	  cmocka_unit_test(test_gvisor),
		cmocka_unit_test(test_no_proc),	  cmocka_unit_test(test_live),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
