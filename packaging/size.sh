#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bytes by library and by own object out of the linker's map: size.sh MAP BINARY [BUDGET]
set -eu
awk '
function hex(s,  i, n) {
	n = 0
	for (i = 3; i <= length(s); i++) n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return n
}
function take(addr, size, file) {
	if (hex(addr) == 0 || size == "0x0" || file == "") return
	if (match(file, /[^\/]*\.a\(/)) { name = substr(file, RSTART, RLENGTH - 1); lib[name] += hex(size) }
	else if (match(file, /\/obj\//)) { own += hex(size); obj[substr(file, RSTART + 5)] += hex(size) }
	else other += hex(size)
}
/^Linker script and memory map/ { on = 1 }
!on { next }
# never loaded, though their addresses count up from 0
/^ \.(debug|comment)/ { held = 0; next }
# " .text.name  0xaddr 0xsize file", or the name alone and the rest on the next line
NF == 1 && /^ \.[a-z]/ { held = 1; next }
/^ \.[a-z]/ && NF >= 4 && $2 ~ /^0x/ && $3 ~ /^0x/ { take($2, $3, $4); held = 0; next }
held && $1 ~ /^0x/ && $2 ~ /^0x/ { take($1, $2, $3); held = 0; next }
{ held = 0 }
END {
	for (l in lib) printf "%9d  %s\n", lib[l], l
	printf "%9d  (own objects)\n%9d  (start files, compiler)\n", own, other
	for (o in obj) printf "%9d      %s\n", obj[o], o
}' "$1" | sort -k2,2 -s | sort -rn -s
size=$(stat -c %s "$2")
printf '%9d  %s%s\n' "$size" "$2" "${3:+, budget $3}"
[ "$size" -le "${3:-$size}" ] || { echo "size: over the budget of $3 bytes" >&2; exit 1; }
