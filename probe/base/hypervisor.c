// SPDX-License-Identifier: Apache-2.0
#include "base/hypervisor.h"

#include <errno.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#define LEAF_FEATURES	 0x1
#define LEAF_HYPERVISOR	 0x40000000
#define FEATURE_GUEST	 (1u << 31) /* ecx */

int hypervisor_signature(char signature[HYPERVISOR_SIGNATURE_SIZE])
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
	signature[HYPERVISOR_SIGNATURE_SIZE - 1] = '\0';
	return 0;
}
#else
int hypervisor_signature(char signature[HYPERVISOR_SIGNATURE_SIZE])
{
	(void)signature;
	return ENOSYS;
}
#endif
