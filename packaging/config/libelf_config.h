/* SPDX-License-Identifier: Apache-2.0 */
/* elfutils' configure stops under musl on argp, fts and obstack, which libelf does not use: these answers do. */
#define HAVE_STDATOMIC_H 1
#define HAVE_ERR_H 1
#define HAVE_VISIBILITY 1
#define HAVE_GCC_STRUCT 1
#define HAVE_FALLTHROUGH 1
#define HAVE_MREMAP 1
#define HAVE_DECL_MEMRCHR 1
#define HAVE_DECL_MEMPCPY 1
#define HAVE_DECL_REALLOCARRAY 1
#define HAVE_DECL_POWEROF2 0
#define HAVE_DECL_RAWMEMCHR 0
#include <eu-config.h>
