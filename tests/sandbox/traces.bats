#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Afterwards everything is as before: files, mounts, processes; also when it is stopped half-way.

load helpers

# What there is, with times of change: in a namespace of its own, so that nobody else changes it meanwhile.
# The directories that a probe tries are fresh and small there.
in_own_world() {
	mkdir -p "$work/bin" "$work/cwd"
	cat >"$work/world" <<-'END'
		set -e
		for dir in /tmp /var/tmp /dev/shm /run "$HOME" "$work/cwd"; do
			mount -t tmpfs -o mode=1777 none "$dir"
			mkdir "$dir/kept"; echo kept >"$dir/kept/file"; touch -d '2001-02-03 04:05:06' "$dir/kept" "$dir"
		done
		cd "$work/cwd"
		listing() {
			for dir in /tmp /var/tmp /dev/shm /run "$HOME" "$work/cwd"; do
				find "$dir" -xdev -printf '%p %y %m %s %T@\n'
			done
			grep -o ' / .*' /proc/self/mountinfo
			ls /proc | grep '^[0-9]*$' | while read -r pid; do
				[ "$pid" = 1 ] || [ "$pid" = $$ ] || ! name=$(cat /proc/$pid/comm 2>/dev/null) || echo "$name"
			done | grep -v '^\(sh\|ls\|grep\|cat\|world\|find\)$' || :
		}
		listing >"$out/before"
		eval "$1"
		listing >"$out/after"
	END
	mkdir -p "$work/out"
	# $work is in /tmp, which the namespace covers: what has to be seen is bound elsewhere first.
	mkdir -p "$work/bound"
	limited unshare --mount --pid --fork --mount-proc --propagation private sh -c '
		mount -t tmpfs none /mnt && mkdir /mnt/work && mount --bind "$0" /mnt/work &&
		work=/mnt/work out=/mnt/work/out HOME=/mnt/work/home probe=/mnt/work/driftprobe &&
		export work out HOME probe && exec sh /mnt/work/world "$1"' "$work" "$1"
}

@test "after collect, with versions of all tools there are, every tree is as before" {
	need root
	TMPDIR='' in_own_world '"$probe" collect --json >"$out/p.json"'
	diff "$work/out/before" "$work/out/after"
	grep -q '/tmp/kept/file' "$work/out/after"
	valid "$work/out/p.json"
	expect "$work/out/p.json" "v('filesystem.dir[/tmp].create') is True" "v('filesystem.dir[/tmp].exec') is True" \
		"v('filesystem.dir[/mnt/work/home].create') is True"
}

@test "the listing would show a file, a process or a mount that stays" {
	need root
	in_own_world 'touch /tmp/.driftprobe-x; sleep 5 & mount -t tmpfs none /srv' || :
	not diff "$work/out/before" "$work/out/after" >"$work/diff"
	grep -q '^> /tmp/.driftprobe-x' "$work/diff"
	grep -q '^> sleep' "$work/diff"
	grep -q '^> / /srv' "$work/diff" || grep -q '/srv' "$work/diff"
}

# A shell starts its background jobs with SIGINT ignored: hence env --default-signal.
# A tool that takes longer than the signal, and a directory to try: both are busy when it comes.
@test "SIGINT, SIGTERM or SIGHUP half-way leaves no file and no process" {
	need root
	mkdir -p "$work/bin"
	printf '#!/bin/sh\nsleep 30\nsleep 31\n' >"$work/bin/git"
	chmod +x "$work/bin/git"
	for signal in INT TERM HUP; do
		for delay in 0.01 0.05 0.2 0.6; do
			in_own_world "PATH=\$work/bin:\$PATH env --default-signal \"\$probe\" collect --json >\"\$out/p.json\" &
				pid=\$!; sleep $delay; kill -$signal \$pid; status=0; wait \$pid || status=\$?
				echo \$status >\$out/status; sleep 0.5"
			echo "SIG$signal after $delay s: status $(<"$work/out/status")"
			diff "$work/out/before" "$work/out/after"
			(($(<"$work/out/status") != 0)) || [[ $delay != 0.6 ]]
		done
	done
}

@test "SIGKILL leaves no process" {
	need root
	mkdir "$work/bin"
	printf '#!/bin/sh\nsleep 30\n' >"$work/bin/git"
	chmod +x "$work/bin/git"
	in_own_world 'PATH=$work/bin:$PATH "$probe" collect --json >"$out/p.json" &
		pid=$!; sleep 0.5; kill -KILL $pid; wait $pid || :; sleep 1'
	# A file may stay then: nothing can be tidied by who is killed. Processes may not.
	diff "$work/out/before" "$work/out/after" | grep '^> [a-z]' >"$work/left" || :
	cat "$work/left"
	[[ ! -s $work/left ]]
}

@test "descriptors handed in are neither closed early nor needed" {
	exec 7>"$work/seven"
	limited "$probe" collect --json --only kernel >"$work/p.json" 7>&7
	echo still open >&7
	[[ $(<"$work/seven") == 'still open' ]]
}

@test "no packet leaves, also where there is a way out" {
	need root
	[[ -c /dev/net/tun ]] || skip 'needs /dev/net/tun'
	limited unshare --net "$lib/wire" "$probe" collect --json >"$work/p.json" 2>"$work/packets"
	expect "$work/p.json" "v('network.route_default_v4') is True"
	cat "$work/packets"
	[[ ! -s $work/packets ]]
	# It would be seen.
	limited unshare --net "$lib/wire" python3 -c 'import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("198.51.100.1", 53))' 2>"$work/packets"
	[[ -s $work/packets ]]
}
