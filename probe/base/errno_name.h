/* SPDX-License-Identifier: Apache-2.0 */
/* Names of error numbers, which differ in number between architectures and systems: reports carry the name. */
#ifndef BASE_ERRNO_NAME_H
#define BASE_ERRNO_NAME_H

/* "EACCES", or NULL when the number has no name here. Static. */
const char *errno_name(int err);

/* The number of a name, or of a decimal string; 0 when it is neither. */
int errno_parse(const char *name);

#endif
