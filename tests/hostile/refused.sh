#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# refused.sh PROGRAM ADVERSARY: less memory than captures need, of many sizes. What can go on goes on
# and says what is missing; the rest ends with exit status 3 and a word, never by a signal. Without the
# sanitizers only: they reserve more memory than there is.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # run as `sh refused.sh`
set -u
program=$1 adversary=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ended=0 went_on=0

for name in "new_qp 20000" "tcp_holes 5000" "losses 5000" "addresses 10000" "setups 5000" "interfaces 300000"; do
    # shellcheck disable=SC2086
    "$adversary" $name >"$work/capture" || exit 1
    for mib in 50 70 80 90 100 120 140 160 180 200 250; do
        for command in stats "stats -f json" "flows -f csv" events check dump; do
            (
                ulimit -v $((mib * 1024)) -c 0
                # shellcheck disable=SC2086
                exec "$program" $command "$work/capture" >"$work/out" 2>"$work/err"
            )
            status=$?
            case $status in
            3) grep -Eq '^rdmapcap: .*(not enough memory|there is no memory)' "$work/err" || status="3 without a word" ;;
            0 | 1 | 4) ;;
            *) status="$status: died" ;;
            esac
            case $status in
            3) ended=$((ended + 1)) ;;
            [014]) went_on=$((went_on + 1)) ;;
            *) echo "$name, $command, $mib MiB: exit status $status"; cat "$work/err"; exit 1 ;;
            esac
            # packets beyond what there was memory for are counted, not forgotten
            if [ "$command $name" = "stats new_qp 20000" ] && [ $status = 0 ] && [ $mib -le 50 ]; then
                grep -q 'Not all of it was followed' "$work/out" || { echo "$mib MiB: says nothing"; exit 1; }
            fi
            # what was described before there was no memory is reported
            if [ "$command $name $mib" = "stats interfaces 300000 90" ]; then
                grep -q 'there is no memory for more than [0-9]* interface descriptions' "$work/err" &&
                    [ -s "$work/out" ] || { echo "$mib MiB: no report"; cat "$work/err"; exit 1; }
            fi
            case "$command $name $mib $status" in
            "flows -f csv new_qp 20000 50 0" | "events new_qp 20000 50 0")
                grep -q '^rdmapcap: note: not all of it was followed' "$work/err" ||
                    { echo "$mib MiB: $command says nothing"; exit 1; }
                ;;
            esac
            # what was not followed is no pass
            if [ "$command $name" = "check new_qp 20000" ] && [ $mib -le 50 ] && [ $status != 3 ]; then
                [ $status = 4 ] && grep -q 'not all were followed' "$work/out" ||
                    { echo "$mib MiB: check says $status"; cat "$work/out"; exit 1; }
            fi
        done
    done
done
echo "$ended commands ended for want of memory, $went_on went on"
[ $ended -gt 0 ] && [ $went_on -gt 0 ]
