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

int sys_read(const char *root, const char *path, struct buf *out)
{
	char full[SYS_PATH_MAX];
	int err = sys_path(full, sizeof(full), root, path);
	if (err)
		return err;

	/* O_NONBLOCK: a fifo or a device in place of the file must not hang us. */
	cleanup_fd int fd = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return errno;
	buf_done(out);
	for (;;) {
		size_t room = out->max - out->len;
		/* At the ceiling one byte more tells "exactly full" from "longer". */
		char spare;
		char *to = room ? buf_reserve(out, room < 4096 ? room : 4096) : &spare;
		if (!to)
			return ENOMEM;
		ssize_t n = read(fd, to, room ? (room < 4096 ? room : 4096) : 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			break;
		if (!room)
			return EFBIG;
		out->len += (size_t)n;
		out->data[out->len] = '\0';
	}
	return 0;
}

int sys_read_line(const char *root, const char *path, char *line, size_t size)
{
	cleanup_buf struct buf text = BUF_INIT(size - 1);
	int err = sys_read(root, path, &text);
	if (err)
		return err;
	memcpy(line, buf_text(&text), text.len);
	line[text.len] = '\0';
	if (text.len && line[text.len - 1] == '\n')
		line[text.len - 1] = '\0';
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
