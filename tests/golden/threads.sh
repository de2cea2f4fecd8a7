#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# threads.sh RDMAPCAP RDMAGEN: what is said never depends on how many threads say it.
set -eu
command=$1
generator=$2
cd "$(dirname "$0")/../.."
work=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-threads.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

# same ARGUMENT...: one thread against others
same() {
    expected=0
    "$command" "$@" --quiet --threads 1 >"$work/one" 2>"$work/one.errors" || expected=$?
    for threads in 2 3 8; do
        status=0
        "$command" "$@" --quiet --threads "$threads" >"$work/many" 2>"$work/many.errors" || status=$?
        if [ "$status" != "$expected" ] || ! cmp -s "$work/one" "$work/many" ||
            ! cmp -s "$work/one.errors" "$work/many.errors"; then
            echo "$threads threads say something else: $*" | cut -c1-200 >&2
            failed=1
        fi
    done
}

head -c 20000 captures/hand/interfaces.pcapng >"$work/cut.pcapng"
for capture in captures/rxe/*.pcap*.gz captures/sim/*.pcap*.gz captures/siw/*.pcap*.gz captures/hand/*.pcap* \
    "$work/cut.pcapng"; do
    same stats -f json "$capture"
    same events -f jsonl "$capture"
done
# more than one file, more than one interface, management, TCP
set -- captures/sim/*.pcap*.gz
same stats -f json "$@"
same flows -f json "$@"
same stats --all captures/rxe/*.pcap*.gz
same check --max-gaps 0 captures/rxe/*.pcap*.gz
same stats --limit 100 "$@"
# pauses of a link whose rate only later packets show, which are read ahead
"$generator" -n 3000 -P 10 -b 0.05 -f 8 -H 2 -S 128 -o "$work/slow.pcap" 2>"$work/said"
"$generator" -n 3000 -f 8 -H 2 -S 128 -o "$work/fast.pcap" 2>"$work/said"
same stats -f json "$work/slow.pcap" "$work/fast.pcap"
exit "$failed"
