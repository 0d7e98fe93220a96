#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What diff does with files that are no good: one line, status 3, nothing on stdout, bounded time and memory.

load helpers

# bad FILE [LIMIT]: refused as either side.
bad() {
	refused 3 prlimit --as=$((512 << 20)) timeout 20 "$probe" diff "$1" "$work/good.json"
	[[ $line == *"$(basename "$1")"* ]]
	refused 3 prlimit --as=$((512 << 20)) timeout 20 "$probe" diff "$work/good.json" "$1"
}

good() {
	limited "$probe" collect --skip versions -o "$work/good.json"
	limited "$probe" collect --skip versions -o "$work/good.json.zst"
}

# edited NAME STATEMENT: the good profile after a Python statement on d.
edited() {
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); $2; json.dump(d, open(sys.argv[2], 'w'))" \
		"$work/good.json" "$work/$1"
}

@test "missing, empty, a directory, a device without end" {
	good
	bad "$work/missing.json"
	: >"$work/empty.json"
	bad "$work/empty.json"
	mkdir "$work/dir"
	bad "$work/dir"
	bad /dev/zero
	bad /dev/null
}

@test "cut off: plain and compressed, at every length that matters" {
	good
	local size part
	for file in good.json good.json.zst; do
		size=$(stat -c %s "$work/$file")
		for part in 1 3 4 7 20 $((size / 2)) $((size - 5)) $((size - 3)); do
			head -c "$part" "$work/$file" >"$work/cut"
			bad "$work/cut"
		done
	done
}

@test "corrupt: bits flipped anywhere in the compressed file" {
	good
	for at in 0 4 6 9 100 2000; do
		python3 -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read()); at = int(sys.argv[3]) % len(data)
data[at] ^= 0x5a
open(sys.argv[2], "wb").write(data)' "$work/good.json.zst" "$work/flipped.zst" "$at"
		bad "$work/flipped.zst"
	done
	{ cat "$work/good.json.zst"; echo trailing; } >"$work/trailing.zst"
	bad "$work/trailing.zst"
}

@test "a bomb: gigabytes out of kilobytes, and a window that wants gigabytes" {
	good
	python3 -c 'import sys
# Runs of one repeated byte, 128 KiB a block: 4 GiB out of 128 KiB.
block = ((131072 << 3) | (1 << 1)).to_bytes(3, "little") + b" "
open(sys.argv[1], "wb").write(b"\x28\xb5\x2f\xfd\x00\x38" + block * 32768)
# A window of 2^41 bytes.
open(sys.argv[2], "wb").write(b"\x28\xb5\x2f\xfd\x00\xf8" + b"\x03\x00\x00{")' "$work/bomb.zst" "$work/window.zst"
	bad "$work/bomb.zst"
	bad "$work/window.zst"
	head -c 17M /dev/zero | tr '\0' ' ' >"$work/long.json"
	bad "$work/long.json"
}

@test "foreign: JSON that is no profile, and no JSON at all" {
	good
	echo '{}' >"$work/foreign.json"
	bad "$work/foreign.json"
	echo '[]' >"$work/foreign.json"
	bad "$work/foreign.json"
	echo 'null' >"$work/foreign.json"
	bad "$work/foreign.json"
	echo '{"schema": "driftprobe.diff/1"}' >"$work/foreign.json"
	bad "$work/foreign.json"
	echo '{"schema": "driftprobe.profile/1"' >"$work/foreign.json"
	bad "$work/foreign.json"
	cp "$DRIFTPROBE" "$work/program"
	bad "$work/program"
	printf '{"schema": "driftprobe.profile/1", "id": "\xff\xfe"}' >"$work/bytes.json"
	bad "$work/bytes.json"
	python3 -c 'print("[" * 5000000)' >"$work/deep.json"
	bad "$work/deep.json"
	python3 -c 'print("{\"schema\":" * 100000)' >"$work/deep.json"
	bad "$work/deep.json"
}

@test "newer: a schema of a later version is named as such" {
	good
	edited newer.json 'd["schema"] = "driftprobe.profile/2"'
	bad "$work/newer.json"
	[[ $line == *newer* && $line == *driftprobe.profile/2* ]]
}

@test "wrong inside: statuses, kinds and counts that no profile has" {
	good
	for edit in 'd["facts"][0] = {"key": "a.b", "status": "fine"}' \
		'd["facts"][0] = {"key": 7, "value": 1}' \
		'd["facts"][0] = {"key": "a.b", "value": {"a": 1}}' \
		'd["facts"] = 7' 'd["facts"] = ["x"]' \
		'd["facts"] = [{"key": "a.b%d" % i, "value": i} for i in range(30000)]' \
		'd["facts"][0] = {"key": "a.b", "value": "x" * 200000}'; do
		echo "$edit"
		edited wrong.json "$edit"
		bad "$work/wrong.json"
	done
}

@test "hostile text reaches the terminal escaped" {
	good
	edited evil.json 'esc = chr(27); rlo = chr(0x202e)
for f in d["facts"]:
    if f["key"] == "kernel.release": f["value"] = esc + "]0;owned" + chr(7) + esc + "[2J" + rlo + "\n\nfake line"
    if f["key"] == "kernel.machine": f["value"] = esc + "[31mriscv"
d["facts"] += [{"key": "tools.tool[" + esc + "[5mx].path", "value": "/x", "source": esc + "[0m"}]
d["labels"] = {esc + "[1mname": esc + "[1mvalue"}'
	for sides in "good.json evil.json" "evil.json good.json"; do
		# shellcheck disable=SC2086
		(cd "$work" && limited "$probe" diff --all $sides >"$work/out" 2>"$work/err") || (($? == 1))
		[[ -s $work/out ]]
		not grep -q $'[\e\a]' "$work/out" "$work/err"
		not grep -q $'\u202e' "$work/out"
		not grep -q '^fake line' "$work/out"
	done
	(cd "$work" && limited "$probe" diff --all --json good.json evil.json >"$work/d.json") || (($? == 1))
	"$lib/schema" "$schemas/diff-1.schema.json" "$work/d.json"
	not grep -q $'[\e\a]' "$work/d.json"
}

@test "a store that is none, or is newer: one line, and it is left as it was" {
	good
	echo 'this is text, at least a hundred bytes of it, so that it could be a header: ...................' >"$work/x.db"
	refused 3 "$probe" diff --store "$work/x.db" latest "$work/good.json"
	limited "$probe" collect --only kernel --store "$work/y.db" >/dev/null
	python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute("pragma user_version = 9999"); db.commit()' "$work/y.db"
	refused 3 "$probe" diff --store "$work/y.db" latest "$work/good.json"
	[[ $line == *newer* ]]
	mkdir "$work/z.db"
	refused 3 "$probe" diff --store "$work/z.db" latest "$work/good.json"
	grep -q '^this is text' "$work/x.db"
}
