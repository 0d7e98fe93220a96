// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/document.h"
#include "cmd/help.h"
#include "cmd/live.h"
#include "cmd/manual.h"
#include "core/store.h"
#include "format/json.h"

static char dir[64]; /* a place of its own for each test */

/* What was said on a descriptor while a step ran. */
struct caught {
	int fd, before;
	FILE *file;
	char text[65536];
};

static void catch_start(struct caught *caught, int fd)
{
	caught->fd = fd;
	caught->before = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	caught->file = tmpfile();
	assert_non_null(caught->file);
	fflush(NULL);
	dup2(fileno(caught->file), fd);
}

static void catch_end(struct caught *caught)
{
	fflush(NULL);
	dup2(caught->before, caught->fd);
	close(caught->before);
	rewind(caught->file);
	caught->text[fread(caught->text, 1, sizeof(caught->text) - 1, caught->file)] = '\0';
	fclose(caught->file);
}

/* Runs a whole command line; its exit status, with what it said. */
static int run(struct caught *out, struct caught *err, const char **argv)
{
	struct cmd_args args;
	const struct cmd *cmd = cmd_find(argv[0]);
	assert_non_null(cmd);
	catch_start(err, 2);
	catch_start(out, 1);
	int status = args_parse(&args, cmd, (char **)argv + 1) ? CMD_USAGE : cmd->run(&args);
	catch_end(out);
	catch_end(err);
	return status;
}

#define RUN(out, err, ...) run((out), (err), (const char *[]){ __VA_ARGS__, NULL })

static void one_line(const char *text, const char *word)
{
	if (!strstr(text, word))
		print_message("# no \"%s\" in: %s\n", word, text);
	assert_non_null(strstr(text, word));
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static const char *in_dir(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/dpcmd.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	return setenv("XDG_STATE_HOME", dir, 1);
}

static void empty(const char *path)
{
	DIR *entries = opendir(path);
	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		char name[512];
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] == '.' && strspn(entry->d_name, ".") < 3 &&
		    !entry->d_name[strspn(entry->d_name, ".")])
			continue;
		if (unlink(name)) {
			empty(name);
			rmdir(name);
		}
	}
	if (entries)
		closedir(entries);
}

static int teardown(void **state)
{
	(void)state;
	empty(dir);
	return rmdir(dir);
}

static size_t entries_of(const char *path)
{
	size_t count = 0;
	DIR *entries = opendir(path);
	assert_non_null(entries);
	while (readdir(entries))
		count++;
	closedir(entries);
	return count - 2;
}

static void write_text(const char *path, const char *text, size_t len)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	fclose(file);
}

static const char minimal[] =
	"{\"schema\": \"driftprobe.profile/1\", \"id\": \"%s\", \"taken_at\": \"2024-01-02T03:04:05Z\","
	" \"duration_ms\": 1, \"probe\": {\"version\": \"1\", \"arch\": \"x\"}, \"labels\": {},"
	" \"layers\": [], \"facts\": [{\"key\": \"kernel.page_size_bytes\", \"value\": %d,"
	" \"source\": \"x\"}], \"findings\": [], \"coverage\": []}";

#define ID_A "aaaaaaaa-1234-4234-8234-123456789012"
#define ID_B "bbbbbbbb-1234-4234-8234-123456789012"

static void write_profile(const char *name, const char *id, int page)
{
	char text[1024];
	int len = snprintf(text, sizeof(text), minimal, id, page);
	write_text(in_dir(name), text, (size_t)len);
}

static void test_write_and_read(void **state)
{
	(void)state;
	static const char *const names[] = { "p.json", "p.json.zst" };
	cleanup_buf struct buf text = BUF_INIT(100000);
	buf_printf(&text, minimal, ID_A, 4096);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(document_write(in_dir(names[i]), &text), 0);
		assert_int_equal(document_write(in_dir(names[i]), &text), 0);
		cleanup_profile struct profile *profile = document_profile(in_dir(names[i]), NULL);
		assert_non_null(profile);
		assert_string_equal(profile->id, ID_A);
		assert_int_equal(profile->fact_count, 1);
	}
	/* Nothing temporary stays; and the second is no plain text. */
	assert_int_equal(entries_of(dir), 2);
	struct stat plain, packed;
	assert_int_equal(stat(in_dir("p.json"), &plain), 0);
	assert_int_equal(stat(in_dir("p.json.zst"), &packed), 0);
	assert_int_equal(plain.st_size, text.len);
	assert_true(packed.st_size < plain.st_size);
}

static void test_write_through_link(void **state)
{
	(void)state;
	cleanup_buf struct buf text = BUF_INIT(1000);
	struct stat st;
	buf_puts(&text, "hello\n");
	write_text(in_dir("real"), "old", 3);
	assert_int_equal(symlink("real", in_dir("link")), 0);
	assert_int_equal(document_write(in_dir("link"), &text), 0);
	assert_int_equal(lstat(in_dir("link"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(in_dir("real"), &st), 0);
	assert_int_equal(st.st_size, 6);
}

static void refuses_write(const char *path, const char *word)
{
	struct caught err;
	cleanup_buf struct buf text = BUF_INIT(1000);
	buf_puts(&text, "x");
	catch_start(&err, 2);
	int result = document_write(path, &text);
	catch_end(&err);
	assert_int_equal(result, -1);
	one_line(err.text, word);
}

static void test_write_refused(void **state)
{
	(void)state;
	refuses_write(in_dir("nowhere/p.json"), "nowhere/p.json: No such file or directory");
	refuses_write(dir, "Is a directory");
	refuses_write("/dev/full", "No space left on device");
	assert_int_equal(entries_of(dir), 0);
}

static void refuses_read(const char *name, const char *word)
{
	struct caught err;
	catch_start(&err, 2);
	struct profile *profile = document_profile(name, NULL);
	catch_end(&err);
	assert_null(profile);
	one_line(err.text, word);
}

static void test_read_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *word;
	} bad[] = {
		{ "", "empty" },
		{ "{", "not JSON" },
		{ "\x28\xb5\x2f\xfd", "compressed, but" },
		{ "\x28\xb5\x2f\xfd nonsense", "compressed, but" },
		{ "{}", "not a driftprobe profile" },
		{ "[1]", "not a driftprobe profile" },
		{ "{\"schema\": \"driftprobe.profile/2\"}", "newer" },
		{ "\xff\xfe", "not JSON text" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		write_text(in_dir("bad"), bad[i].text, strlen(bad[i].text));
		refuses_read(in_dir("bad"), bad[i].word);
		refuses_read(in_dir("bad"), "/bad: ");
	}
	refuses_read(in_dir("missing"), "No such file");
	refuses_read(dir, "directory");
	refuses_read("/dev/zero", "over 16 MiB");
	refuses_read("missing-here", "no such file");
	refuses_read("/no\nwhere\033", "\\x0awhere\\x1b");
}

static void test_store(void **state)
{
	(void)state;
	cleanup_buf struct buf a = BUF_INIT(10000), b = BUF_INIT(10000);
	buf_printf(&a, minimal, ID_A, 4096);
	buf_printf(&b, minimal, ID_B, 16384);
	assert_int_equal(document_keep(NULL, &a), 0);
	assert_int_equal(document_keep(NULL, &b), 0);
	cleanup_profile struct profile *first = document_profile("aaaa", NULL);
	cleanup_profile struct profile *last = document_profile("latest", NULL);
	assert_non_null(first);
	assert_string_equal(first->id, ID_A);
	assert_non_null(last);
	refuses_read("cccc", "cccc");
	/* A file of that name comes first. */
	char before[256];
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(dir), 0);
	write_profile("aaaa", ID_B, 1);
	cleanup_profile struct profile *file = document_profile("aaaa", NULL);
	assert_int_equal(chdir(before), 0);
	assert_non_null(file);
	assert_string_equal(file->id, ID_B);
}

static void test_diff(void **state)
{
	(void)state;
	struct caught out, err;
	char a[128];
	write_profile("a", ID_A, 4096);
	write_profile("b", ID_B, 65536);
	strcpy(a, in_dir("a"));
	assert_int_equal(RUN(&out, &err, "diff", a, a), CMD_CLEAN);
	assert_int_equal(RUN(&out, &err, "diff", a, in_dir("b")), CMD_FOUND);
	assert_non_null(strstr(out.text, "kernel.page_size_bytes: 4 KiB -> 64 KiB"));
	assert_string_equal(err.text, "");
	assert_int_equal(RUN(&out, &err, "diff", "--fail-on", "fatal", a, in_dir("b")), CMD_CLEAN);
	assert_int_equal(RUN(&out, &err, "diff", "--json", a, in_dir("b")), CMD_FOUND);
	assert_ptr_equal(strstr(out.text, "{\n  \"schema\": \"driftprobe.diff/1\""), out.text);
	assert_int_equal(RUN(&out, &err, "diff", a, in_dir("none")), CMD_FAILED);
	one_line(err.text, "none: ");
	assert_string_equal(out.text, "");
	assert_int_equal(RUN(&out, &err, "diff", "--fail-on", "sutble", a, a), CMD_USAGE);
	one_line(err.text, "subtle");
	assert_int_equal(RUN(&out, &err, "diff", "-", "-"), CMD_USAGE);
	assert_int_equal(RUN(&out, &err, "diff", a), CMD_USAGE);
	one_line(err.text, "LOCAL REMOTE");
}

static void test_collect(void **state)
{
	(void)state;
	struct caught out, err;
	assert_int_equal(RUN(&out, &err, "collect", "--only", "kernel,limits", "--label", "a=b=c",
			     "--task", "t", "-o", in_dir("p")),
			 CMD_CLEAN);
	assert_string_equal(out.text, "");
	assert_string_equal(err.text, "");
	/* No store without a summary. */
	assert_int_equal(entries_of(dir), 1);
	cleanup_profile struct profile *profile = document_profile(in_dir("p"), NULL);
	assert_non_null(profile);
	assert_non_null(profile_find(profile, "limits.rlimit[nofile].soft"));
	assert_null(profile_next(profile, "memory.*", NULL));
	assert_string_equal(profile->task, "t");
	assert_string_equal(profile->labels[0].value, "b=c");
	assert_int_equal(profile->id[14], '4');
	size_t ran = 0;
	for (size_t i = 0; i < profile->coverage_count; i++)
		ran += profile->coverage[i].status != COVERAGE_SKIPPED;
	assert_int_equal(ran, 2);

	assert_int_equal(RUN(&out, &err, "collect", "--only=limits"), CMD_CLEAN);
	assert_non_null(strstr(out.text, "open files"));
	assert_int_equal(entries_of(dir), 2);
	cleanup_profile struct profile *kept = document_profile("latest", NULL);
	assert_non_null(kept);
	assert_string_not_equal(kept->id, profile->id);
}

static void test_collect_refused(void **state)
{
	(void)state;
	static const struct {
		const char *option, *value, *word;
	} bad[] = {
		{ "--only", "kernal", "kernel" },  { "--skip", "kernel,nonsense", "nonsense" },
		{ "--label", "nosign", "nosign" }, { "--label", "=v", "NAME=VALUE" },
		{ "--deadline", "soon", "soon" },  { "--deadline", "-5", "-5" },
		{ "--deadline", "0", "0" },	   { "--fail-on", "bad", "bad" },
		{ "--deadline", "1e3", "1e3" },
	};
	struct caught out, err;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(RUN(&out, &err, "collect", bad[i].option, bad[i].value),
				 CMD_USAGE);
		one_line(err.text, bad[i].word);
		assert_string_equal(out.text, "");
	}
	assert_int_equal(RUN(&out, &err, "collect", "--label", "a=1", "--label", "a=2"), CMD_USAGE);
	one_line(err.text, "twice");
}

/* The store is a convenience, but not to who asked for it. */
static void test_collect_without_store(void **state)
{
	(void)state;
	struct caught out, err;
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	assert_int_equal(RUN(&out, &err, "collect", "--only", "limits"), CMD_CLEAN);
	one_line(err.text, "not kept");
	assert_non_null(strstr(out.text, "open files"));
	assert_int_equal(RUN(&out, &err, "collect", "--only", "limits", "--json", "--store",
			     "/dev/null/x"),
			 CMD_FAILED);
	one_line(err.text, "/dev/null/x");
	assert_non_null(strstr(out.text, "limits.rlimit"));
}

static void test_explain(void **state)
{
	(void)state;
	struct caught out, err;
	assert_int_equal(RUN(&out, &err, "explain", "tools.no-shell"), CMD_CLEAN);
	assert_non_null(strstr(out.text, "busybox"));
	assert_int_equal(RUN(&out, &err, "explain"), CMD_CLEAN);
	assert_non_null(strstr(out.text, "tools.no-shell"));
	assert_int_equal(RUN(&out, &err, "explain", "tools.no-shel"), CMD_USAGE);
	one_line(err.text, "did you mean tools.no-shell?");
	assert_int_equal(RUN(&out, &err, "explain", "zzzzzzzzz"), CMD_USAGE);
	assert_string_equal(out.text, "");
}

static void test_help(void **state)
{
	(void)state;
	cleanup_buf struct buf overview = BUF_INIT(1 << 20), man = BUF_INIT(1 << 20);
	help_print(NULL, &overview);
	manual_man(&man);
	assert_ptr_equal(strstr(buf_text(&man), ".TH DRIFTPROBE 1"), buf_text(&man));
	for (const struct cmd *cmd = NULL; (cmd = cmd_next(cmd));) {
		cleanup_buf struct buf one = BUF_INIT(1 << 20);
		assert_non_null(strstr(buf_text(&overview), cmd->about));
		help_print(cmd, &one);
		for (size_t i = 0; i < cmd->option_count; i++) {
			char name[64];
			snprintf(name, sizeof(name), "--%s", cmd->options[i].name);
			assert_non_null(strstr(buf_text(&one), name));
			/* A letter means one thing. */
			for (size_t j = 0; j < i; j++)
				assert_true(!cmd->options[i].letter ||
					    cmd->options[i].letter != cmd->options[j].letter);
		}
		const char *line = buf_text(&one);
		for (size_t len; *line; line += len + (line[len] == '\n')) {
			len = strcspn(line, "\n");
			assert_true(len <= 100);
		}
	}
}

static void test_completion(void **state)
{
	(void)state;
	static const char *const shells[] = { "bash", "zsh", "fish" };
	struct caught out, err;
	for (size_t i = 0; i < 3; i++) {
		cleanup_buf struct buf text = BUF_INIT(1 << 20);
		assert_int_equal(manual_completion(shells[i], &text), 0);
		assert_non_null(strstr(buf_text(&text), "collect"));
		assert_non_null(strstr(buf_text(&text), "fail-on"));
	}
	assert_int_equal(RUN(&out, &err, "help", "--completion", "tcsh"), CMD_USAGE);
	one_line(err.text, "tcsh");
	assert_int_equal(RUN(&out, &err, "help", "--words", "collectors"), CMD_CLEAN);
	assert_ptr_equal(strstr(out.text, "identity\nmemory\n"), out.text);
	assert_int_equal(RUN(&out, &err, "help", "colect"), CMD_USAGE);
	one_line(err.text, "collect");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_write_and_read),
		TEST(test_write_through_link),
		TEST(test_write_refused),
		TEST(test_read_refused),
		TEST(test_store),
		TEST(test_diff),
		TEST(test_collect),
		TEST(test_collect_refused),
		TEST(test_collect_without_store),
		TEST(test_explain),
		TEST(test_help),
		TEST(test_completion),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
