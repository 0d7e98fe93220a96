/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Risky steps run in a child with a deadline. The child is a process group of its own and dies with its
 * parent; at the deadline the group gets SIGTERM (a chance to unlink what it made), then SIGKILL. A child
 * stuck in the kernel is abandoned, not waited for.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum child_end {
	CHILD_EXITED, /* code: exit status */
	CHILD_SIGNALED, /* code: signal */
	CHILD_TIMEOUT, /* code: 0; it was killed, or abandoned */
	CHILD_REFUSED, /* code: errno of fork */
};

struct child_result {
	enum child_end end;
	int code;
};

/*
 * Forks with the manners above set in the child (process group, parent-death signal, default signal
 * handlers, core dumps off). Returns as fork(2): 0 in the child, pid in the parent, -1 with errno.
 */
pid_t child_fork(void);

/* Waits until deadline (sys_now_ms() terms) for a child of child_fork(), then ends it. */
struct child_result child_wait(pid_t pid, int64_t deadline_at_ms);

/* Ends the whole group at once (SIGTERM, 100 ms, SIGKILL) and reaps what can be reaped. */
struct child_result child_end(pid_t pid);

/*
 * Runs step(shared) in a child; its return value is the exit status. shared (size bytes) is copied into
 * memory that both sides see, and back when the child has ended, however it ended: so step writes its
 * progress there. CHILD_REFUSED when fork or mmap failed; step did not run then.
 */
struct child_result child_run(int (*step)(void *shared), void *shared, size_t size,
			      int deadline_ms);

/* As child_run(), over memory that both sides see already (MAP_SHARED): nothing is copied. */
struct child_result child_run_shared(int (*step)(void *shared), void *shared, int deadline_ms);

/*
 * Runs a program without a shell: argv[0] is the path. Standard input is /dev/null (closed where there is
 * none), stdout and stderr together go into output (size bytes, always NUL-ended, the rest thrown away).
 * An exec that fails gives CHILD_EXITED with code 127 and *exec_errno set; *exec_errno is 0 otherwise.
 */
struct child_program {
	const char *const *argv;
	const char *const *envp;
	char *output;
	size_t size;
	size_t length; /* out: bytes in output */
	int exec_errno; /* out */
	struct child_result result; /* out */
};

/* Runs count programs, at most `jobs` at a time, each with deadline_ms from its own start. */
void child_run_programs(struct child_program *programs, size_t count, unsigned int jobs,
			int deadline_ms);

#endif
