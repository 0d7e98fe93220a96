#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A workstation against a jail that lacks what the jail was told to lack: all of it is named, with a remedy.

load helpers

# rows FILE EXPRESSION…: of a diff; rows(pattern) are the drift rows whose key matches the regular expression.
rows() {
	python3 - "$@" <<-'END'
		import json, re, sys
		doc = json.load(open(sys.argv[1]))
		def rows(pattern): return [r for r in doc["drift"] if re.search(pattern, r["key"])]
		def told(pattern, change, *severities):
		    return any(r["change"] == change and r["severity"] in severities and r["remedy"] and r["who"] for r in rows(pattern))
		bad = [e for e in sys.argv[2:] if not eval(e)]
		for e in bad: print("does not hold:", e)
		if bad: print(json.dumps([r for r in doc["drift"] if r["severity"] != "info"], indent=1)[:6000])
		sys.exit(len(bad))
	END
}

# Two profiles: here as root with everything, there in a jail. The machine that runs this may have no way
# out; a workstation has.
both_sides() {
	mkdir "$work/bin"
	for tool in git node cargo rg; do
		printf '#!/bin/sh\necho "%s 1.2.3"\n' $tool >"$work/bin/$tool"
	done
	chmod +x "$work"/bin/*
	PATH=$work/bin:$PATH limited "$probe" collect --json --label side=here >"$work/live.json"
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
for f in d["facts"]:
    if f["key"] == "network.route_default_v4": f.pop("status", 0), f.pop("errno", 0), f.update(value=True)
d["findings"] = []
json.dump(d, open(sys.argv[2], "w"))' "$work/live.json" "$work/here.json"
	jail --size 1048576 --tmpfs /tmp --remount-ro / --cap-drop ALL --setenv PATH /usr/bin:/bin --tmpfs /usr/local \
		/opt/probe/driftprobe collect --json --label side=there >"$work/there.json"
}

drift() {
	status=0
	limited "$probe" diff "$@" || status=$?
}

@test "missing tools, read-only root, small tmpfs, no network, lost capabilities: each with its remedy" {
	need root bwrap
	both_sides
	drift --json "$work/here.json" "$work/there.json" >"$work/d.json"
	((status == 1))
	"$lib/schema" "$schemas/diff-1.schema.json" "$work/d.json"
	rows "$work/d.json" \
		"all(told(r'^tools.tool\[' + t + r'\].path', 'lost', 'fatal', 'degraded') for t in ('cargo', 'rg'))" \
		"told(r'^filesystem.dir\[/\].(create|readonly)|^filesystem.mount\[/\].readonly', 'lost', 'fatal', 'degraded', 'subtle') or told(r'^filesystem.dir\[/\].create', 'changed', 'fatal', 'degraded', 'subtle')" \
		"told(r'^filesystem.dir\[/tmp\].size_bytes', 'changed', 'fatal', 'degraded', 'subtle')" \
		"told(r'^network.route_default_v4', 'lost', 'fatal', 'degraded')" \
		"told(r'^identity.capabilities.effective$', 'changed', 'fatal', 'degraded', 'subtle')" \
		"not rows(r'^identity.p?pid\$|uptime|load1|free_bytes')" \
		"[r['severity'] for r in doc['drift']] == sorted((r['severity'] for r in doc['drift']), key=['fatal', 'degraded', 'subtle', 'info'].index)"
	drift "$work/here.json" "$work/there.json" >"$work/text"
	((status == 1))
	for word in cargo rg /tmp 'read-only\|refuse' 'oute\|etwork' apabilit; do
		grep -q "$word" "$work/text" || { echo "not named: $word"; cat "$work/text"; return 1; }
	done
}

@test "the other way round the same differences are gained, and nothing is worse than subtle for them" {
	need root bwrap
	both_sides
	drift --json "$work/there.json" "$work/here.json" >"$work/d.json"
	rows "$work/d.json" \
		"not told(r'^tools.tool\[cargo\].path', 'lost', 'fatal', 'degraded', 'subtle', 'info')" \
		"not [r for r in rows(r'^tools.tool\[(cargo|rg)\]|^network.route_default_v4') if r['severity'] in ('fatal', 'degraded')]"
}

@test "a profile has no drift against itself, nor against another of the same place" {
	limited "$probe" collect --json >"$work/p.json"
	limited "$probe" collect --json >"$work/q.json"
	drift --json "$work/p.json" "$work/p.json" >"$work/d.json"
	((status == 0))
	rows "$work/d.json" 'not doc["drift"]'
	drift --json --all "$work/p.json" "$work/p.json" >"$work/d.json"
	((status == 0))
	rows "$work/d.json" 'not [r for r in doc["drift"] if r["change"] != "not-comparable"]'
	drift --json "$work/p.json" "$work/q.json" >"$work/d.json"
	((status == 0))
	rows "$work/d.json" 'not [r for r in doc["drift"] if r["severity"] != "info"]'
	drift "$work/p.json" live >"$work/text"
	((status == 0))
	drift - "$work/q.json" <"$work/p.json" >"$work/text"
	((status == 0))
}

@test "could not look is not comparable, never lost" {
	limited "$probe" collect --json --skip versions >"$work/p.json"
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
for f in d["facts"]:
    if f["key"] in ("network.loopback_up", "kernel.machine", "memory.total_bytes"):
        del f["value"]; f.update(status="denied", errno="EACCES")
json.dump(d, open(sys.argv[2], "w"))' "$work/p.json" "$work/q.json"
	drift --json --all "$work/p.json" "$work/q.json" >"$work/d.json"
	rows "$work/d.json" \
		"[r['change'] for r in rows(r'^(network.loopback_up|kernel.machine|memory.total_bytes)\$')] == ['not-comparable'] * 3"
	drift "$work/p.json" "$work/q.json" >"$work/text"
	grep -qi 'compare\|comparable' "$work/text"
}

@test "what a collector did not look at is never lost, whichever it is" {
	mkdir "$work/bin"
	printf '#!/bin/sh\necho 1.2.3\n' >"$work/bin/git"
	chmod +x "$work/bin/git"
	ln -s /bin/sh "$work/bin/sh"
	PATH=$work/bin "$probe" collect --json >"$work/whole.json"
	for collector in $("$probe" help --words collectors); do
		PATH=$work/bin "$probe" collect --json --skip "$collector" >"$work/part.json"
		"$probe" diff --all --json "$work/whole.json" "$work/part.json" >"$work/there.json" || (($? == 1))
		"$probe" diff --all --json "$work/part.json" "$work/whole.json" >"$work/here.json" || (($? == 1))
		echo "without $collector"
		rows "$work/there.json" "not [r for r in rows('.') if r['change'] == 'lost']"
		rows "$work/here.json" "not [r for r in rows('.') if r['change'] == 'gained']"
	done
}

@test "--fail-on moves the line between 0 and 1" {
	limited "$probe" collect --json --skip versions >"$work/p.json"
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
for f in d["facts"]:
    if f["key"] == "kernel.page_size_bytes": f["value"] = 65536
json.dump(d, open(sys.argv[2], "w"))' "$work/p.json" "$work/q.json"
	for case in 'subtle 1' 'degraded 0' 'fatal 0' 'info 1'; do
		read -r severity want <<<"$case"
		drift --fail-on "$severity" "$work/p.json" "$work/q.json" >"$work/text"
		echo "$case: $status"
		((status == want))
	done
	drift "$work/p.json" "$work/q.json" >"$work/text"
	((status == 1))
	grep -q 'kernel.page_size_bytes' "$work/text"
}
