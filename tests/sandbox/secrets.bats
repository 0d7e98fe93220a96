#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What was secret in the environment, the command line and the files is in no output.

load helpers

# Each has the mark in it, so that one search finds any of them. They are made here: none was ever real.
mark=Zq7Xw3Rt9Lk2
secrets() {
	export HTTPS_PROXY="http://agent:$mark@proxy.example:3128" https_proxy="http://:$mark@proxy.example:3128"
	export ALL_PROXY="socks5h://$mark:x-oauth@proxy.example:1080" no_proxy=localhost
	export GITHUB_TOKEN="ghp_${mark}abcdefghijklmnopqrstuvwx" AWS_SECRET_ACCESS_KEY="$mark/abcdefghijklmnopqrstuvwxyz01"
	export DATABASE_URL="postgres://app:$mark@db.example/app" PASSWORD=$mark MY_OWN_VARIABLE=$mark
	export PIP_INDEX_URL="https://user:$mark@index.example/simple" GIT_ASKPASS=$mark LS_COLORS=$mark
	mkdir -p "$HOME/.ssh" "$HOME/.aws" "$HOME/.config/gh"
	echo "$mark" | tee "$HOME/.ssh/id_ed25519" "$HOME/.aws/credentials" "$HOME/.config/gh/hosts.yml" \
		"$HOME/.netrc" "$HOME/.npmrc" "$HOME/.gitconfig" >/dev/null
}

nowhere_in() {
	local file
	for file; do
		[[ -s $file ]] || { echo "$file is empty: nothing was looked at"; return 1; }
		if grep -aq "$mark" "$file"; then
			echo "the secret is in $file:"
			grep -ao ".\{0,80\}$mark.\{0,20\}" "$file"
			return 1
		fi
	done
}

@test "the summary, the document, the compressed document, the store" {
	secrets
	limited "$probe" collect >"$work/text" 2>&1
	limited "$probe" collect --all >"$work/text-all" 2>&1
	limited "$probe" collect --json >"$work/p.json"
	limited "$probe" collect --skip versions -o "$work/p.json.zst"
	zstd -qdc "$work/p.json.zst" >"$work/unpacked.json"
	cat "$HOME"/.local/state/driftprobe/store.db* >"$work/store"
	nowhere_in "$work/text" "$work/text-all" "$work/p.json" "$work/p.json.zst" "$work/unpacked.json" "$work/store"
	expect "$work/p.json" \
		"'proxy.example' in v('network.proxy[HTTPS_PROXY]') and '3128' in v('network.proxy[HTTPS_PROXY]')" \
		"'GITHUB_TOKEN' in v('environment.names')" "'MY_OWN_VARIABLE' in v('environment.names')"
}

@test "what the caller gives as label, task or directory" {
	mkdir "$work/token=$mark"
	limited "$probe" collect --json --only filesystem,kernel --label "url=https://u:$mark@h.example/" \
		--label "note=password=$mark" --task "authorization: bearer $mark" >"$work/p.json"
	nowhere_in "$work/p.json"
}

@test "a tool that prints a secret with its version" {
	mkdir "$work/bin"
	printf '#!/bin/sh\necho "git version 2.1 (https://u:%s@h.example/ token=%s)"\n' "$mark" "$mark" >"$work/bin/git"
	chmod +x "$work/bin/git"
	PATH=$work/bin:/usr/bin:/bin limited "$probe" collect --json --only tools,versions >"$work/p.json"
	nowhere_in "$work/p.json"
	expect "$work/p.json" "v('tools.tool[git].version').startswith('2.1')"
}

@test "a diff, and what diff says of files that are no good" {
	secrets
	limited "$probe" collect --json --skip versions >"$work/p.json"
	env -i HOME="$HOME" PATH=/usr/sbin "$probe" collect --json --skip versions >"$work/q.json"
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
for f in d["facts"]:
    if f["key"] == "kernel.hostname": f["value"] = "https://u:" + sys.argv[2] + "@h.example/"
d["findings"] = []
json.dump(d, open(sys.argv[1], "w"))' "$work/q.json" "$mark"
	limited "$probe" diff --all "$work/p.json" "$work/q.json" >"$work/text" || (($? == 1))
	limited "$probe" diff --all --json "$work/p.json" "$work/q.json" >"$work/d.json" || (($? == 1))
	nowhere_in "$work/text" "$work/d.json"
	printf '{"schema": "driftprobe.profile/1", "id": "https://u:%s@h/"' "$mark" >"$work/bad.json"
	refused 3 "$probe" diff "$work/bad.json" "$work/p.json"
	nowhere_in "$work/refused.err"
}
