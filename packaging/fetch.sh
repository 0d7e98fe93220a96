#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches the files of deps.lock into DIR and verifies each: fetch.sh DIR
# From DEPS_DIR (a folder that has them), else DEPS_MIRROR (any Debian mirror, by curl), else through apt's
# own client from the mirror that this machine uses, with private state: nothing of the system's apt changes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dest=$(mkdir -p "$1" && cd "$1" && pwd)
lock=$here/deps.lock
suite=trixie
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
apt_state=$dest/.apt
apt_ready=
log=$dest/.log

# Two architectures may be built at once: the second waits, and finds everything there.
if command -v flock >/dev/null; then
	exec 9>"$dest/.lock"
	flock 9
fi
: >"$log"

die() { printf 'fetch: %s\n' "$*" >&2; exit 1; }

verified() { # FILE SHA256: is there, and is what the lock says?
	[ -f "$dest/$1" ] && [ "$(sha256sum <"$dest/$1")" = "$2  -" ]
}

reason() { # the last that apt or curl complained of, as one line's end
	grep -E '^(E|curl):? ' "$log" | tail -n 1 | sed 's/.*/ (&)/' || true
}

apt_private() { # an apt with lists, cache, sources and status of its own
	apt-get -o Dir::Etc::sourcelist="$apt_state/sources.list" -o Dir::Etc::sourceparts=- \
		-o Dir::State="$apt_state" -o Dir::State::lists="$apt_state/lists" \
		-o Dir::State::status="$apt_state/status" -o Dir::Cache="$apt_state/cache" \
		-o Dir::Log="$apt_state/log" -o Debug::NoLocking=1 -o APT::Sandbox::User= \
		-o APT::Architectures::=amd64 -o APT::Architectures::=arm64 \
		-o Acquire::Retries=2 -o Acquire::Languages=none -qq "$@"
}

apt_prepare() {
	[ -z "$apt_ready" ] || return 0
	command -v apt-get >/dev/null ||
		die "no apt here: give a Debian mirror (make DEPS_MIRROR=URL) or a folder with the files (make DEPS_DIR=DIR)"
	mkdir -p "$apt_state"/{lists/partial,cache/archives/partial,log}
	: >"$apt_state/status"
	local uri
	# Lists of its own also here: on a fresh machine the system's are empty, and are not ours to fill.
	# (Cloud images name a list of mirrors, debian.list, where others name the mirror.)
	uri=$(apt-get --print-uris update -o Debug::NoLocking=1 -o Dir::State::lists="$apt_state/lists" \
		-o Dir::Cache="$apt_state/cache" 2>/dev/null |
		sed -n "s#^'\([^']*/debian\(\.list\)\{0,1\}\)/*/dists/.*/InRelease'.*#\1#p" | sed -n 1p)
	[ -n "$uri" ] ||
		die "this machine's apt names no Debian mirror: use make DEPS_MIRROR=URL or DEPS_DIR=DIR"
	[ -f "$keyring" ] || die "$keyring is missing: install debian-archive-keyring"
	printf 'deb-src [signed-by=%s] %s %s main\ndeb [arch=amd64,arm64 signed-by=%s] %s %s main\n' \
		"$keyring" "$uri" "$suite" "$keyring" "$uri" "$suite" >"$apt_state/sources.list"
	echo "fetch: reading the package index of $suite" >&2
	apt_private update 2>>"$log" ||
		die "apt could not read the index of $suite from this machine's mirror$(reason)"
	apt_ready=1
}

from_apt() { # ROLE PACKAGE=VERSION
	local only
	case $1 in
	orig) only=--tar-only ;;
	patches) only=--diff-only ;;
	deb)
		(cd "$dest" && apt_private download "$2")
		return
		;;
	esac
	(cd "$dest" && apt_private --only-source "$only" --download-only source "$2") && return
	# The pinned revision may have left the index; the newest one shares the original tarball.
	[ "$1" = orig ] &&
		(cd "$dest" && apt_private --only-source --tar-only --download-only source "${2%%=*}")
}

from_mirror() { # POOL FILE
	command -v curl >/dev/null || die "DEPS_MIRROR needs curl"
	curl -fsSL --retry 2 -o "$dest/$2" "${DEPS_MIRROR%/}/$1/$(printf %s "$2" | sed 's/+/%2b/g; s/~/%7e/g')"
}

fetch_one() { # ROLE PACKAGE=VERSION POOL FILE SHA256
	verified "$4" "$5" && return 0
	rm -f "$dest/$4"
	if [ -n "${DEPS_DIR:-}" ]; then
		[ -f "$DEPS_DIR/$4" ] && cp "$DEPS_DIR/$4" "$dest/$4"
	elif [ -n "${DEPS_MIRROR:-}" ]; then
		from_mirror "$3" "$4" 2>>"$log"
	else
		apt_prepare
		from_apt "$1" "$2" >>"$log" 2>&1
	fi || true
	verified "$4" "$5" && return 0
	[ ! -f "$dest/$4" ] || {
		rm -f "$dest/$4"
		echo "fetch: $4 is not the pinned file (its sha256 differs)" >&2
	}
	return 1
}

where() {
	if [ -n "${DEPS_DIR:-}" ]; then echo "DEPS_DIR ($DEPS_DIR)"
	elif [ -n "${DEPS_MIRROR:-}" ]; then echo "the mirror given by DEPS_MIRROR"
	else echo "this machine's Debian mirror"; fi
}

# Rows with one name and role are alternatives: "have" remembers those that are settled.
declare -A have=() tried=()
while IFS=$'\t' read -r name role package pool file sum _; do
	case $name in '' | \#*) continue ;; esac
	slot=$name/$role
	[ -z "${have[$slot]:-}" ] || continue
	if fetch_one "$role" "$package" "$pool" "$file" "$sum"; then
		have[$slot]=$file
		[ -z "${tried[$slot]:-}" ] ||
			echo "fetch: ${tried[$slot]} is not to be had; took the fallback $file" >&2
	else
		tried[$slot]="${tried[$slot]:+${tried[$slot]}, }$file"
	fi
done <"$lock"
if [ -d "$apt_state" ]; then
	# apt brings a second tarball of sqlite's source package, its web pages: unpinned, so not kept.
	rm -f "$dest"/*.orig-www.tar.xz
fi
missing=()
for slot in "${!tried[@]}"; do
	[ -n "${have[$slot]:-}" ] || missing+=("${tried[$slot]}")
done
((${#missing[@]} == 0)) || {
	more=
	((${#missing[@]} == 1)) || more=" and $((${#missing[@]} - 1)) more"
	die "$(where) lacks the pinned file ${missing[0]}$more. Try another mirror: make DEPS_MIRROR=URL$(reason)"
}
# What was chosen, for the builder: name, role, file.
for slot in "${!have[@]}"; do printf '%s\t%s\t%s\n' "${slot%/*}" "${slot#*/}" "${have[$slot]}"; done |
	sort >"$dest/chosen.new"
mv "$dest/chosen.new" "$dest/chosen"
