#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the build needs: tools.sh ARCH [install]. Names what is missing; with install, gets it by apt.
set -eu
arch=$1
host=$(uname -m)

# tool, or file, and the Debian package that has it
needed='gcc gcc
ar binutils
/usr/include/stdio.h libc6-dev
/usr/include/linux/types.h linux-libc-dev
cmake cmake
tclsh tcl
patch patch
xz xz-utils
bzip2 bzip2
awk mawk
sha256sum coreutils
bwrap bubblewrap'
if [ "$arch" != "$host" ]; then
	case $arch in
	aarch64) cross='aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
/usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
/usr/aarch64-linux-gnu/include/linux/types.h linux-libc-dev-arm64-cross' ;;
	x86_64) cross='x86_64-linux-gnu-gcc gcc-x86-64-linux-gnu
/usr/x86_64-linux-gnu/include/stdio.h libc6-dev-amd64-cross' ;;
	*) echo "make: ARCH is x86_64 or aarch64, not $arch" >&2; exit 2 ;;
	esac
	needed="$needed
$cross"
fi

tools='' packages=''
while read -r tool package; do
	case $tool in
	/*) [ -e "$tool" ] && continue ;;
	# bubblewrap is for the demo alone
	bwrap) [ "${2:-}" = install ] || continue
		command -v bwrap >/dev/null && continue ;;
	*) command -v "$tool" >/dev/null && continue ;;
	esac
	tools="$tools $tool" packages="$packages $package"
done <<EOF
$needed
EOF
[ -n "$tools" ] || exit 0

line="apt-get install -y --no-install-recommends$packages"
if [ "${2:-}" != install ]; then
	echo "make: missing:$tools" >&2
	command -v apt-get >/dev/null && echo "make: on Debian, as root: $line   (or: make setup)" >&2
	exit 1
fi
command -v apt-get >/dev/null || {
	echo "make: missing:$tools. Install them by this system's package manager, then run make again." >&2
	exit 1
}
if [ "$(id -u)" -eq 0 ]; then sudo=''
elif sudo -n true 2>/dev/null; then sudo='sudo -n'
else
	echo "make: missing:$tools. Run as root: $line" >&2
	exit 1
fi
# Lists may be empty or old on a fresh machine: then update, once.
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $sudo $line </dev/null ||
	{ $sudo apt-get update -q </dev/null && DEBIAN_FRONTEND=noninteractive $sudo $line </dev/null; }
