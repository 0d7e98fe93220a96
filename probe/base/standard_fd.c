// SPDX-License-Identifier: Apache-2.0
#include "base/standard_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/sys.h"

int standard_fd_kind(int fd, const char **kind)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 && errno != EBADF)
		return errno;
	/* O_PATH holds the place of a descriptor that we were started without. */
	if (flags < 0 || (flags & O_PATH)) {
		*kind = "closed";
		return 0;
	}
	if (isatty(fd)) {
		*kind = "terminal";
		return 0;
	}
	if (fstat(fd, &st))
		return errno;
	*kind = S_ISFIFO(st.st_mode)				     ? "pipe"
		: S_ISREG(st.st_mode)				     ? "file"
		: S_ISSOCK(st.st_mode)				     ? "socket"
		: S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3) ? "null"
								     : "other";
	return 0;
}

/* The fifth field behind the name, which is in parentheses and may itself hold anything. */
static int tty_of_stat(bool *has)
{
	char text[1024], field[32] = "";
	int64_t terminal;
	int err = sys_read_line("", "/proc/self/stat", text, sizeof(text));
	if (err)
		return err;
	const char *at = strrchr(text, ')');
	if (at)
		at++;
	for (int i = 0; i < 5; i++)
		if (!at || !parse_field(&at, field, sizeof(field)))
			return EBADMSG;
	if (!parse_i64(field, &terminal))
		return EBADMSG;
	*has = terminal != 0;
	return 0;
}

int standard_fd_controlled(bool *has, const char **source)
{
	cleanup_fd int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	int err = fd < 0 ? errno : 0;
	*source = "open(/dev/tty)";
	/* gVisor says EIO in place of ENXIO. */
	if (!err || err == ENXIO || err == EIO) {
		*has = !err;
		return 0;
	}
	/* No such node, or not for us: the kernel's own record. */
	if (tty_of_stat(has))
		return err;
	*source = "/proc/self/stat";
	return 0;
}

int standard_fd_columns(int64_t *columns)
{
	struct winsize size;
	for (int fd = 0; fd < 3; fd++) {
		if (ioctl(fd, TIOCGWINSZ, &size))
			continue;
		if (!size.ws_col)
			return ENODATA;
		*columns = size.ws_col;
		return 0;
	}
	return ENOTTY;
}
