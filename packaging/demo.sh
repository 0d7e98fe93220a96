#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Profiles this machine, and a bubblewrap sandbox on it, and shows the drift: demo.sh BINARY DIR
set -eu
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
dir=$(cd "$2" && pwd)
# What comes out of stdout is not compressed: only a name in .zst asks for that.
here=$dir/here.json.zst there=$dir/there.json
cgroup='' launcher='' mount=''

say() { printf '\n$ %s\n' "$*" >&2; }
tidy() { [ -z "$cgroup" ] || rmdir "$cgroup" 2>/dev/null || true; }
trap tidy EXIT

command -v bwrap >/dev/null || { echo "demo: bwrap is missing: install bubblewrap" >&2; exit 3; }
why=$(bwrap --unshare-all --ro-bind / / true 2>&1) || {
	echo "demo: no sandbox can be made here ($why): an ordinary user needs unprivileged user namespaces for it" >&2
	exit 3
}

# A memory limit, where a cgroup of our own can be made.
limit=$((256 << 20))
for parent in /sys/fs/cgroup /sys/fs/cgroup/memory; do
	if [ "$parent" = /sys/fs/cgroup ] && ! grep -qsw memory $parent/cgroup.subtree_control; then continue; fi
	try=$parent/driftprobe-demo-$$
	mkdir "$try" 2>/dev/null || continue
	if [ -w "$try/memory.max" ]; then file=memory.max; else file=memory.limit_in_bytes; fi
	if echo $limit >"$try/$file" 2>/dev/null; then
		cgroup=$try mount=$parent
		break
	fi
	rmdir "$try"
done
if [ -n "$cgroup" ]; then
	launcher="echo \$\$ >$cgroup/cgroup.procs; exec \"\$@\""
else
	echo "demo: no memory limit: no cgroup can be made here" >&2
	launcher='exec "$@"'
fi

say "driftprobe collect -o $here"
"$binary" collect -o "$here"

# What a careful operator would give an untrusted job: system files to read, a small /tmp, no network, no
# capabilities, and a PATH to a handful of tools.
set -- bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL \
	--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
	--proc /proc --dev /dev --size 33554432 --tmpfs /tmp --dir /opt \
	--ro-bind "$binary" /opt/driftprobe --chdir / --clearenv \
	--setenv PATH /opt/tools --setenv HOME /nonexistent --setenv LANG C.UTF-8
for tool in sh bash cat cp env grep ls mkdir rm sed; do
	[ ! -e "/usr/bin/$tool" ] || set -- "$@" --symlink "/usr/bin/$tool" "/opt/tools/$tool"
done
# As container runtimes do: the job sees its own group, and so its limit.
[ -z "$cgroup" ] || set -- "$@" --ro-bind "$cgroup" "$mount"
set -- "$@" --remount-ro /
say "bwrap --unshare-all --cap-drop ALL --ro-bind /usr /usr --size 33554432 --tmpfs /tmp … /opt/driftprobe collect -o - >$there"
sh -c "$launcher" sh "$@" /opt/driftprobe collect -o - >"$there"

say "driftprobe diff $here $there"
"$binary" diff "$here" "$there" && status=0 || status=$?
# 1: there is drift, which is what the demo is about
[ "$status" -le 1 ] || exit "$status"
