#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# hardening.sh READELF PROGRAM WHAT...: is the program, or the plugin, built as cmake/Hardening.cmake wants it?
# WHAT: `fortify` where the build is optimised and not sanitized, `cet=FUNCTION` on x86: FUNCTION, which is
# in it, is the target of a jump.
set -u
readelf=$1
program=$2
shift 2
status=0

want() {
    grep -Eq -- "$2" "$work/$1" || { echo "$program: $3"; status=1; }
}

unwanted() {
    ! grep -Eq -- "$2" "$work/$1" || { echo "$program: $3"; status=1; }
}

command -v "$readelf" >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$readelf" -hW "$program" >"$work/header" || exit 1
"$readelf" -lW "$program" >"$work/segments" || exit 1
"$readelf" -dW "$program" >"$work/dynamic" || exit 1
"$readelf" --dyn-syms -W "$program" >"$work/symbols" || exit 1

want header 'Type: *DYN' 'is not position independent'
want segments 'GNU_RELRO' 'has no read-only relocations'
want dynamic '\(FLAGS_1\).*NOW|\(BIND_NOW\)' 'binds symbols late, so its relocations stay writable'
want segments 'GNU_STACK .* RW +0x' 'has an executable stack'
unwanted segments 'LOAD .* RWE +0x' 'has memory that is both writable and executable'
unwanted dynamic '\((RPATH|TEXTREL)\)' 'has an RPATH or relocations in its code'
want symbols '__stack_chk_fail' 'has no stack protector'
for what; do
    case $what in
    fortify) want symbols '__[a-z]+_chk@' 'is not fortified' ;;
    cet=*)
        "$readelf" -nW "$program" >"$work/notes"
        want notes 'x86 feature:.*SHSTK' 'does not say that it can run with a shadow stack'
        command -v objdump >/dev/null || continue
        objdump -d --no-show-raw-insn --disassemble="${what#cet=}" "$program" >"$work/function"
        want function 'endbr64' 'does not mark the targets of indirect jumps'
        ;;
    esac
done
exit $status
