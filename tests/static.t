#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The binary that is shipped needs nothing of the place that it comes to.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
binary=${DRIFTPROBE:-build/driftprobe}
number=0

check() { # NAME COMMAND…
	local name=$1
	shift
	if "$@" >/dev/null 2>&1; then echo "ok $((++number)) - $name"; else echo "not ok $((++number)) - $name"; fi
}

header() { readelf -hW "$binary" | grep -q "$1"; }
segment() { readelf -lW "$binary" | grep -q "$1"; }
dynamic() { readelf -dW "$binary" | grep -q "$1"; }
not() { ! "$@"; }
small() { (($(stat -c %s "$binary") <= 2097152)); }
in_empty_root() {
	local dir status
	dir=$(mktemp -d)
	cp "$binary" "$dir/driftprobe"
	timeout 20 unshare --mount --propagation private chroot "$dir" /driftprobe --version
	status=$?
	rm -rf "$dir"
	return $status
}

echo 1..10
check 'ELF for this machine, position-independent' header 'Type: *DYN'
check 'no interpreter' not segment INTERP
check 'no shared library' not dynamic NEEDED
check 'no run path' not dynamic 'RPATH\|RUNPATH'
check 'no segment is both writable and executable' not segment 'LOAD.*RWE'
check 'the stack is not executable' segment 'GNU_STACK.*RW '
check 'relocations are read-only, bound now' dynamic 'FLAGS.*\(BIND_NOW\|NOW\)'
check 'no text relocations' not dynamic TEXTREL
check 'within the budget of 2 MiB' small
if ((EUID == 0)); then
	check 'runs in an empty root' in_empty_root
elif [[ " ${DRIFTPROBE_MUST_RUN-} " == *' root '* ]]; then
	echo 'not ok 10 - needs root, and DRIFTPROBE_MUST_RUN names it'
else
	echo 'ok 10 # SKIP needs root'
fi
