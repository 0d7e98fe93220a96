#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The command line: what is wrong is named, with the nearest that is right; what it documents, it does.

load helpers

@test "an unknown command, flag, collector, severity or rule: status 2 and the nearest" {
	refused 2 "$probe" colect
	[[ $line == *colect* && $line == *collect* ]]
	refused 2 "$probe" collect --jsn
	[[ $line == *--jsn* && $line == *--json* ]]
	refused 2 "$probe" collect --only kernal
	[[ $line == *kernal* && $line == *kernel* ]]
	refused 2 "$probe" diff --fail-on sutble a b
	[[ $line == *sutble* && $line == *subtle* ]]
	refused 2 "$probe" explain filesystem.root-readonyl
	[[ $line == *filesystem.root-readonly* ]]
	refused 2 "$probe" collect -q
	[[ $line == *-q* ]]
}

@test "too few, too many, a missing or senseless value: status 2" {
	refused 2 "$probe" diff
	refused 2 "$probe" diff one
	refused 2 "$probe" diff one two three
	refused 2 "$probe" collect extra
	refused 2 "$probe" collect -o
	refused 2 "$probe" collect --deadline soon
	refused 2 "$probe" collect --deadline -5
	refused 2 "$probe" collect --label nosign
	refused 2 "$probe" collect --json=yes
	refused 2 "$probe" diff - -
}

@test "control characters in arguments come back escaped" {
	refused 2 "$probe" $'\e[31mred\a'
	refused 2 "$probe" collect $'--\e]0;x\a'
	refused 3 "$probe" diff $'/no\nwhere\e[1m' $'/no\rwhere'
}

@test "flags may be written in all the usual ways" {
	limited "$probe" collect --only=kernel --json -o"$work/a.json"
	limited "$probe" collect --only kernel -o "$work/b.json"
	limited "$probe" collect --only kernel --output="$work/c.json"
	limited "$probe" collect --only kernel -o - >"$work/d.json"
	for file in a b c d; do
		expect "$work/$file.json" "v('kernel.sysname') == 'Linux'" "not keys('identity.')"
	done
	(cd "$work" && limited "$probe" diff -- a.json b.json)
}

@test "help of every command that help names, on stdout, status 0" {
	limited "$probe" --help >"$work/help"
	limited "$probe" help >"$work/help2"
	cmp "$work/help" "$work/help2"
	for command in collect diff explain; do
		grep -q "^ *$command " "$work/help"
		limited "$probe" "$command" --help >"$work/one"
		grep -q "$command" "$work/one"
		limited "$probe" help "$command" | cmp - "$work/one"
	done
	awk 'length > 100' "$work/help" "$work/one" | grep . && return 1
	# Every option that is documented is accepted by the reader of options.
	limited "$probe" collect --help | grep -o -- '--[a-z][a-z-]*' | sort -u | while read -r option; do
		run "$probe" collect "$option"=
		[[ $output != *"unknown"* && $output != *"no option"* ]] || { echo "$option: $output"; exit 1; }
	done
}

@test "no command at all is a usage error that shows the way" {
	status=0
	limited "$probe" >"$work/out" 2>"$work/err" || status=$?
	((status == 2)) && grep -q help "$work/err" "$work/out"
}

@test "--version names itself and its libraries" {
	limited "$probe" --version >"$work/out"
	head -1 "$work/out" | grep -qx 'driftprobe [0-9]*\.[0-9]*\.[0-9]*'
	libraries="sqlite zstd libcap curl libbpf libelf zlib"
	# Under sanitizers it is linked with the system's curl, whose TLS may be another.
	readelf -l "$probe" | grep -q INTERP || libraries+=" mbedtls"
	for library in $libraries; do
		grep -qi "$library.*[0-9]\.[0-9]" "$work/out"
	done
}

@test "the manual is roff, the completions are shell" {
	limited "$probe" help --man >"$work/driftprobe.1"
	grep -q '^\.TH' "$work/driftprobe.1" && grep -q '^\.SH NAME' "$work/driftprobe.1"
	if command -v man >/dev/null && command -v groff >/dev/null; then
		LC_ALL=C.UTF-8 man --warnings -l "$work/driftprobe.1" 2>"$work/warnings" >/dev/null
		[[ ! -s $work/warnings ]] || { cat "$work/warnings"; return 1; }
	fi
	limited "$probe" help --completion bash >"$work/bash"
	bash -n "$work/bash"
	bash -c 'source "$1"; complete -p driftprobe' bash "$work/bash" | grep -q driftprobe
	for shell in zsh fish; do
		limited "$probe" help --completion $shell >"$work/$shell"
		grep -q collect "$work/$shell"
		! command -v $shell >/dev/null || $shell -n "$work/$shell"
	done
	refused 2 "$probe" help --completion tcsh
}

@test "bash completes commands and options" {
	limited "$probe" help --completion bash >"$work/bash"
	for case in 'driftprobe col:collect' 'driftprobe collect --js:--json' 'driftprobe diff --fail:--fail-on'; do
		bash -c 'source "$1"; read -ra COMP_WORDS <<<"$2"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$2; COMP_POINT=${#2}
			function=$(complete -p driftprobe | sed "s/.*-F \([^ ]*\).*/\1/"); $function driftprobe "${COMP_WORDS[COMP_CWORD]}" ""
			printf "%s\n" "${COMPREPLY[@]}"' bash "$work/bash" "${case%%:*}" >"$work/replies"
		sed 's/ *$//' "$work/replies" | grep -qx -- "${case#*:}" || { echo "$case"; cat "$work/replies"; return 1; }
	done
}

@test "explain tells the whole story of every rule it lists" {
	limited "$probe" explain >"$work/list"
	grep -o '[a-z]\+\.[a-z0-9-]\+' "$work/list" | sort -u >"$work/ids"
	grep -qx filesystem.root-readonly "$work/ids"
	(($(wc -l <"$work/ids") > 20))
	for id in filesystem.root-readonly network.no-route tools.no-shell; do
		limited "$probe" explain "$id" >"$work/one"
		(($(wc -l <"$work/one") > 3))
	done
}

@test "no colour but on a terminal, and none there with NO_COLOR" {
	command -v script >/dev/null || skip 'needs script'
	limited "$probe" collect --only kernel,tools,filesystem | cat >"$work/out"
	not grep -q $'\e' "$work/out"
	limited script -qec "'$probe' collect --skip versions" /dev/null >"$work/tty" </dev/null
	NO_COLOR=1 limited script -qec "'$probe' collect --skip versions" /dev/null >"$work/plain" </dev/null
	grep -q $'\e\[' "$work/tty"
	not grep -q $'\e\[[0-9;]*m' "$work/plain"
}

@test "--deadline bounds the whole run and says what it cut" {
	mkdir "$work/bin"
	printf '#!/bin/sh\nsleep 30\n' >"$work/bin/git"
	chmod +x "$work/bin/git"
	start=${EPOCHREALTIME/./}
	PATH=$work/bin:/usr/bin limited "$probe" collect --json --deadline 700 >"$work/p.json"
	(((${EPOCHREALTIME/./} - start) / 1000 < 2500))
	expect "$work/p.json" "coverage('versions')['status'] in ('timeout', 'partial') or s('tools.tool[git].version') == 'timeout'" \
		"coverage('kernel')['status'] == 'ok'"
}
