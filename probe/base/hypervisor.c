// SPDX-License-Identifier: Apache-2.0
#include "base/hypervisor.h"

#include <errno.h>
#include <string.h>

#include "base/sys.h"

#define SIGNATURE_SIZE 13

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#define LEAF_FEATURES	0x1
#define LEAF_HYPERVISOR 0x40000000
#define FEATURE_GUEST	(1u << 31) /* ecx */

static int cpu_signature(char signature[SIGNATURE_SIZE])
{
	unsigned int a, b, c, d;
	if (!__get_cpuid(LEAF_FEATURES, &a, &b, &c, &d))
		return ENOSYS;
	if (!(c & FEATURE_GUEST))
		return ENOENT;
	/* Not __get_cpuid(): it refuses leaves outside the processor's own range. */
	__cpuid(LEAF_HYPERVISOR, a, b, c, d);
	memcpy(signature, &b, 4);
	memcpy(signature + 4, &c, 4);
	memcpy(signature + 8, &d, 4);
	signature[SIGNATURE_SIZE - 1] = '\0';
	return 0;
}
#else
static int cpu_signature(char signature[SIGNATURE_SIZE])
{
	(void)signature;
	return ENOSYS;
}
#endif

static void cut_blanks(char *text)
{
	size_t len = strlen(text);
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\0'))
		text[--len] = '\0';
}

#define DEVICE_TREE "/proc/device-tree/hypervisor/compatible"

int hypervisor_name(const char *root, bool live, char name[HYPERVISOR_NAME_MAX],
		    const char **source)
{
	char signature[SIGNATURE_SIZE] = "";
	int err = live ? cpu_signature(signature) : ENOSYS;
	*source = "cpuid 0x40000000";
	if (err == ENOSYS && !sys_read_line(root, DEVICE_TREE, name, HYPERVISOR_NAME_MAX)) {
		*source = DEVICE_TREE;
		return 0;
	}
	if (err)
		return err;
	cut_blanks(signature);
	memcpy(name, signature, sizeof(signature));
	return 0;
}

/* struct acpi_table_header: the maker is at byte 10. */
int hypervisor_acpi_oem(const char *root, char oem[7])
{
	cleanup_buf struct buf table = BUF_INIT(16);
	int err = sys_read(root, "/sys/firmware/acpi/tables/FACP", &table);
	if (err && err != EFBIG)
		return err;
	if (table.len < 16)
		return EBADMSG;
	memcpy(oem, table.data + 10, 6);
	oem[6] = '\0';
	cut_blanks(oem);
	return 0;
}
