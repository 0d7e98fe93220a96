/* SPDX-License-Identifier: Apache-2.0 */
/* Where TLS clients look for the certificates they trust. Nothing is read but whether it could be. */
#ifndef BASE_TRUST_H
#define BASE_TRUST_H

/*
 * The first bundle of the system that can be opened for reading, static. 0; ENOENT when there is none; another
 * errno when one is there that could not be opened.
 */
int trust_bundle(const char *root, const char **path);

/* Variables that put another bundle in its place, NULL-ended. */
extern const char *const trust_variables[];

/* "ok", "missing" or "denied" for the value of one; NULL and *err when it could not be told. */
const char *trust_state(const char *root, const char *value, int *err);

#endif
