/* SPDX-License-Identifier: Apache-2.0 */
/* Types of filesystems, by name and by the magic number of statfs(2). */
#ifndef BASE_FS_TYPE_H
#define BASE_FS_TYPE_H

#include <stdbool.h>

#define FS_TYPE_PROC  0x9fa0
#define FS_TYPE_SYSFS 0x62656572

/* Name of a magic number; NULL for one that we do not know. tmpfs and devtmpfs have one number: "tmpfs". */
const char *fs_type_name(unsigned long magic);

/* Does the kernel itself make up its files (proc, cgroup2, devpts …)? Nothing is stored in such a one. */
bool fs_type_is_kernel(const char *name);

#endif
