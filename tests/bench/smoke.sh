#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# smoke.sh RDMAGEN RDMAPCAP pcap|pcapng: what the generator wrote decodes to what it says it wrote,
# and the engine finds what it did.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$3" = pcap ] || pcapng='-g 1'
# shellcheck disable=SC2086
"$1" -n 4000 -s 333 -l 1 -c 3 -C 50 ${pcapng:-} -o "$work/capture" 2>"$work/said"
"$2" dump --format jsonl "$work/capture" >"$work/dump"
"$2" events --format jsonl "$work/capture" >"$work/events"

failed=0
# expect COMMAND 'NAME...' PATTERN: lines of the output against the sum of the generator's counts
expect() {
    found=$(grep -cE "$3" "$work/$1" || true)
    said=$(awk -F= -v names=" $2 " 'index(names, " " $1 " ") {sum += $2} END {print sum}' "$work/said")
    if [ "$found" != "$said" ] || [ "$said" = 0 ]; then
        echo "$2: $1 has $found, the generator says $said"
        failed=1
    fi
}

expect dump packets '"icrc": ?"ok"'
expect dump requests '"opcode_name": ?"RC_(SEND|RDMA_WRITE|RDMA_READ_REQUEST)'
expect dump responses '"opcode_name": ?"RC_RDMA_READ_RESPONSE'
expect dump 'acks naks' '"opcode_name": ?"RC_ACKNOWLEDGE'
expect dump naks '"kind": ?"nak"'
expect dump cnps '"opcode_name": ?"CNP"'
expect dump ce '"ecn": ?3'
expect events retransmitted '"kind": ?"retransmission"'
expect events naks '"kind": ?"nak"'
expect events ce '"kind": ?"ce"'
expect events cnps '"kind": ?"cnp"'
exit $failed
