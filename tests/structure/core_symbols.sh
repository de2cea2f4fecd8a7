#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# core_symbols.sh NM OBJCOPY LIBRARY: what the core leaves undefined is defined in the core itself,
# moves memory, or belongs to the compiler. So it allocates nothing and does no I/O. It also keeps
# no state: it has no writable data.
set -eu

allowed='^(mem(cpy|set|cmp|move|chr)|bcmp|strlen|strcmp|strncmp'
allowed="$allowed|__mem(cpy|set|move)_chk|__stack_chk_fail|__cpu_(model|indicator_init|features2)"
allowed="$allowed|__(asan|ubsan|sanitizer|sancov)_.*|__start___sancov.*|__stop___sancov.*"
allowed="$allowed|__gcov.*|__llvm_.*|_GLOBAL_OFFSET_TABLE_)\$"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# not of the second form that is there for the whole program's optimisation
"$2" -R '.gnu.lto_*' "$3" "$work/core.a"
symbols=$("$1" "$work/core.a")
defined=$(echo "$symbols" | awk 'NF == 3 {print $3}' | sort -u)
undefined=$(echo "$symbols" | awk '$1 == "U" {print $2}' | sort -u)
strange=$(echo "$undefined" | grep -vxF "$defined" | grep -Ev "$allowed" || true)
# Common, data and bss, but not .data.rel.ro: constants with pointers in position-independent code.
# The sanitizers add some of their own
state=$("$1" -f sysv "$work/core.a" | awk -F'|' '
    $3 ~ /[BbCDd]/ && $7 !~ /^\.data\.rel\.ro/ {sub(/ +$/, "", $1); print $1}' |
    grep -Ev '^(__|_GLOBAL_|\.L|asan\.|DW\.ref)' || true)

[ -z "$strange" ] || printf 'the core must not use:\n%s\n' "$strange"
[ -z "$state" ] || printf 'the core must not keep state:\n%s\n' "$state"
[ -z "$strange$state" ]
