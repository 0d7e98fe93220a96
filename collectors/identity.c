// SPDX-License-Identifier: Apache-2.0
/* Who we are: ids, names, capabilities, user namespace, ancestors. System calls first, /proc beside them. */
#include "collectors/collector.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/account.h"
#include "base/capability.h"
#include "base/cleanup.h"
#include "base/namespace.h"
#include "base/parse.h"
#include "base/process.h"
#include "base/sys.h"

#define STATUS	  "/proc/self/status"
#define KEY(name) "identity." name

struct self {
	struct sink *sink;
	const char *root;
	bool live; /* not a recorded tree: system calls speak of the same place as its files */
	int status_err;
	struct buf status; /* /proc/self/status */
};

/* Speaks the failure, if there is one. A missing file of /proc says nothing when all of /proc is missing. */
static bool failed(struct self *self, const char *key, int err, const char *source)
{
	if (err == ENOENT && self->status_err && !strncmp(source, "/proc/", 6))
		sink_status(self->sink, key, FACT_SKIPPED, self->status_err, source);
	else if (err)
		sink_fail(self->sink, key, err, source);
	return err != 0;
}

#define PUT(kind, self, key, err, value, source)                                                   \
	do {                                                                                       \
		if (!failed(self, key, err, source))                                               \
			sink_##kind((self)->sink, key, value, source);                             \
	} while (0)

static void speak_ids(struct self *self)
{
	struct account_groups groups;
	PUT(int, self, KEY("uid"), 0, getuid(), "getuid()");
	PUT(int, self, KEY("euid"), 0, geteuid(), "geteuid()");
	PUT(int, self, KEY("gid"), 0, getgid(), "getgid()");
	PUT(int, self, KEY("egid"), 0, getegid(), "getegid()");

	int err = account_groups_get(&groups);
	PUT(list, self, KEY("groups"), err, groups.items, "getgroups()");
	if (!err && groups.left_out)
		sink_note(self->sink, "only the first groups are listed");
}

static void speak_account(struct self *self, const char *home)
{
	struct passwd_entry user;
	struct account_home look;
	char group[PASSWD_NAME_MAX], path[SYS_PATH_MAX];
	int err = account_user(self->root, geteuid(), &user);
	PUT(text, self, KEY("user"), err, user.name, "/etc/passwd");
	PUT(text, self, KEY("passwd_home"), err, user.home, "/etc/passwd");
	PUT(text, self, KEY("passwd_shell"), err, user.shell, "/etc/passwd");
	err = account_group(self->root, getegid(), group);
	PUT(text, self, KEY("group"), err, group, "/etc/group");

	PUT(text, self, KEY("home"), home ? 0 : ENOENT, home, "HOME");
	err = home ? sys_path(path, sizeof(path), self->root, home) : ENOENT;
	if (err)
		look = (struct account_home){ .err = err, .writable_err = err };
	else
		account_home_look(path, &look);
	PUT(text, self, KEY("home_state"), look.state ? 0 : look.err, look.state, "stat(HOME)");
	PUT(int, self, KEY("home_owner"), look.err, look.owner, "stat(HOME)");
	PUT(bool, self, KEY("home_writable"), look.writable_err, look.writable, "faccessat(HOME)");
}

static void speak_place(struct self *self, const struct scope *scope)
{
	struct stat st = { 0 };
	char text[8];
	PUT(text, self, KEY("cwd"), scope->cwd ? 0 : scope->cwd_errno, scope->cwd, "getcwd()");
	PUT(int, self, KEY("cwd_owner"), stat(".", &st) ? errno : 0, st.st_uid, "stat(.)");
	snprintf(text, sizeof(text), "%04o", process_umask() & 07777u);
	PUT(text, self, KEY("umask"), 0, text, "umask()");
}

static void speak_restraints(struct self *self)
{
	static const char *const modes[] = { "none", "strict", "filter" };
	const char *source, *status = buf_text(&self->status);
	int64_t n = 0;
	int err = process_no_new_privs(self->live, status, &n, &source);
	PUT(bool, self, KEY("no_new_privs"), err, n != 0, source);
	err = process_seccomp(self->live, status, &n, &source);
	if (!err && (n < 0 || n >= (int64_t)ARRAY_SIZE(modes)))
		err = EBADMSG;
	PUT(text, self, KEY("seccomp_mode"), err, err ? NULL : modes[n], source);
	err = parse_keyed_i64(status, "Seccomp_filters", &n) ? 0 : ENOENT;
	PUT(int, self, KEY("seccomp_filters"), err, n, STATUS);
	n = process_status_fields(status, "NSpid");
	PUT(int, self, KEY("pid_namespace_depth"), n ? 0 : ENOENT, n, STATUS);
}

static void speak_capabilities(struct self *self)
{
	struct capability_names names;
	struct key key;
	const char *source;
	char hex[24];
	uint64_t mask = 0, known = 0;
	for (enum capability_set set = 0; set < CAPABILITY_SET_COUNT; set++) {
		int err = capability_get(set, self->live, buf_text(&self->status), &mask, &source);
		snprintf(key.text, sizeof(key.text), KEY("capabilities.%s"),
			 capability_set_name(set));
		if (failed(self, key.text, err, source))
			continue;
		capability_names(mask, &names);
		sink_list(self->sink, key.text, names.items, source);
	}
	int err = capability_get(CAPABILITY_EFFECTIVE, self->live, buf_text(&self->status), &mask,
				 &source);
	snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)mask);
	PUT(text, self, KEY("capabilities.effective_mask"), err, hex, source);
	err = err ? err : capability_known(&known);
	PUT(bool, self, KEY("capabilities.full"), err, mask == known, source);
}

static void speak_user_namespace(struct self *self)
{
	static const char path[] = "/proc/self/ns/user";
	cleanup_buf struct buf uids = BUF_INIT(32768), gids = BUF_INIT(32768);
	bool initial = false;
	int64_t total = 0, unused;
	int err = namespace_is_initial(self->root, "user", &initial);
	PUT(bool, self, KEY("user_namespace.initial"), err, initial, path);
	err = process_read_id_map(self->root, "/proc/self/uid_map", &uids, &total);
	PUT(text, self, KEY("user_namespace.uid_map"), err, buf_text(&uids), "/proc/self/uid_map");
	PUT(int, self, KEY("user_namespace.mapped_uids"), err, total, "/proc/self/uid_map");
	err = process_read_id_map(self->root, "/proc/self/gid_map", &gids, &unused);
	PUT(text, self, KEY("user_namespace.gid_map"), err, buf_text(&gids), "/proc/self/gid_map");
}

static void speak_processes(struct self *self)
{
	static const char *const files[][2] = { { KEY("init"), "/proc/1/comm" },
						{ KEY("lsm_label"), "/proc/self/attr/current" } };
	struct process_line line = { 0 };
	/* Not getpid() and getppid(): they would speak of a child of ours. */
	int err = process_line(self->root, &line);
	PUT(int, self, KEY("pid"), err, line.own, STATUS);
	PUT(int, self, KEY("ppid"), err, line.parent, STATUS);
	PUT(text, self, KEY("parent"), err ? err : line.parent_err, line.parent_name, "/proc/PPID");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char text[256];
		err = sys_read_line(self->root, files[i][1], text, sizeof(text));
		if (err == EINVAL || (!err && !*text)) /* no security module that labels */
			sink_status(self->sink, files[i][0], FACT_ABSENT, err, files[i][1]);
		else
			PUT(text, self, files[i][0], err, text, files[i][1]);
	}
}

static void collect(struct sink *sink, const struct scope *scope)
{
	struct self self = { sink, scope->root, !scope->root || !*scope->root, 0, BUF_INIT(16384) };
	self.status_err = sys_read(scope->root, STATUS, &self.status);
	if (self.status_err)
		sink_note(sink, "/proc/self/status could not be read");
	speak_ids(&self);
	speak_account(&self, scope_getenv(scope, "HOME"));
	speak_place(&self, scope);
	speak_restraints(&self);
	speak_capabilities(&self);
	speak_user_namespace(&self);
	speak_processes(&self);
	buf_done(&self.status);
}

const struct collector collector_identity = {
	.name = "identity",
	.about = "user, groups, capabilities, user namespace",
	.deadline_ms = 5000,
	.shares = true,
	.collect = collect,
};
