// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/gvisor.h"
#include "base/hypervisor.h"
#include "collected.h"

extern const struct collector collector_kernel;

static struct profile *collected(const char *root, const char *const *environment)
{
	return collected_by(&collector_kernel, root, environment);
}

static const char *const no_environment[] = { NULL };

static void test_container(void **state)
{
	(void)state;
	const char *const environment[] = { "container=podman", NULL };
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/container", environment);
	const struct fact *list = profile_find(p, "kernel.lsm");

	assert_string_equal(profile_text(p, "kernel.os_id"), "alpine");
	assert_string_equal(profile_text(p, "kernel.os_version"), "3.20.1");
	assert_string_equal(profile_text(p, "kernel.os_name"), "Alpine \"Linux\" v3.20");
	assert_string_equal(profile_text(p, "kernel.libc"), "none");
	assert_string_equal(profile_text(p, "kernel.container_env"), "podman");
	assert_string_equal(profile_text(p, "kernel.lockdown"), "integrity");
	assert_string_equal(profile_text(p, "kernel.dmi_vendor"), "QEMU");
	assert_status(p, "kernel.dmi_product", FACT_ABSENT, ENOENT);
	assert_int_equal(fact_list_count(list), 3);
	assert_true(fact_list_has(list, "landlock"));
	list = profile_find(p, "kernel.filesystems");
	assert_int_equal(fact_list_count(list), 3);
	assert_false(fact_list_has(list, "nodev"));
	assert_true(fact_list_has(list, "ext4"));
	assert_string_equal(profile_text(p, "kernel.sysctl[user.max_user_namespaces]"), "0");
	assert_string_equal(profile_text(p, "kernel.sysctl[kernel.yama.ptrace_scope]"), "1");
	assert_status(p, "kernel.sysctl[vm.swappiness]", FACT_ABSENT, ENOENT);
	assert_true(profile_true(p, "kernel.marker[/.dockerenv]"));
	assert_true(profile_false(p, "kernel.marker[/run/.containerenv]"));
	assert_true(profile_false(p, "kernel.btf"));
	assert_true(profile_false(p, "kernel.gvisor"));
}

static void test_namespaces(void **state)
{
	(void)state;
	cleanup_profile struct profile *p =
		collected("tests/unit/fixtures/container", no_environment);

	assert_true(profile_true(p, "kernel.namespace[pid].initial"));
	assert_true(profile_false(p, "kernel.namespace[user].initial"));
	assert_true(profile_int(p, "kernel.namespace[net].inode", 0) == 4026532182);
	assert_status(p, "kernel.namespace[uts].initial", FACT_UNSUPPORTED, EOPNOTSUPP);
	assert_status(p, "kernel.namespace[ipc].initial", FACT_MALFORMED, EBADMSG);
	assert_status(p, "kernel.namespace[time].initial", FACT_ABSENT, ENOENT);
}

static void test_nothing_there(void **state)
{
	(void)state;
	cleanup_profile struct profile *p =
		collected("tests/unit/fixtures/nowhere", no_environment);
	struct utsname uts;

	uname(&uts);
	assert_string_equal(profile_text(p, "kernel.release"), uts.release);
	assert_status(p, "kernel.sysctl[kernel.pid_max]", FACT_SKIPPED, ENOENT);
	assert_status(p, "kernel.namespace[pid].initial", FACT_SKIPPED, ENOENT);
	assert_status(p, "kernel.lsm", FACT_SKIPPED, ENOENT);
	assert_status(p, "kernel.btf", FACT_SKIPPED, ENOENT);
	assert_status(p, "kernel.config", FACT_SKIPPED, ENOENT);
	assert_status(p, "kernel.os_id", FACT_ABSENT, ENOENT);
	assert_status(p, "kernel.container_env", FACT_ABSENT, ENOENT);
	assert_true(profile_false(p, "kernel.marker[/.dockerenv]"));
	assert_int_equal(profile_int(p, "kernel.page_size_bytes", 0) % 4096, 0);
	assert_true(profile_int(p, "kernel.uptime_s", -1) >= 0);
}

static void test_gvisor_tree(void **state)
{
	(void)state;
	cleanup_profile struct profile *p = collected("tests/unit/fixtures/gvisor", no_environment);
	const struct fact *gvisor = profile_find(p, "kernel.gvisor");

	assert_true(profile_true(p, "kernel.gvisor"));
	assert_non_null(strstr(gvisor->source, "/proc/sentry-meminfo"));
	assert_status(p, "kernel.namespace[pid].initial", FACT_UNSUPPORTED, EOPNOTSUPP);
}

static void test_gvisor_signs(void **state)
{
	(void)state;
	struct utsname real = { .release = "6.1.0", .version = "#1 SMP" };
	struct utsname made = { .release = "4.4.0",
				.version = "#1 SMP Sun Jan 10 15:06:54 PST 2016" };
	cleanup_buf struct buf names = BUF_INIT(512);

	/* One that imitates uname only is not gVisor; without /proc one sign is all there is. */
	assert_int_equal(gvisor_signs("tests/unit/fixtures/container", false, &real, &names), 1);
	buf_done(&names);
	assert_int_equal(gvisor_signs("tests/unit/fixtures/nowhere", false, &made, &names), 1);
	assert_string_equal(buf_text(&names), "uname");
	buf_done(&names);
	assert_int_equal(gvisor_signs("tests/unit/fixtures/nowhere", false, &real, &names), 0);
	assert_int_equal(gvisor_signs("tests/unit/fixtures/gvisor", false, &made, &names), 4);
}

static void test_hypervisor(void **state)
{
	(void)state;
	char name[HYPERVISOR_NAME_MAX] = "kept", oem[7];
	const char *source;
	int err = hypervisor_name("", true, name, &source);

	assert_true(err == 0 || err == ENOENT || err == ENOSYS);
	if (!err)
		assert_true(*name && name[strlen(name) - 1] != ' ');
	assert_int_equal(hypervisor_name("tests/unit/fixtures/nowhere", false, name, &source),
			 ENOSYS);
	assert_int_equal(hypervisor_acpi_oem("tests/unit/fixtures/nowhere", oem), ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_container),     cmocka_unit_test(test_namespaces),
		cmocka_unit_test(test_nothing_there), cmocka_unit_test(test_gvisor_tree),
		cmocka_unit_test(test_gvisor_signs),  cmocka_unit_test(test_hypervisor),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
