#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# adversaries.sh PROGRAM ADVERSARY NAME COUNT MIB SECONDS STATUS [TEXT]: every command reads hostile
# capture NAME within MIB of address space and SECONDS of processor time, ends with STATUS and says
# TEXT. Without the sanitizers only: they reserve more memory than there is.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # run as `sh adversaries.sh`
set -u
program=$1 adversary=$2 name=$3 count=$4 mib=$5 seconds=$6 status=$7 text=${8:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$adversary" "$name" "$count" >"$work/capture" || exit 1

for command in stats "stats -f json" flows "flows -f json" "events -f jsonl" check "dump -f csv" "dump -v --limit 2000"; do
    expected=$status
    case $command in
    dump*limit*) expected=any ;;
    check) [ "$status" != 0 ] || expected=any ;;
    esac
    (
        ulimit -t "$seconds" -c 0
        [ "$mib" = 0 ] || ulimit -v $((mib * 1024))
        # shellcheck disable=SC2086
        exec "$program" $command "$work/capture" >"$work/out" 2>"$work/err"
    )
    got=$?
    fail=
    case $got in
    [0134]) [ "$expected" = any ] || [ "$expected" = $got ] || fail="expected exit status $expected" ;;
    *) fail="died" ;;
    esac
    [ -z "$text" ] || [ $expected = any ] || grep -qF -- "$text" "$work/err" || fail="does not say: $text"
    if [ -n "$fail" ]; then
        echo "$name, $count rounds, $command: exit status $got: $fail"
        tail -n 20 "$work/err"
        exit 1
    fi
done
