// SPDX-License-Identifier: Apache-2.0
#include "cmd/document.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/sys.h"
#include "cmd/cmd.h"
#include "cmd/live.h"
#include "core/store.h"
#include "rules/rule.h"
#include "upload/pack.h"

/* Compressed input has no business being larger than what it may become. */
#define INPUT_MAX PACK_DOCUMENT_MAX

/* All of a descriptor. 0, EFBIG past the ceiling, or errno. */
static int read_all(int fd, struct buf *out)
{
	for (;;) {
		char *to = buf_reserve(out, 65536);
		if (!to)
			return EFBIG;
		ssize_t n = read(fd, to, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		out->data[out->len] = '\0';
	}
}

static const char *pack_problem(int err)
{
	switch (err) {
	case EFBIG:
		return "over 16 MiB when decompressed, which no profile is; refused";
	case ENODATA:
		return "compressed, but cut off; copy it again";
	case ENOMEM:
		return "out of memory";
	default:
		return "compressed, but damaged; copy it again";
	}
}

/* Reads and, where it is compressed, unpacks. 0; -1 with a line said. */
static int load(int fd, const char *name, struct buf *document)
{
	cleanup_buf struct buf raw = BUF_INIT(INPUT_MAX + 65536);
	int err = read_all(fd, &raw);
	if (!err && raw.len > INPUT_MAX)
		err = EFBIG;
	if (err) {
		cmd_error("%s: %s", name,
			  err == EFBIG ? "over 16 MiB, which no profile is; refused"
				       : strerror(err));
		return -1;
	}
	if (!raw.len) {
		cmd_error("%s: empty; make a profile with driftprobe collect -o FILE", name);
		return -1;
	}
	if (!pack_is_compressed(raw.data, raw.len)) {
		*document = raw;
		raw = BUF_INIT(INPUT_MAX);
		return 0;
	}
	err = pack_decompress(raw.data, raw.len, document);
	if (err)
		cmd_error("%s: %s", name, pack_problem(err));
	return err ? -1 : 0;
}

static int load_stored(const char *name, const char *store_path, struct buf *document)
{
	char path[SYS_PATH_MAX];
	struct store_error error;
	if (store_path)
		snprintf(path, sizeof(path), "%s", store_path);
	else if (store_default_path(path, sizeof(path)))
		path[0] = '\0';
	if (!*path || access(path, F_OK)) {
		cmd_error(
			"%s: no such file, and no store to look in; give a file, -, live, or --store",
			name);
		return -1;
	}
	cleanup_store struct store *store = store_open(path, false, &error);
	cleanup_free char *text = store ? store_document(store, name, &error) : NULL;
	if (!text) {
		cmd_error("%s: no such file; %s", name, error.text);
		return -1;
	}
	return buf_puts(document, text);
}

static int load_named(const char *name, const char *store, struct buf *document)
{
	struct stat st;
	if (!strcmp(name, "-"))
		return load(0, "standard input", document);
	/* O_NONBLOCK would make a fifo from <(…) look empty: a named file may well wait for its writer. */
	cleanup_fd int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 && errno == ENOENT && !strchr(name, '/'))
		return load_stored(name, store, document);
	if (fd < 0 || fstat(fd, &st)) {
		cmd_error("%s: %s", name, strerror(errno));
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		cmd_error("%s: a directory; give a profile", name);
		return -1;
	}
	return load(fd, name, document);
}

struct profile *document_profile(const char *name, const char *store)
{
	cleanup_buf struct buf document = BUF_INIT(PACK_DOCUMENT_MAX);
	struct store_error error;
	if (!strcmp(name, "live")) {
		struct profile *live = live_profile(&(struct live_options){ 0 });
		if (!live)
			cmd_error("out of memory");
		return live;
	}
	if (load_named(name, store, &document))
		return NULL;
	struct profile *profile = store_parse_profile(document.data, document.len, &error);
	if (!profile)
		cmd_error("%s: %s", name, error.text);
	else if (rules_run(profile)) {
		cmd_error("out of memory");
		profile_free(profile);
		return NULL;
	}
	return profile;
}

/*
 * A reader that has left, or a limit on file sizes, is an error to report, not a reason to die. Not done at the
 * start: collectors and the tools that they run have to see the signals as we received them.
 */
static void write_errors_not_signals(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

int document_print(const struct buf *text)
{
	write_errors_not_signals();
	int err = buf_failed(text) ? ENOMEM : sys_write_all(1, buf_text(text), text->len);
	if (err)
		cmd_error("standard output: %s", strerror(err));
	return err ? -1 : 0;
}

/* A pipe or a device that is given by name is written to as it is. */
static int write_special(const char *name, const void *data, size_t len)
{
	cleanup_fd int fd = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? errno : sys_write_all(fd, data, len);
}

static int write_renamed(const char *name, const char *temporary, const void *data, size_t len)
{
	int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return errno;
	int err = sys_write_all(fd, data, len);
	/* Network filesystems tell of a full disk only here. */
	if (close(fd) && !err)
		err = errno;
	if (!err && rename(temporary, name))
		err = errno;
	if (err)
		unlink(temporary);
	return err;
}

/* A new file beside the old, then a rename: nobody ever reads half a document. */
static int write_file(const char *name, const void *data, size_t len)
{
	char temporary[SYS_PATH_MAX + 32];
	struct stat st;
	sigset_t ends, before;
	if (!stat(name, &st) && !S_ISREG(st.st_mode))
		return write_special(name, data, len);
	/* Through a symbolic link, the file that it leads to is the one to replace. */
	cleanup_free char *target = realpath(name, NULL);
	int n = snprintf(temporary, sizeof(temporary), "%s.%d.part", target ? target : name,
			 (int)getpid());
	if (n < 0 || (size_t)n >= sizeof(temporary))
		return ENAMETOOLONG;
	/* An interrupt waits until the temporary file is renamed or gone. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before);
	int err = write_renamed(target ? target : name, temporary, data, len);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

int document_write(const char *name, const struct buf *document)
{
	cleanup_buf struct buf packed = BUF_INIT(2 * PACK_DOCUMENT_MAX);
	const struct buf *out = document;
	if (!strcmp(name, "-"))
		return document_print(document);
	if (parse_suffix(name, ".zst")) {
		if (buf_failed(document) || pack_compress(document->data, document->len, &packed)) {
			cmd_error("out of memory");
			return -1;
		}
		out = &packed;
	}
	write_errors_not_signals();
	int err = buf_failed(out) ? ENOMEM : write_file(name, out->data, out->len);
	if (err)
		cmd_error("%s: %s; choose another place, or - for standard output", name,
			  strerror(err));
	return err ? -1 : 0;
}

int document_keep(const char *path, const struct buf *document)
{
	char standard[SYS_PATH_MAX];
	struct store_error error;
	if (buf_failed(document)) {
		cmd_error("not kept: out of memory");
		return -1;
	}
	if (!path && store_default_path(standard, sizeof(standard))) {
		cmd_error("not kept: neither HOME nor XDG_STATE_HOME names a place for the store");
		return -1;
	}
	write_errors_not_signals();
	cleanup_store struct store *store = store_open(path ? path : standard, true, &error);
	if (store && !store_add(store, document->data, document->len, &error))
		return 0;
	cmd_error("not kept: %s", error.text);
	return -1;
}

struct text_style document_style(bool no_color, bool all)
{
	struct winsize size = { 0 };
	const char *quiet = getenv("NO_COLOR"), *term = getenv("TERM");
	struct text_style style = { .columns = 100, .all = all };
	style.colour =
		isatty(1) && !no_color && !(quiet && *quiet) && !(term && !strcmp(term, "dumb"));
	if (isatty(1) && !ioctl(1, TIOCGWINSZ, &size) && size.ws_col >= 40)
		style.columns = size.ws_col;
	return style;
}
