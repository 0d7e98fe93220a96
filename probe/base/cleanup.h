/* SPDX-License-Identifier: Apache-2.0 */
/* Scoped ownership: what a function holds is released when it leaves, on every path. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define cleaned_by(fn) __attribute__((__cleanup__(fn)))
#define cleanup_free   cleaned_by(cleanup_free_ptr)
#define cleanup_fd     cleaned_by(cleanup_close_fd)
#define cleanup_dir    cleaned_by(cleanup_close_dir)
#define ARRAY_SIZE(a)  (sizeof(a) / sizeof((a)[0]))

/* Hands the value over to the caller and leaves the unset value behind. */
#define steal_ptr(p)                                                                               \
	({                                                                                         \
		__typeof__(p) stolen_ = (p);                                                       \
		(p) = NULL;                                                                        \
		stolen_;                                                                           \
	})

#define steal_fd(fd)                                                                               \
	({                                                                                         \
		int stolen_ = (fd);                                                                \
		(fd) = -1;                                                                         \
		stolen_;                                                                           \
	})

static inline void cleanup_free_ptr(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#endif
