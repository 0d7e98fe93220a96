#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# On the machine itself: what the profile says against what the machine's own tools say.

load helpers

@test "the profile fits its schema and every collector is covered" {
	limited "$probe" collect --json --label a=1 --task t >"$work/p.json" 2>"$work/err"
	valid "$work/p.json"
	expect "$work/p.json" 'coverage("versions")["status"] == "ok"' 'doc["duration_ms"] < 60000'
	[[ ! -s $work/err ]]
}

@test "the schema checker refuses what it should" {
	limited "$probe" collect --json --skip versions >"$work/p.json"
	for edit in 'd["schema"] = "x"' 'd["facts"][0]["value"] = 1.5' 'del d["id"]' \
		'd["facts"].append({"key": "a.b", "status": "ok", "source": "x"})' \
		'd["facts"].append({"key": "A b", "value": 1, "source": "x"})' \
		'd["coverage"][0]["status"] = "fine"' 'd["more"] = 1' 'd["duration_ms"] = True'; do
		python3 -c "import json, sys; d = json.load(open(sys.argv[1])); $edit; json.dump(d, open(sys.argv[2], 'w'))" \
			"$work/p.json" "$work/bad.json"
		run "$lib/schema" "$schemas/profile-1.schema.json" "$work/bad.json"
		echo "$edit: $output"
		((status == 1))
	done
}

@test "identity, kernel and limits are those that the system's tools show" {
	(umask 027 && limited "$probe" collect --json --skip versions) >"$work/p.json"
	expect "$work/p.json" \
		"v('identity.euid') == $EUID" "v('identity.egid') == $(id -g)" \
		"v('identity.umask') == '0027'" \
		"v('identity.home') == '$HOME'" "v('identity.home_writable') is True" \
		"v('kernel.release') == '$(uname -r)'" "v('kernel.machine') == '$(uname -m)'" \
		"v('kernel.page_size_bytes') == $(getconf PAGESIZE)" \
		"v('limits.rlimit[nofile].soft') in ($(ulimit -Sn | sed 's/unlimited/"max",/'),)" \
		"v('limits.rlimit[stack].soft') in ($(ulimit -Ss | sed 's/unlimited/"max", 0/') , $(ulimit -Ss | sed 's/unlimited/0/') * 1024)" \
		"v('cpu.nproc') == $(env -u OMP_NUM_THREADS nproc)" \
		"int(v('identity.capabilities.effective_mask'), 16) == 0x$(awk '/^CapEff/ {print $2}' /proc/self/status)" \
		"len(v('identity.capabilities.effective')) == bin(0x$(awk '/^CapEff/ {print $2}' /proc/self/status)).count('1')" \
		"v('memory.total_bytes') == $(($(awk '/^MemTotal/ {print $2}' /proc/meminfo) * 1024))"
}

@test "tools are where the shell finds them, and only there" {
	mkdir "$work/bin" "$work/late"
	ln -s "$(type -P true)" "$work/bin/git"
	ln -s "$(type -P true)" "$work/late/git"
	ln -s /nowhere "$work/bin/node"
	limited env PATH="$work/bin::/nonexistent:$work/late:$work/late" \
		"$probe" collect --json --only tools >"$work/p.json"
	expect "$work/p.json" \
		"v('tools.path') == ['$work/bin', '', '/nonexistent', '$work/late', '$work/late']" \
		"v('tools.tool[git].path') == '$work/bin/git'" \
		"v('tools.tool[git].shadows') == ['$work/late/git']" \
		"s('tools.tool[python3].path') == 'absent'" \
		"v('tools.path_entry[/nonexistent].state') == 'missing'"
}

@test "a version is what the tool says, and a tool that hangs or fails costs only its own" {
	mkdir "$work/bin"
	printf '#!/bin/sh\necho "git version 9.8.7"\n' >"$work/bin/git"
	printf '#!/bin/sh\nsleep 30\n' >"$work/bin/node"
	printf '#!/bin/sh\necho broken >&2; exit 5\n' >"$work/bin/make"
	chmod +x "$work"/bin/*
	PATH="$work/bin:/usr/bin:/bin" limited "$probe" collect --json --only tools,versions >"$work/p.json"
	expect "$work/p.json" \
		"v('tools.tool[git].version') == '9.8.7'" \
		"v('tools.tool[git].runs') is True" \
		"s('tools.tool[node].version') == 'timeout'" \
		"v('tools.tool[make].runs') is False" "v('tools.tool[make].exit') == 5" \
		"v('tools.tool[python3].version').startswith('3.')" \
		'doc["duration_ms"] < 20000'
}

@test "how it was started is seen as received" {
	limited env -i A_NAME=private-value TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$probe" collect --json --only environment \
		</dev/null 2>&- >"$work/p.json"
	expect "$work/p.json" \
		"v('environment.names') == ['A_NAME', 'LC_ALL', 'TZ'] or sorted(v('environment.names')) == ['A_NAME', 'LC_ALL', 'TZ']" \
		"v('environment.timezone') == 'Asia/Tokyo'" "v('environment.utf8') is True" \
		"v('environment.stdin') == 'null'" "v('environment.stdout') == 'file'" \
		"v('environment.stderr') == 'closed'"
	not grep -q private-value "$work/p.json"
}

@test "signals ignored by the caller are seen" {
	limited sh -c 'trap "" PIPE HUP; exec "$@"' sh "$probe" collect --json --only environment >"$work/p.json"
	expect "$work/p.json" '{i.upper().replace("SIG", "") for i in v("environment.ignored_signals")} >= {"PIPE", "HUP"}'
}

@test "--only, --skip and --dir do what they say" {
	mkdir "$work/mine"
	limited "$probe" collect --json --only filesystem,identity --skip identity --dir "$work/mine" >"$work/p.json"
	expect "$work/p.json" 'not keys("identity.")' 'not keys("memory.")' \
		"v('filesystem.dir[$work/mine].create') is True" "'--dir' in v('filesystem.dir[$work/mine].role')" \
		"v('filesystem.dir[$work/mine].type') == '$(findmnt -no FSTYPE -T "$work")'"
	[[ -z $(ls -A "$work/mine") ]]
}

@test "labels and task come back, the id is new each time" {
	limited "$probe" collect --json --only kernel --label a=1 --label b=two --task t9 >"$work/p.json"
	limited "$probe" collect --json --only kernel >"$work/q.json"
	expect "$work/p.json" 'doc["labels"] == {"a": "1", "b": "two"}' 'doc["task"] == "t9"'
	not cmp -s <(grep '"id":' "$work/p.json") <(grep '"id":' "$work/q.json")
}

@test "-o writes a plain or a compressed document that says the same to everybody" {
	limited "$probe" collect --only kernel -o "$work/p.json" >"$work/out"
	limited "$probe" collect --only kernel --output "$work/p.json.zst" >>"$work/out"
	[[ ! -s $work/out ]]
	zstd -qdc "$work/p.json.zst" >"$work/q.json"
	"$lib/schema" "$schemas/profile-1.schema.json" "$work/p.json"
	"$lib/schema" "$schemas/profile-1.schema.json" "$work/q.json"
	limited "$probe" diff "$work/p.json" "$work/p.json.zst"
}

@test "the summary names what it found and where to go on" {
	limited "$probe" collect --skip versions >"$work/out" 2>"$work/err"
	(($(wc -l <"$work/out") > 10))
	not grep -q $'\e' "$work/out"
	grep -q 'driftprobe diff' "$work/out"
}

@test "what the summary keeps, diff finds again" {
	limited "$probe" collect --skip versions >/dev/null
	limited "$probe" collect --skip versions >/dev/null
	[[ -f $HOME/.local/state/driftprobe/store.db && $(stat -c %a "$HOME/.local/state/driftprobe/store.db") == 600 ]]
	limited "$probe" diff --json latest latest >"$work/d.json"
	"$lib/schema" "$schemas/diff-1.schema.json" "$work/d.json"
	expect_drift "$work/d.json" 'not rows'
}

expect_drift() {
	python3 -c 'import json, sys
doc = json.load(open(sys.argv[1])); rows = doc["drift"]
assert eval(sys.argv[2]), rows' "$@"
}
