// SPDX-License-Identifier: Apache-2.0
#include "base/fs_type.h"

#include <stddef.h>
#include <string.h>

/* Numbers out of the kernel's linux/magic.h and the filesystems' own headers. */
static const struct {
	const char *name;
	unsigned long magic;
	bool kernel;
} types[] = {
	{ "9p", 0x01021997, false },	    { "btrfs", 0x9123683e, false },
	{ "ceph", 0x00c36400, false },	    { "cifs", 0xff534d42, false },
	{ "cifs", 0xfe534d42, false },	    { "ecryptfs", 0xf15f, false },
	{ "erofs", 0xe0f5e1e2, false },	    { "exfat", 0x2011bab0, false },
	{ "ext4", 0xef53, false },	    { "f2fs", 0xf2f52010, false },
	{ "fuse", 0x65735546, false },	    { "iso9660", 0x9660, false },
	{ "jffs2", 0x72b6, false },	    { "nfs", 0x6969, false },
	{ "ntfs3", 0x7366746e, false },	    { "overlay", 0x794c7630, false },
	{ "ramfs", 0x858458f6, false },	    { "squashfs", 0x73717368, false },
	{ "tmpfs", 0x01021994, false },	    { "vfat", 0x4d44, false },
	{ "xfs", 0x58465342, false },	    { "zfs", 0x2fc12fc1, false },
	{ "autofs", 0x0187, true },	    { "binfmt_misc", 0x42494e4d, true },
	{ "bpf", 0xcafe4a11, true },	    { "cgroup", 0x27e0eb, true },
	{ "cgroup2", 0x63677270, true },    { "configfs", 0x62656570, true },
	{ "debugfs", 0x64626720, true },    { "devpts", 0x1cd1, true },
	{ "efivarfs", 0xde5e81e4, true },   { "fusectl", 0x65735543, true },
	{ "hugetlbfs", 0x958458f6, true },  { "mqueue", 0x19800202, true },
	{ "nsfs", 0x6e736673, true },	    { "proc", FS_TYPE_PROC, true },
	{ "pstore", 0x6165676c, true },	    { "resctrl", 0x7655821, true },
	{ "rpc_pipefs", 0x67596969, true }, { "securityfs", 0x73636673, true },
	{ "selinuxfs", 0xf97cff8c, true },  { "smackfs", 0x43415d53, true },
	{ "sysfs", FS_TYPE_SYSFS, true },   { "tracefs", 0x74726163, true },
};

const char *fs_type_name(unsigned long magic)
{
	/* f_type is signed on some machines: a number with the top bit set comes sign-extended. */
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].magic == (magic & 0xffffffffUL))
			return types[i].name;
	return NULL;
}

bool fs_type_is_kernel(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].kernel && !strcmp(types[i].name, name))
			return true;
	return false;
}
