#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Where nearly nothing works: it degrades, says what was lost, and never fails for want of a convenience.

load helpers

@test "an empty directory as root, without /proc, /dev, /tmp" {
	need root
	mkdir "$work/empty"
	cp "$DRIFTPROBE" "$work/empty/driftprobe"
	private chroot "$work/empty" /driftprobe collect --json >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" "v('filesystem.proc') is False" "v('identity.euid') == 0" \
		"v('identity.capabilities.effective')" "finding('filesystem.proc-missing')" \
		"s('memory.limit_bytes') != 'ok'" "v('memory.total_bytes') > 0" "v('cpu.nproc') > 0" \
		"v('limits.rlimit[nofile].soft')" "s('kernel.btf') != 'ok' or v('kernel.btf') is False"
	[[ $(ls -A "$work/empty") == driftprobe ]]
	private chroot "$work/empty" /driftprobe collect >"$work/out" 2>"$work/err"
	(($(wc -l <"$work/out") > 5))
}

@test "with nothing writable at all" {
	need root
	mkdir "$work/empty"
	cp "$DRIFTPROBE" "$work/empty/driftprobe"
	private sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec chroot "$0" /driftprobe collect --json' \
		"$work/empty" >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" "v('filesystem.dir[/].create_errno') == 'EROFS'" \
		"finding('filesystem.root-readonly')" "finding('filesystem.no-temp')"
}

@test "in 16 MiB of memory" {
	need root memory-cgroup
	with_cgroup memory $((16 << 20)) "$probe" collect --json --skip versions >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" "v('memory.limit_bytes') == 16 << 20" \
		"all(c['status'] == 'ok' for c in doc['coverage'] if c['collector'] != 'versions')"
}

@test "with room for two processes, and for one" {
	need root pids-cgroup
	for limit in 2 1; do
		with_cgroup pids $limit "$probe" collect --json --skip versions >"$work/p.json"
		valid "$work/p.json"
		expect "$work/p.json" "v('limits.pids.limit') == $limit" "v('kernel.sysname') == 'Linux'" \
			"v('filesystem.dir[/].exists') is True"
	done
}

@test "with stdin, stdout and stderr closed: the file holds the document and nothing else" {
	cd "$work"
	limited "$probe" collect --skip versions -o "$work/p.json" <&- >&- 2>&-
	valid "$work/p.json"
	expect "$work/p.json" "v('environment.stdin') == 'closed'" "v('environment.stdout') == 'closed'" \
		"v('environment.stderr') == 'closed'"
}

@test "with stdout closed or full it fails and says so" {
	status=0
	limited "$probe" collect --json --only kernel >&- 2>"$work/err" || status=$?
	((status == 3 && $(wc -l <"$work/err") == 1))
	status=0
	limited "$probe" collect --json --only kernel >/dev/full 2>"$work/err" || status=$?
	((status == 3 && $(wc -l <"$work/err") == 1))
	status=0
	limited "$probe" --help >/dev/full 2>"$work/err" || status=$?
	((status == 3))
}

@test "with a reader that leaves early it ends without noise" {
	set +o pipefail
	limited "$probe" collect --json --only kernel 2>"$work/err" | head -c 10 >/dev/null
	(($(wc -l <"$work/err") <= 1))
}

@test "with a HOME that cannot be written the report comes and one line warns" {
	need root
	private sh -c 'mount -t tmpfs -o ro none "$HOME" && exec "$0" collect --skip versions' "$probe" \
		>"$work/out" 2>"$work/err"
	(($(wc -l <"$work/out") > 10))
	(($(wc -l <"$work/err") == 1))
	[[ -z $(ls -A "$HOME") ]]
}

@test "with a store that another program holds the report comes and one line warns" {
	limited "$probe" collect --only kernel >/dev/null
	store=$HOME/.local/state/driftprobe/store.db
	python3 -c 'import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("begin exclusive")
print("held", flush=True)
time.sleep(60)' "$store" >"$work/held" 3>&- &
	holder=$!
	until [[ -s $work/held ]]; do sleep 0.05; done
	limited "$probe" collect --only kernel >"$work/out" 2>"$work/err" || status=$?
	kill $holder
	cat "$work/err"
	((${status:-0} == 0 && $(wc -l <"$work/out") > 3 && $(wc -l <"$work/err") == 1))
	grep -q 'locked\|busy\|another' "$work/err"
}

@test "with a full disk: -o fails in one line and leaves nothing, the store only warns" {
	need root
	mkdir "$work/full"
	private sh -c 'mount -t tmpfs -o size=64k none "$1" && cd "$1" && { head -c 1M /dev/zero >fill; :; }
		"$0" collect --only kernel -o "$1/p.json" >"$2/out1" 2>"$2/err1"; echo $? >"$2/rc1"
		HOME=$1 "$0" collect --only kernel >"$2/out2" 2>"$2/err2"; echo $? >"$2/rc2"
		ls -A "$1" >"$2/left"' "$probe" "$work/full" "$work" 2>/dev/null
	head -5 "$work"/{rc,err}? "$work/left"
	[[ $(<"$work/rc1") == 3 && $(wc -l <"$work/err1") == 1 && ! -s $work/out1 ]]
	[[ $(<"$work/rc2") == 0 && $(wc -l <"$work/err2") == 1 && $(wc -l <"$work/out2") -gt 3 ]]
	! grep -q 'p\.json\|\.tmp\|driftprobe-' "$work/left"
}

@test "-o into a directory that is missing, or that refuses, fails in one line" {
	refused 3 "$probe" collect --only kernel -o "$work/nowhere/p.json"
	[[ $line == *nowhere* ]]
	refused 3 "$probe" collect --only kernel -o /proc/p.json
	refused 3 "$probe" collect --only kernel -o "$work"
}

@test "in a directory that was deleted" {
	mkdir "$work/gone"
	cd "$work/gone"
	rmdir "$work/gone"
	limited "$probe" collect --json --skip versions >"$work/p.json"
	cd /
	valid "$work/p.json"
	expect "$work/p.json" "s('identity.cwd') != 'ok'"
}

@test "with hardly any descriptors, file size, address space or stack" {
	for limit in '-n 12' '-f 0' '-v 65536' '-s 256' '-c 0' '-t 20'; do
		echo "ulimit $limit"
		(eval "ulimit $limit" && limited "$probe" collect --json --skip versions) | cat >"$work/p.json"
		valid "$work/p.json"
	done
}

@test "with no environment and no name" {
	limited env -i "$probe" collect --json --skip versions >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" "s('tools.path') == 'absent'" "s('identity.home') == 'absent'" \
		"v('environment.count') == 0"
	(exec -a '' "$probe" --version) | grep -q '^driftprobe '
}

@test "a directory that hangs costs that directory" {
	[[ -c /dev/fuse ]] || skip 'needs /dev/fuse'
	need root
	mkdir "$work/hang"
	private "$lib/hang" "$work/hang" "$probe" collect --json --only filesystem,kernel --dir "$work/hang" \
		>"$work/p.json"
	expect "$work/p.json" "s('filesystem.dir[$work/hang].exists') == 'timeout' or s('filesystem.dir[$work/hang].create') == 'timeout'" \
		"v('filesystem.dir[/].exists') is True" 'doc["duration_ms"] < 20000'
}
