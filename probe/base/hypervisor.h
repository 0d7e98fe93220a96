/* SPDX-License-Identifier: Apache-2.0 */
/* What the processor says about being virtual. Needs no file. */
#ifndef BASE_HYPERVISOR_H
#define BASE_HYPERVISOR_H

#define HYPERVISOR_SIGNATURE_SIZE 13

/*
 * The twelve characters of CPUID leaf 0x40000000, blanks kept. 0; ENOENT when the hypervisor bit is clear;
 * ENOSYS on a processor without CPUID.
 */
int hypervisor_signature(char signature[HYPERVISOR_SIGNATURE_SIZE]);

#endif
