#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# In an OCI container with Docker's filter and capabilities and nothing in it but the binary.

load helpers

# container OPTIONS… -- COMMAND…: see lib/oci-bundle.
container() {
	mkdir -p "$work/bundle/rootfs/tmp"
	chmod 1777 "$work/bundle/rootfs/tmp"
	cp "$DRIFTPROBE" "$work/bundle/rootfs/driftprobe"
	"$lib/oci-bundle" "$work/bundle" "$@"
	(cd "$work/bundle" && limited runc --root "$work/state" run "dptest-$$-$RANDOM")
}

docker='audit_write chown dac_override fowner fsetid kill mknod net_bind_service net_raw setfcap setgid setpcap setuid sys_chroot'

@test "an empty image under Docker's filter: capabilities, limits and what is missing" {
	need root runc seccomp-profile memory-cgroup pids-cgroup
	container --memory 67108864 --pids 50 --tmpfs /tmp:noexec,nosuid,nodev,size=1m \
		-- /driftprobe collect --json >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" \
		"sorted(v('identity.capabilities.effective')) == ['cap_' + c for c in '$docker'.split()]" \
		"v('identity.capabilities.effective_mask') == '00000000a80425fb'" \
		"v('identity.capabilities.full') is False" \
		"v('identity.seccomp_mode') == 'filter'" "v('identity.seccomp_filters') == 1" \
		"v('identity.pid') == 1" "v('identity.euid') == 0" "v('identity.no_new_privs') is False" \
		"s('identity.user') == 'absent'" "s('kernel.os_id') == 'absent'" \
		"v('memory.limit_bytes') == 67108864" "v('limits.pids.limit') == 50" \
		"v('filesystem.dir[/tmp].exec') is False" "v('filesystem.dir[/tmp].create') is True" \
		"v('filesystem.dir[/tmp].size_bytes') == 1 << 20" "v('filesystem.dir[/].create') is True" \
		"v('filesystem.dir[/dev/shm].size_bytes') == 64 << 20" \
		"{s(k) for k in keys('tools.tool[') if k.endswith('].path')} == {'absent'}" \
		"v('tools.sh') is False" "finding('tools.no-shell')" \
		"v('network.route_default_v4') is False" "v('kernel.hostname') == 'bundle'" \
		"doc['layers']"
	[[ ! -e $work/bundle/rootfs/root && -z $(find "$work/bundle/rootfs" -name '.driftprobe*') ]]
}

@test "nothing writable, no capabilities, an unknown user: the whole report all the same" {
	need root runc seccomp-profile
	container --readonly --uid 12345 --no-caps --no-new-privs --env HOME=/nowhere \
		-- /driftprobe collect --json --skip versions >"$work/p.json"
	valid "$work/p.json"
	expect "$work/p.json" \
		"v('identity.euid') == 12345" "v('identity.capabilities.effective') == []" \
		"v('identity.capabilities.bounding') == []" "v('identity.no_new_privs') is True" \
		"v('filesystem.dir[/].create_errno') == 'EROFS'" "v('filesystem.dir[/tmp].create_errno') == 'EROFS'" \
		"v('identity.home_state') == 'missing'" \
		"finding('filesystem.root-readonly')" "finding('identity.no-home')"
}

@test "the summary in a container ends well and warns once that it could not be kept" {
	need root runc seccomp-profile
	container --readonly -- /driftprobe collect >"$work/out" 2>"$work/err"
	grep -qi 'read-only' "$work/out"
	cat "$work/err"
	(($(wc -l <"$work/err") <= 1))
}

@test "without limits the limit is not made up" {
	need root runc seccomp-profile
	container -- /driftprobe collect --json --only memory,limits >"$work/p.json"
	expect "$work/p.json" \
		"s('memory.limit_bytes') != 'ok' or v('memory.limit_bytes') == 'max' or v('memory.limit_bytes') > 1 << 30"
}
