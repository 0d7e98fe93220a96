#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The rules of the house that a program can hold: lengths, licence lines, no state in files, nothing in the
# tree that is true of one machine only.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
number=0

# The few objects that have to change while we run, and why.
mutable_allowed='probe/main\.o|handler_' # what a signal handler may touch is a file-scope handler_*

report() { # NAME WRONG…
	local name=$1
	shift
	if (($#)); then
		echo "not ok $((++number)) - $name"
		printf '#   %s\n' "$@"
	else
		echo "ok $((++number)) - $name"
	fi
}

tree() { git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path './build/*' -not -path './.git/*' | sed 's,^\./,,'; }
mapfile -t all < <(tree | grep -v -e '^build/' -e '/fixtures/' -e '/corpus/' | while read -r f; do [[ -f $f ]] && echo "$f"; done)
mapfile -t sources < <(printf '%s\n' "${all[@]}" | grep '\.[ch]$')

longer_than() { # LINES FILES…: those with so many lines or more
	local limit=$1
	shift
	(($#)) && wc -l "$@" | awk -v limit="$limit" '$2 != "total" && $1 >= limit { print $2 ": " $1 " lines" }'
}

long_functions() {
	awk 'FNR == 1 { start = 0 }
		/^{/ { start = FNR }
		/^}$/ && start { if (FNR - start + 1 >= 60) print FILENAME ":" start ": " FNR - start + 1 " lines"; start = 0 }' "$@"
}

# Compiled code tells better than text: what is in .data or .bss can be written. (.data.rel.ro cannot.)
mutable_objects() {
	local object
	find "build/$(uname -m)/obj" -name '*.o' 2>/dev/null | sort | while read -r object; do
		objdump -tw "$object" | awk -v file="$object" \
			'{ for (i = 2; i < NF; i++) if ($i ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $i !~ /^\.data\.rel\.ro/ && $(i - 1) == "O") print file ": " $NF }'
	done | grep -Ev "$mutable_allowed"
}

unlicensed() {
	local file
	for file; do
		case $file in *.c | *.h | *.sh | *.bats | *.bash | *.t | Makefile) ;;
		*) [[ $(head -c 2 "$file") == '#!' ]] || continue ;;
		esac
		head -3 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file"
	done
}

# Addresses in the tree are reserved names, or point to the standard that they quote.
hosts='([a-z0-9.-]*\.)?(example|invalid|test|localhost)(\.(com|org|net))?|h|proxy|localhost|127\.0\.0\.1|192\.0\.2\.[0-9]+|json-schema\.org|(www\.)?apache\.org|no-color\.org'
strange_hosts() {
	grep -InoE "https?://[^[:space:]\"'\`<>)]*" "$@" |
		grep -vE "https?://([^/@]*@)?($hosts)([:/?]|\$)" | grep -E 'https?://([^/@]*@)?[a-z0-9-]+(\.[a-z0-9-]+)+'
}

# The place where this tree lies, and anybody's home, are true of one machine only.
machine_paths() {
	grep -InF "$PWD/" "$@"
	grep -InE '(^|[^[:alnum:]_.$}*])/(home|Users)/[a-z]+/' "$@" | grep -vE '/home/(linuxbrew|me|user)/'
}

echo 1..7
mapfile -t wrong < <(longer_than 500 "${sources[@]}")
report 'files have under 500 lines' "${wrong[@]}"
mapfile -t wrong < <(longer_than 200 collectors/*.c)
report 'collectors have under 200 lines' "${wrong[@]}"
mapfile -t wrong < <(long_functions "${sources[@]}")
report 'functions have under 60 lines' "${wrong[@]}"
if [[ -d build/$(uname -m)/obj ]]; then
	mapfile -t wrong < <(mutable_objects)
	report 'no state at file scope' "${wrong[@]}"
else
	echo "ok $((++number)) # SKIP needs build/$(uname -m)/obj"
fi
mapfile -t wrong < <(unlicensed "${all[@]}")
report 'every source file says its licence' "${wrong[@]}"
mapfile -t wrong < <(strange_hosts "${all[@]}")
report 'no addresses of real hosts' "${wrong[@]}"
mapfile -t wrong < <(machine_paths "${all[@]}")
report 'no paths of one machine' "${wrong[@]}"
