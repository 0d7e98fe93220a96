/* SPDX-License-Identifier: Apache-2.0 */
/* This process as /proc tells of it: pids as /proc numbers them, the ids it maps. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Our program may have forked: own is the oldest of the unbroken line of ancestors with our name, parent who
 * started it. Pids are those of /proc, which in nested pid namespaces are not those of getpid(2).
 */
struct process_line {
	int64_t own, parent; /* parent 0: started from outside of this pid namespace */
	char parent_name[64]; /* its comm */
	int parent_err; /* why that is not known */
};

/* 0 or an errno of reading /proc. */
int process_line(const char *root, struct process_line *line);

/*
 * Is no_new_privs set? Which filter mode of seccomp (0 none, 1 strict, 2 filter)? Answered by prctl(2) or by the
 * text of a status file; live is false for a recorded tree, where only the text counts. 0 or an errno, *source
 * (static) says which was asked.
 */
int process_no_new_privs(bool live, const char *status, int64_t *on, const char **source);
int process_seccomp(bool live, const char *status, int64_t *mode, const char **source);

/* Is it known that no seccomp filter is in force? */
bool process_unfiltered(void);

/* Only setting the umask tells it: it is put back at once. */
unsigned int process_umask(void);

/* Number of fields behind name in the text of a status file; 0 when there is no such line. */
int64_t process_status_fields(const char *status, const char *name);

/*
 * A uid_map or gid_map: lines joined with "; ", blanks normalised, into out; the ids that it maps in all into
 * *total. False when a line is not three numbers, or it does not fit.
 */
bool process_id_map(const char *text, struct buf *out, int64_t *total);

/* process_id_map() of a file. 0 or an errno; EBADMSG when it is not in that form. */
int process_read_id_map(const char *root, const char *path, struct buf *out, int64_t *total);

#endif
