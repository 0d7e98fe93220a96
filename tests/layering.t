#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Who may include whom: one row a layer. "own" is a header of ours, "library" a third party's.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# files | own headers that they may include | libraries that they may include
rows=(
	'probe/base/*.[ch]|base/|'
	'probe/base/capability.[ch]|base/|sys/capability.h'
	'probe/core/*.[ch]|base/ core/|'
	'probe/core/store*.[ch]|base/ core/|sqlite3.h'
	'probe/rules/*.[ch]|base/ core/ rules/|'
	'probe/format/*.[ch]|base/ core/ rules/ format/|'
	'probe/record/*.[ch]|base/ core/ rules/ bpf/ record/|'
	'collectors/*.[ch]|base/ core/sink.h core/fact.h collectors/collector.h|'
	'upload/*.[ch]|base/ upload/|zstd.h curl/'
	'bpf/*.[ch]|base/ bpf/|bpf/ linux/'
	'probe/cmd/*.[ch]|base/ core/ rules/ format/ record/ collectors/ bpf/ upload/ cmd/|'
	'probe/cmd/libraries.c|cmd/|sqlite3.h zstd.h curl/ mbedtls/ bpf/ libelf.h gelf.h elf.h zlib.h sys/capability.h'
	'probe/main.c|base/ core/ rules/ format/ record/ collectors/ bpf/ upload/ cmd/|'
)
libraries='sqlite3.h zstd.h curl/ mbedtls/ bpf/ libelf.h gelf.h zlib.h sys/capability.h psa/'
number=0

begins_with_one_of() { # NAME PREFIXES
	local prefix
	for prefix in $2; do [[ $1 == "$prefix"* ]] && return; done
	return 1
}

shopt -s nullglob
declare -A allowed
for row in "${rows[@]}"; do
	IFS='|' read -r glob own others <<<"$row"
	for file in $glob; do # the last row that fits holds
		[[ ! -f $file ]] || allowed[$file]="$own|$others"
	done
done

echo "1..$((${#allowed[@]} + 2))"
for file in $(printf '%s\n' "${!allowed[@]}" | sort); do
	IFS='|' read -r own others <<<"${allowed[$file]}"
	wrong=
	while read -r kind name; do
		case $kind in
		'"') begins_with_one_of "$name" "$own" || wrong+=" $name" ;;
		'<') ! begins_with_one_of "$name" "$libraries" || begins_with_one_of "$name" "$others" || wrong+=" <$name>" ;;
		esac
	done < <(sed -n 's/^[ \t]*#[ \t]*include[ \t]*\(["<]\)\([^">]*\)[">].*/\1 \2/p' "$file")
	[[ -z $wrong ]] && echo "ok $((++number)) - $file" || echo "not ok $((++number)) - $file includes$wrong"
done

# The rules above would hold for any file that no row speaks of.
stray=$(find probe collectors upload bpf -name '*.[ch]' 2>/dev/null | while read -r file; do
	[[ -n ${allowed[$file]-} ]] || echo "$file"
done)
[[ -z $stray ]] && echo "ok $((++number)) - every source file has a layer" ||
	echo "not ok $((++number)) - in no layer:" $stray

# A collector is one file and one row.
listed=$(sed -n 's/^COLLECTOR(\(.*\))$/\1/p' collectors/list.h | sort)
defined=$(grep -ho '^const struct collector collector_[a-z_]* =' collectors/*.c | sed 's/.*collector_\(.*\) =/\1/' | sort)
[[ $listed == "$defined" ]] && echo "ok $((++number)) - list.h has the collectors that there are" ||
	echo "not ok $((++number)) - list.h:" $listed "- files:" $defined
