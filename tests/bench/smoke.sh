#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# smoke.sh RDMAGEN RDMAPCAP pcap|pcapng: what the generator wrote decodes to what it says it wrote.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$3" = pcap ] || pcapng='-g 1'
# shellcheck disable=SC2086
"$1" -n 4000 -s 333 -l 1 -c 3 -C 50 ${pcapng:-} -o "$work/capture" 2>"$work/said"
"$2" dump --format jsonl "$work/capture" >"$work/dump"

failed=0
expect() {
    found=$(grep -cE "$2" "$work/dump" || true)
    said=$(awk -F= -v names=" $1 " 'index(names, " " $1 " ") {sum += $2} END {print sum}' "$work/said")
    if [ "$found" != "$said" ] || [ "$said" = 0 ]; then
        echo "$1: dump has $found, the generator says $said"
        failed=1
    fi
}

expect packets '"icrc": ?"ok"'
expect requests '"opcode_name": ?"RC_(SEND|RDMA_WRITE|RDMA_READ_REQUEST)'
expect responses '"opcode_name": ?"RC_RDMA_READ_RESPONSE'
expect 'acks naks' '"opcode_name": ?"RC_ACKNOWLEDGE'
expect naks '"kind": ?"nak"'
expect cnps '"opcode_name": ?"CNP"'
expect ce '"ecn": ?3'
exit $failed
