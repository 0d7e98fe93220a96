/* SPDX-License-Identifier: Apache-2.0 */
/* What processor and firmware say about being virtual. Functions return 0 or a positive errno. */
#ifndef BASE_HYPERVISOR_H
#define BASE_HYPERVISOR_H

#include <stdbool.h>

#define HYPERVISOR_NAME_MAX 64

/*
 * The signature of CPUID leaf 0x40000000, without blanks at its end; on other processors the hypervisor of the
 * device tree, as "linux,kvm". ENOENT when there is none; ENOSYS when nobody can tell. live is false for a
 * recorded tree: the processor is not its own. *source (static) says what answered.
 */
int hypervisor_name(const char *root, bool live, char name[HYPERVISOR_NAME_MAX],
		    const char **source);

/* Who made the ACPI tables: six characters, such as "BOCHS", "FIRECK". EACCES for all but root. */
int hypervisor_acpi_oem(const char *root, char oem[7]);

#endif
