/* SPDX-License-Identifier: Apache-2.0 */
/* Pressure stall information (the kernel's Documentation/accounting/psi.rst). */
#ifndef BASE_PARSE_PSI_H
#define BASE_PARSE_PSI_H

#include <stdbool.h>
#include <stddef.h>

/* A value of a pressure file: kind "some" or "full", name "avg10", "avg60", "total". As written: "0.00". */
bool parse_psi(const char *text, const char *kind, const char *name, char *value, size_t size);

#endif
