#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Inside bubblewrap: each fact against what the jail was told to be.

load helpers

@test "as root: the small /tmp, the read-only root, the missing network and the lost namespace" {
	need root bwrap
	jail --size 1048576 --tmpfs /tmp --remount-ro / --setenv PATH /usr/sbin \
		/opt/probe/driftprobe collect --json --skip versions >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" \
		"v('filesystem.dir[/tmp].size_bytes') == 1048576" "v('filesystem.dir[/tmp].create') is True" \
		"v('filesystem.dir[/tmp].type') == 'tmpfs'" \
		"v('filesystem.dir[/].create') is False" "v('filesystem.dir[/].create_errno') == 'EROFS'" \
		"v('filesystem.dir[/].readonly') is True" \
		"s('tools.tool[python3].path') == 'absent'" \
		"v('network.route_default_v4') is False" "v('network.route_default_v6') is False" \
		"v('network.loopback_up') is True" "v('network.socket[inet].works') is True" \
		"v('identity.no_new_privs') is True" "v('identity.seccomp_mode') == 'none'" \
		"v('identity.user_namespace.initial') is False" "v('identity.user_namespace.mapped_uids') == 1" \
		"v('kernel.namespace[pid].initial') is False" "v('kernel.namespace[user].initial') is False" \
		"s('network.resolver') == 'absent'" \
		"finding('filesystem.root-readonly')" "finding('network.no-route')" \
		"layer('bubblewrap')"
}

@test "as an ordinary user: no capabilities, another uid, nothing of root's is writable" {
	need root bwrap
	as_nobody bwrap --unshare-all --die-with-parent --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp \
		--ro-bind "$probe" /tmp/driftprobe --chdir /tmp \
		/tmp/driftprobe collect --json --skip versions >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" \
		"v('identity.euid') == 65534" "v('identity.capabilities.effective') == []" \
		"v('identity.capabilities.effective_mask') == '0' * 16" \
		"v('filesystem.dir[/tmp].create') is True" "v('filesystem.dir[/tmp].exec') is True" \
		"v('filesystem.dir[/var/tmp].create_errno') == 'EROFS'" \
		"v('identity.cwd') == '/tmp'"
}

@test "without a sandbox the same facts say the opposite" {
	need root
	limited "$probe" collect --json --only filesystem,identity --dir "$work" >"$work/p.json"
	expect "$work/p.json" "v('identity.no_new_privs') is False" "v('filesystem.dir[$work].create') is True" \
		"not layer('bubblewrap')" "not finding('filesystem.root-readonly')"
}

@test "a filter that kills socket(2) costs the socket facts, never the report" {
	need bwrap
	"$lib/filter" socket=kill >"$work/filter"
	jail --seccomp 9 /opt/probe/driftprobe collect --json --skip versions >"$work/p.json" 9<"$work/filter"
	valid "$work/p.json"
	expect "$work/p.json" "s('network.socket[inet].works') != 'ok' or v('network.socket[inet].works') is False" \
		"v('identity.seccomp_mode') == 'filter'" "v('kernel.sysname') == 'Linux'"
}

@test "a filter that refuses fork: the collectors run in the process and the coverage says so" {
	need bwrap
	"$lib/filter" clone=EPERM clone3=ENOSYS fork=EPERM vfork=EPERM >"$work/filter"
	jail --seccomp 9 /opt/probe/driftprobe collect --json --skip versions >"$work/p.json" 9<"$work/filter"
	valid "$work/p.json"
	expect "$work/p.json" "coverage('identity')['status'] == 'partial'" "v('kernel.sysname') == 'Linux'" \
		"v('filesystem.dir[/tmp].create') is True or s('filesystem.dir[/tmp].create') == 'skipped'" \
		"s('filesystem.dir[/tmp].exec') == 'skipped'"
}

@test "a filter that kills statfs, getrandom, uname or prlimit never takes the report with it" {
	need bwrap
	for call in statfs getrandom uname prlimit64; do
		for answer in EPERM ENOSYS trap kill; do
			"$lib/filter" "$call=$answer" >"$work/filter"
			echo "$call=$answer"
			jail --seccomp 9 /opt/probe/driftprobe collect --json --skip versions \
				>"$work/p.json" 9<"$work/filter"
			valid "$work/p.json"
			expect "$work/p.json" "len(doc['facts']) > 200"
		done
	done
}

@test "another command and directory: cwd, HOME and TMPDIR are those received" {
	need bwrap
	jail --tmpfs /work --chdir /work --setenv HOME /missing --setenv TMPDIR /gone \
		/opt/probe/driftprobe collect --json --only identity,filesystem >"$work/p.json"
	expect "$work/p.json" \
		"v('identity.cwd') == '/work'" "'cwd' in v('filesystem.dir[/work].role')" \
		"v('identity.home') == '/missing'" "v('identity.home_state') == 'missing'" \
		"v('filesystem.dir[/gone].exists') is False" "finding('filesystem.tmpdir-missing')"
}
