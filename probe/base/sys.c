// SPDX-License-Identifier: Apache-2.0
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"

int sys_path(char *out, size_t size, const char *root, const char *path)
{
	int n = snprintf(out, size, "%s%s", root ? root : "", path);
	return n < 0 || (size_t)n >= size ? ENAMETOOLONG : 0;
}

/* O_NONBLOCK: a fifo or a device in place of the file must not hang us. */
static int open_small(const char *root, const char *path, int *fd)
{
	char full[SYS_PATH_MAX];
	int err = sys_path(full, sizeof(full), root, path);
	if (err)
		return err;
	*fd = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return *fd < 0 ? errno : 0;
}

/* read(2) until size bytes are there or the file ends. 0 or errno. */
static int read_up_to(int fd, char *to, size_t size, size_t *got)
{
	*got = 0;
	while (*got < size) {
		ssize_t n = read(fd, to + *got, size - *got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			break;
		*got += (size_t)n;
	}
	return 0;
}

#define READ_STEP 4096

int sys_read(const char *root, const char *path, struct buf *out)
{
	cleanup_fd int fd = -1;
	int err = open_small(root, path, &fd);
	if (err)
		return err;
	buf_done(out);
	for (;;) {
		size_t room = out->max - out->len, step = room < READ_STEP ? room : READ_STEP, got;
		/* At the ceiling one byte more tells "exactly full" from "longer". */
		char spare;
		char *to = room ? buf_reserve(out, step) : &spare;
		if (!to)
			return ENOMEM;
		err = read_up_to(fd, to, room ? step : 1, &got);
		if (err)
			return err;
		if (!room)
			return got ? EFBIG : 0;
		out->len += got;
		out->data[out->len] = '\0';
		if (got < step)
			return 0;
	}
}

int sys_read_line(const char *root, const char *path, char *line, size_t size)
{
	cleanup_fd int fd = -1;
	char text[SYS_PATH_MAX]; /* line is untouched on failure */
	size_t got;
	if (size > sizeof(text))
		size = sizeof(text);
	int err = open_small(root, path, &fd);
	if (!err)
		err = read_up_to(fd, text, size, &got);
	if (err)
		return err;
	if (got == size)
		return EFBIG;
	text[got] = '\0';
	if (got && text[got - 1] == '\n')
		text[got - 1] = '\0';
	strcpy(line, text);
	return 0;
}

int sys_read_i64(const char *root, const char *path, int64_t *number)
{
	char line[64];
	int err = sys_read_line(root, path, line, sizeof(line));
	if (err)
		return err;
	return parse_i64(line, number) ? 0 : EBADMSG;
}

int sys_readlink(const char *root, const char *path, char *target, size_t size)
{
	char full[SYS_PATH_MAX], text[SYS_PATH_MAX];
	int err = sys_path(full, sizeof(full), root, path);
	if (err)
		return err;
	ssize_t n = readlink(full, text, sizeof(text));
	if (n < 0)
		return errno;
	if ((size_t)n >= sizeof(text) || (size_t)n >= size)
		return ENAMETOOLONG;
	memcpy(target, text, (size_t)n);
	target[n] = '\0';
	return 0;
}

int64_t sys_now_ms(void)
{
	struct timespec now = { 0 };
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int sys_write_all(int fd, const void *data, size_t len)
{
	const char *from = data;
	while (len) {
		ssize_t n = write(fd, from, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		from += n;
		len -= (size_t)n;
	}
	return 0;
}
