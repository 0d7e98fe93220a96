// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/sys.h"
#include "core/store_impl.h"

/* A new folder for each test, as the current one: paths below are relative to it. */
struct place {
	char dir[64];
	int before;
};

static int place_make(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	*state = place;
	strcpy(place->dir, "/tmp/driftprobe-store-XXXXXX");
	place->before = open(".", O_PATH | O_CLOEXEC);
	return place->before < 0 || !mkdtemp(place->dir) || chdir(place->dir);
}

static int place_remove(void **state)
{
	struct place *place = *state;
	char command[128];
	int err = fchdir(place->before);
	close(place->before);
	snprintf(command, sizeof(command), "rm -rf %s", place->dir);
	err |= system(command); /* NOLINT(cert-env33-c): a path of our own making */
	free(place);
	return err;
}

static const char document[] =
	"{\"schema\": \"driftprobe.profile/1\", \"id\": \"%s\", \"taken_at\": \"%s\", \"task\": %s,"
	" \"facts\": [{\"key\": \"a.b\", \"value\": 7, \"source\": \"f\"},"
	" {\"key\": \"a.c\", \"status\": \"denied\", \"errno\": \"EACCES\", \"source\": \"g\"}],"
	" \"labels\": {\"side\": \"here\"}, \"findings\": [{\"id\": \"x.y\", \"severity\": \"fatal\","
	" \"title\": \"T\"}], \"padding\": \"%s\"}";

static char *made(const char *id, const char *taken_at, const char *task)
{
	char *text = NULL;
	assert_true(asprintf(&text, document, id, taken_at, task, "") > 0);
	return text;
}

static void add(struct store *store, const char *id, const char *taken_at, const char *task)
{
	struct store_error error = { "" };
	cleanup_free char *text = made(id, taken_at, task);
	if (store_add(store, text, strlen(text), &error))
		fail_msg("%s", error.text);
}

static struct store *opened(const char *path, bool create)
{
	struct store_error error = { "" };
	struct store *store = store_open(path, create, &error);
	if (!store)
		fail_msg("%s", error.text);
	return store;
}

static void one_line(const struct store_error *error, const char *word)
{
	if (!strstr(error->text, word))
		print_message("# \"%s\" instead of \"%s\"\n", error->text, word);
	assert_non_null(strstr(error->text, word));
	assert_null(strchr(error->text, '\n'));
}

static void refuses_open(const char *path, bool create, const char *word)
{
	struct store_error error = { "" };
	assert_null(store_open(path, create, &error));
	one_line(&error, word);
	one_line(&error, path);
}

/* The id of the document that a name leads to. */
static void finds(struct store *store, const char *name, const char *id)
{
	struct store_error error = { "" };
	cleanup_free char *text = store_document(store, name, &error);
	if (!text)
		fail_msg("%s", error.text);
	cleanup_profile struct profile *profile = store_parse_profile(text, strlen(text), &error);
	assert_non_null(profile);
	assert_string_equal(profile->id, id);
}

static void finds_none(struct store *store, const char *name, const char *word)
{
	struct store_error error = { "" };
	assert_null(store_document(store, name, &error));
	one_line(&error, word);
}

static int number(sqlite3 *db, const char *sql)
{
	cleanup_stmt sqlite3_stmt *stmt = NULL;
	assert_int_equal(store_prepare(db, sql, &stmt), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	return sqlite3_column_int(stmt, 0);
}

static void raw(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_initialize();
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void test_default_path(void **state)
{
	(void)state;
	char path[100], small[10];
	setenv("XDG_STATE_HOME", "/s", 1);
	setenv("HOME", "/h", 1);
	assert_int_equal(store_default_path(path, sizeof(path)), 0);
	assert_string_equal(path, "/s/driftprobe/store.db");
	assert_int_equal(store_default_path(small, sizeof(small)), -1);
	setenv("XDG_STATE_HOME", "relative", 1);
	assert_int_equal(store_default_path(path, sizeof(path)), 0);
	assert_string_equal(path, "/h/.local/state/driftprobe/store.db");
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", "", 1);
	assert_int_equal(store_default_path(path, sizeof(path)), -1);
	unsetenv("HOME");
	assert_int_equal(store_default_path(path, sizeof(path)), -1);
}

/* Folders and file are private whatever the umask is, and the umask is as it was. */
static void test_private(void **state)
{
	(void)state;
	mode_t mask = umask(0);
	cleanup_store struct store *store = opened("a/b/store.db", true);
	add(store, "aaaa-1", "2024-01-01T00:00:00Z", "null");
	assert_int_equal(mode_of("a"), 0700);
	assert_int_equal(mode_of("a/b"), 0700);
	assert_int_equal(mode_of("a/b/store.db"), 0600);
	if (!access("a/b/store.db-wal", F_OK))
		assert_int_equal(mode_of("a/b/store.db-wal"), 0600);
	assert_int_equal(umask(mask), 0);
}

static void test_add_and_find(void **state)
{
	(void)state;
	cleanup_store struct store *store = opened("s.db", true);
	finds_none(store, "latest", "no profile yet");
	add(store, "aaaa1111", "2024-01-03T00:00:00Z", "\"one\"");
	add(store, "aaaa2222", "2024-01-02T00:00:00Z", "\"two\"");
	add(store, "bbbb1111", "2024-01-01T00:00:00Z", "null");
	finds(store, "aaaa1111", "aaaa1111");
	finds(store, "aaaa2", "aaaa2222");
	finds(store, "bbbb", "bbbb1111");
	finds(store, "latest", "aaaa1111");
	finds(store, "latest:two", "aaaa2222");
	finds_none(store, "latest:three", "no profile of the task three");
	finds_none(store, "latest-one", "no profile has the id latest-one");
	finds_none(store, "aaaa", "several profiles begin with aaaa (aaaa1111, aaaa2222");
	finds_none(store, "bbb", "give at least 4 characters");
	finds_none(store, "", "give at least 4 characters");
	finds_none(store, "cccc", "no profile has the id cccc");
	finds_none(store, "%aaa", "no profile");
	finds_none(store, "_aaa1111", "no profile");
	finds_none(store, "aaaa11111", "no profile");
}

/* A whole id wins over those that begin with it, however short. */
static void test_exact(void **state)
{
	(void)state;
	cleanup_store struct store *store = opened("s.db", true);
	add(store, "abcde", "2024-01-01T00:00:00Z", "null");
	add(store, "abcdef", "2024-01-01T00:00:00Z", "null");
	add(store, "ab", "2024-01-01T00:00:00Z", "null");
	finds(store, "abcde", "abcde");
	finds(store, "ab", "ab");
	finds_none(store, "abcd", "several");
}

/* The same id again changes nothing, and is no error. */
static void test_again(void **state)
{
	(void)state;
	cleanup_store struct store *store = opened("s.db", true);
	add(store, "aaaa", "2024-01-01T00:00:00Z", "\"first\"");
	add(store, "aaaa", "2024-01-02T00:00:00Z", "\"second\"");
	assert_int_equal(number(store->db, "SELECT count(*) FROM profile"), 1);
	assert_int_equal(number(store->db, "SELECT task = 'first' FROM profile"), 1);
}

static void test_add_refused(void **state)
{
	(void)state;
	cleanup_store struct store *store = opened("s.db", true);
	static const char *const bad[] = { "", "{", "{}", "{\"schema\": \"driftprobe.profile/1\"}",
					   "{\"schema\": \"driftprobe.profile/2\"}" };
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct store_error error = { "" };
		assert_int_equal(store_add(store, bad[i], strlen(bad[i]), &error), -1);
		assert_string_not_equal(error.text, "");
	}
	assert_int_equal(number(store->db, "SELECT count(*) FROM profile"), 0);
}

static void test_views(void **state)
{
	(void)state;
	cleanup_store struct store *store = opened("s.db", true);
	add(store, "aaaa", "2024-01-01T00:00:00Z", "null");
	sqlite3 *db = store->db;
	assert_int_equal(number(db, "SELECT count(*) FROM fact"), 2);
	assert_int_equal(number(db, "SELECT value FROM fact WHERE key = 'a.b' AND status = 'ok'"
				    " AND source = 'f' AND errno IS NULL AND profile = 'aaaa'"),
			 7);
	assert_int_equal(number(db, "SELECT count(*) FROM fact WHERE key = 'a.c' AND value IS NULL"
				    " AND status = 'denied' AND errno = 'EACCES'"),
			 1);
	assert_int_equal(number(db, "SELECT count(*) FROM finding WHERE id = 'x.y'"
				    " AND severity = 'fatal' AND title = 'T' AND profile = 'aaaa'"),
			 1);
	assert_int_equal(number(db, "SELECT count(*) FROM label WHERE name = 'side'"
				    " AND value = 'here'"),
			 1);
	assert_int_equal(
		number(db, "SELECT uploaded_at IS NULL AND added_at > '2024' FROM profile"), 1);
}

/* It is there again when it is opened the next time, to read only, too. */
static void test_reopen(void **state)
{
	(void)state;
	struct store *store = opened("s.db", true);
	add(store, "aaaa", "2024-01-01T00:00:00Z", "null");
	store_close(store);
	store = opened("s.db", false);
	finds(store, "latest", "aaaa");
	store_close(store);
	store = opened("s.db", true);
	finds(store, "latest", "aaaa");
	assert_int_equal(number(store->db, "PRAGMA user_version"), 1);
	store_close(store);
	store_close(NULL);
}

static void test_refused(void **state)
{
	(void)state;
	refuses_open("none.db", false, "No such file or directory");
	assert_int_equal(access("none.db", F_OK), -1);
	refuses_open("", true, "store ");
	assert_int_equal(mkdir("dir", 0755), 0);
	refuses_open("dir", true, "cannot be opened");
	refuses_open("dir", false, "cannot be opened");
	assert_int_equal(close(open("plain", O_CREAT | O_WRONLY, 0644)), 0);
	refuses_open("plain/x/s.db", true,
		     "its folder cannot be made or written to (Not a directory)");
	/* An empty file is a store that nobody has filled yet; for a reader it is none. */
	refuses_open("plain", false, "not a driftprobe store");
	struct store *store = opened("plain", true);
	add(store, "aaaa", "2024-01-01T00:00:00Z", "null");
	store_close(store);
}

static void test_corrupt(void **state)
{
	(void)state;
	char text[4096];
	memset(text, 'x', sizeof(text));
	int fd = open("bad.db", O_CREAT | O_WRONLY, 0600);
	assert_int_equal(write(fd, text, sizeof(text)), sizeof(text));
	close(fd);
	refuses_open("bad.db", true, "not a driftprobe store, or damaged; move it away");
	refuses_open("bad.db", false, "not a driftprobe store, or damaged; move it away");

	struct store *store = opened("s.db", true);
	add(store, "aaaa", "2024-01-01T00:00:00Z", "null");
	store_close(store);
	fd = open("s.db", O_WRONLY);
	assert_int_equal(pwrite(fd, text, 3000, 200), 3000);
	close(fd);
	refuses_open("s.db", false, "not a driftprobe store, or damaged; move it away");
}

/* Other programs' files are left as they are. */
static void test_foreign(void **state)
{
	(void)state;
	raw("other.db", "CREATE TABLE mine(x)");
	refuses_open("other.db", true, "not a driftprobe store");
	refuses_open("other.db", false, "not a driftprobe store");
	raw("same.db", "CREATE TABLE mine(x); PRAGMA user_version = 1");
	refuses_open("same.db", true, "not a driftprobe store");
	sqlite3 *db = NULL;
	assert_int_equal(sqlite3_open("other.db", &db), SQLITE_OK);
	assert_int_equal(number(db, "SELECT count(*) FROM sqlite_schema"), 1);
	sqlite3_close(db);
}

static void test_newer(void **state)
{
	(void)state;
	store_close(opened("s.db", true));
	raw("s.db", "PRAGMA user_version = 9");
	refuses_open("s.db", true, "newer driftprobe (store version 9); update this one");
	refuses_open("s.db", false, "newer driftprobe");
}

#define WRITERS	  8
#define PROFILES  10
#define WRITER_OK 0

/* Opens, adds, closes, as separate runs of the program do. */
static int writer(int who)
{
	for (int i = 0; i < PROFILES; i++) {
		struct store_error error = { "" };
		char *text = NULL, id[32];
		snprintf(id, sizeof(id), "w%d-%d", who, i);
		struct store *store = store_open("deep/er/s.db", true, &error);
		if (!store ||
		    asprintf(&text, document, id, "2024-01-01T00:00:00Z", "null", "") < 0 ||
		    store_add(store, text, strlen(text), &error)) {
			fprintf(stderr, "# writer %d: %s\n", who, error.text);
			return 1;
		}
		free(text);
		store_close(store);
	}
	return WRITER_OK;
}

/* The first of them finds no file, no folder. */
static void test_many_writers(void **state)
{
	(void)state;
	pid_t pids[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (!pids[i])
			_exit(writer(i));
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), WRITER_OK);
	}
	cleanup_store struct store *store = opened("deep/er/s.db", false);
	assert_int_equal(number(store->db, "SELECT count(*) FROM profile"), WRITERS * PROFILES);
}

/* A process that holds the lock for good: we give up after five seconds, and say why. */
static void test_locked(void **state)
{
	(void)state;
	sqlite3 *db = NULL;
	store_close(opened("s.db", true));
	assert_int_equal(sqlite3_open("s.db", &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	struct store *store = opened("s.db", true);
	struct store_error error = { "" };
	cleanup_free char *text = made("aaaa", "2024-01-01T00:00:00Z", "null");
	int64_t start = sys_now_ms();
	assert_int_equal(store_add(store, text, strlen(text), &error), -1);
	assert_in_range(sys_now_ms() - start, 4500, 20000);
	one_line(&error, "locked by another process for over 5 s; try again");
	/* Readers do not wait, and it works once the lock is gone. */
	finds_none(store, "latest", "no profile yet");
	sqlite3_close(db);
	assert_int_equal(store_add(store, text, strlen(text), &error), 0);
	store_close(store);
}

static int no_mmap_calls;
static void *no_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	(void)at, (void)len, (void)prot, (void)flags, (void)fd, (void)offset;
	no_mmap_calls++;
	errno = ENODEV;
	return MAP_FAILED;
}

/* As on 9p and some FUSE filesystems: files cannot be mapped shared, so that WAL cannot be had. */
static void test_no_shared_memory(void **state)
{
	(void)state;
	sqlite3_initialize();
	store_close(opened("wal.db", true));
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	sqlite3_syscall_ptr before = vfs->xGetSystemCall(vfs, "mmap");
	assert_non_null(before);
	assert_int_equal(vfs->xSetSystemCall(vfs, "mmap", (sqlite3_syscall_ptr)no_mmap), SQLITE_OK);
	static const char *const paths[] = { "fresh.db", "wal.db" };
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct store *store = opened(paths[i], true);
		add(store, "aaaa", "2024-01-01T00:00:00Z", "null");
		store_close(store);
		store = opened(paths[i], true);
		add(store, "bbbb", "2024-01-02T00:00:00Z", "null");
		finds(store, "latest", "bbbb");
		store_close(store);
		store = opened(paths[i], false);
		finds(store, "aaaa", "aaaa");
		store_close(store);
	}
	assert_true(no_mmap_calls > 0);
	vfs->xSetSystemCall(vfs, "mmap", before);
	struct store *store = opened("wal.db", false);
	finds(store, "latest", "bbbb");
	store_close(store);
}

/* A limit on file sizes is the nearest that every user has to a full disk. */
static void test_size_limit(void **state)
{
	(void)state;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct rlimit limit = { 65536, 65536 };
		struct store_error error = { "" };
		struct store *store = store_open("s.db", true, &error);
		char *text = NULL, *padding = calloc(1, 300001);
		memset(padding, 'x', 300000);
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		int n = asprintf(&text, document, "aaaa", "2024-01-01T00:00:00Z", "null", padding);
		int err = store_add(store, text, (size_t)n, &error);
		_exit(err == -1 && strstr(error.text, "File too large") ? 42 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 42);
	/* What was there before is whole. */
	cleanup_store struct store *store = opened("s.db", true);
	assert_int_equal(number(store->db, "SELECT count(*) FROM profile"), 0);
	add(store, "aaaa", "2024-01-01T00:00:00Z", "null");
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_path),
		ROW(test_private),
		ROW(test_add_and_find),
		ROW(test_exact),
		ROW(test_again),
		ROW(test_add_refused),
		ROW(test_views),
		ROW(test_reopen),
		ROW(test_refused),
		ROW(test_corrupt),
		ROW(test_foreign),
		ROW(test_newer),
		ROW(test_many_writers),
		ROW(test_locked),
		ROW(test_no_shared_memory),
		ROW(test_size_limit),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
