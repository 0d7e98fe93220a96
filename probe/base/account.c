// SPDX-License-Identifier: Apache-2.0
#include "base/account.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/sys.h"

#define ACCOUNT_FILE_MAX ((size_t)1 << 20)

int account_groups_get(struct account_groups *groups)
{
	groups->left_out = 0;
	groups->items[0] = NULL;
	int count = getgroups(0, NULL);
	if (count < 0)
		return errno;
	/* The kernel's own limit is 65536. */
	cleanup_free gid_t *list = calloc((size_t)count + 1, sizeof(*list));
	if (!list)
		return ENOMEM;
	count = getgroups(count, list);
	if (count < 0)
		return errno;
	for (int i = 0; i < count && i < ACCOUNT_GROUPS_MAX; i++) {
		snprintf(groups->text[i], sizeof(groups->text[i]), "%u", list[i]);
		groups->items[i] = groups->text[i];
		groups->items[i + 1] = NULL;
	}
	if (count > ACCOUNT_GROUPS_MAX)
		groups->left_out = count - ACCOUNT_GROUPS_MAX;
	return 0;
}

int account_user(const char *root, uint32_t uid, struct passwd_entry *entry)
{
	cleanup_buf struct buf text = BUF_INIT(ACCOUNT_FILE_MAX);
	int err = sys_read(root, "/etc/passwd", &text);
	if ((!err || err == EFBIG) && passwd_find(buf_text(&text), uid, entry))
		return 0;
	return err ? err : ENOENT;
}

int account_group(const char *root, uint32_t gid, char name[PASSWD_NAME_MAX])
{
	cleanup_buf struct buf text = BUF_INIT(ACCOUNT_FILE_MAX);
	int err = sys_read(root, "/etc/group", &text);
	if ((!err || err == EFBIG) && group_find(buf_text(&text), gid, name))
		return 0;
	return err ? err : ENOENT;
}

static const char *state_of(int err, mode_t mode)
{
	if (!err)
		return S_ISDIR(mode) ? "directory" : "not-a-directory";
	if (err == EACCES || err == EPERM)
		return "denied";
	return err == ENOENT ? "missing" : err == ENOTDIR ? "not-a-directory" : NULL;
}

void account_home_look(const char *path, struct account_home *home)
{
	struct stat st = { 0 };
	*home = (struct account_home){ .err = stat(path, &st) ? errno : 0 };
	home->state = state_of(home->err, st.st_mode);
	home->owner = st.st_uid;
	home->writable_err = home->err;
	if (home->err)
		return;
	home->writable = !faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS);
	if (!home->writable && errno != EACCES && errno != EROFS && errno != EPERM)
		home->writable_err = errno;
}
