#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is missing of packaging/packages: tools.sh check|install ARCH SET…
# check names it, and the apt line; install gets it by apt, as root or by sudo that asks nothing.
set -eu
action=$1 arch=$2
shift 2
list=$(dirname "$0")/packages
sets=" $* "
host=$(uname -m)

case $arch in
x86_64 | aarch64) ;;
*) echo "make: ARCH is x86_64 or aarch64, not $arch" >&2; exit 2 ;;
esac
[ "$arch" = "$host" ] || sets="$sets cross-$arch "

any() { for file; do [ ! -e "$file" ] || return 0; done; return 1; }

libfuzzer() {
	echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
		clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null
}

there() { # TOOL
	case $1 in
	libFuzzer) libfuzzer ;;
	'<'*)
		header=${1#<} header=${header%>}
		any "/usr/include/$header" /usr/include/*/"$header"
		;;
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

package() { # NAME: as this release calls it
	[ "$1" = libclang-rt-dev ] || { echo "$1"; return; }
	# The runtime's package carries the version that the package clang stands for.
	version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | sed -n 1p)
	echo "libclang-rt-${version:+$version-}dev"
}

tools='' packages=''
while read -r set tool package _; do
	case $set in '' | \#*) continue ;; esac
	case $sets in *" $set "*) ;; *) continue ;; esac
	there "$tool" && continue
	tools="$tools $tool" packages="$packages $(package "$package")"
done <"$list"
[ -n "$tools" ] || exit 0

line="apt-get install -y --no-install-recommends$packages"
command -v apt-get >/dev/null || {
	echo "make: missing:$tools. Install what has them by this system's package manager, then run make again." >&2
	exit 1
}
if [ "$action" != install ]; then
	echo "make: missing:$tools" >&2
	echo "make: on Debian, as root: $line" >&2
	exit 1
fi
if [ "$(id -u)" -eq 0 ]; then sudo=''
elif sudo -n true 2>/dev/null; then sudo='sudo -n'
else
	echo "make: missing:$tools. As root: $line" >&2
	exit 1
fi
# A fresh machine has no package lists, or old ones.
# shellcheck disable=SC2086 # words are meant
get() { $sudo env DEBIAN_FRONTEND=noninteractive $line -q </dev/null; }
any /var/lib/apt/lists/*_Packages* || $sudo apt-get update -q </dev/null
get || { $sudo apt-get update -q </dev/null && get; }
