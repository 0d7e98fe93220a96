# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# What every sandbox test stands on: a place of its own with the binary in it, checks of what came out.

DRIFTPROBE=${DRIFTPROBE:-$BATS_TEST_DIRNAME/../../build/driftprobe}
lib=$BATS_TEST_DIRNAME/../lib
schemas=$BATS_TEST_DIRNAME/../../packaging/schema

# Its own world-readable place, since some tests look at it as another user. Not under the directory that
# bats makes for us, which only we may enter.
setup() {
	work=$(mktemp -d /tmp/dptest.XXXXXX)
	chmod 755 "$work"
	probe=$work/driftprobe
	install -m 755 "$DRIFTPROBE" "$probe"
	mkdir "$work/home"
	export HOME=$work/home
}

teardown() {
	rm -rf --one-file-system "$work"
}

have_root() { ((EUID == 0)); }
have_bwrap() { bwrap --unshare-all --ro-bind / / true 2>/dev/null; }
have_runc() { have_root && command -v runc >/dev/null; }
have_seccomp_profile() { [[ -r /usr/share/containers/seccomp.json ]]; }
have_memory_cgroup() { have_root && [[ -n $(cgroup_parent memory) ]]; }
have_pids_cgroup() { have_root && [[ -n $(cgroup_parent pids) ]]; }

# Skips the test when something is not there, unless DRIFTPROBE_MUST_RUN names it: then it fails.
need() {
	local name
	for name; do
		"have_${name//-/_}" && continue
		if [[ " ${DRIFTPROBE_MUST_RUN-} " == *" $name "* ]]; then
			echo "needs $name, and DRIFTPROBE_MUST_RUN names it"
			return 1
		fi
		skip "needs $name"
	done
}

limited() { timeout --kill-after=2 60 "$@"; }

# Where a child group for a controller can be made, v1 or v2; nothing when there is no such place.
cgroup_parent() {
	local top=/sys/fs/cgroup
	if [[ -w $top/$1/cgroup.procs ]]; then
		echo "$top/$1"
	elif grep -qw "$1" $top/cgroup.subtree_control 2>/dev/null && [[ -w $top/cgroup.procs ]]; then
		echo $top
	fi
}

# with_cgroup CONTROLLER LIMIT COMMAND…: in a group of its own, which is gone afterwards.
with_cgroup() {
	local controller=$1 limit=$2 parent group file status=0
	shift 2
	parent=$(cgroup_parent "$controller")
	group=$parent/dptest-$$-$RANDOM
	case $controller:$(stat -fc %T "$parent") in
	memory:cgroup2fs) file=memory.max ;;
	memory:*) file=memory.limit_in_bytes ;;
	pids:*) file=pids.max ;;
	esac
	mkdir "$group"
	echo "$limit" >"$group/$file"
	limited sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@" || status=$?
	local try
	for try in 1 2 3 4 5 6 7 8 9 10; do
		rmdir "$group" 2>/dev/null && return "$status"
		sleep 0.1
	done
	echo "the group still has processes: $(cat "$group/cgroup.procs")" >&2
	return 1
}

# A mount namespace of its own: no mount of a test reaches the machine.
private() { limited unshare --mount --propagation private "$@"; }

expect() { "$lib/expect" "$@"; }

# A plain "! command" never fails a test but in its last line.
not() { ! "$@"; }

# A profile as it has to be, whatever the place: fits the schema, sorted, and complete.
valid() {
	"$lib/schema" "$schemas/profile-1.schema.json" "$1"
	expect "$1" \
		'[f["key"] for f in doc["facts"]] == sorted({f["key"] for f in doc["facts"]})' \
		'len(doc["facts"]) > 100' \
		"{c['collector'] for c in doc['coverage']} >= set('$("$DRIFTPROBE" help --words collectors | tr '\n' ' ')'.split()) - {'versions'}" \
		'all(has(k) for f in doc["findings"] for k in f["evidence"])' \
		'[f["severity"] for f in doc["findings"]] == sorted((f["severity"] for f in doc["findings"]), key=["fatal", "degraded", "subtle", "info"].index)'
}

# refused STATUS COMMAND…: ends with that status, one line on stderr and nothing on stdout.
# The line is in $line.
refused() {
	local want=$1 status=0
	shift
	limited "$@" >"$work/refused.out" 2>"$work/refused.err" </dev/null || status=$?
	line=$(<"$work/refused.err")
	if ((status != want)) || [[ -s $work/refused.out ]] ||
		(($(wc -l <"$work/refused.err") != 1)) || [[ $line == *$'\e'* ]]; then
		echo "$*: status $status, not $want; stdout $(wc -c <"$work/refused.out") bytes; stderr:"
		cat -v "$work/refused.err"
		return 1
	fi
}

# The directories of a jail that has the system's programs and little else, for bwrap.
jail() {
	limited bwrap --unshare-all --die-with-parent --new-session \
		--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
		--proc /proc --dev /dev --dir /tmp --ro-bind "$work" /opt/probe --chdir / "$@"
}

as_nobody() { limited setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
