#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/bench/run.sh [BUILD-FOLDER]: CPU time (user and system, median of 5 runs, one processor) of
# `rdmapcap stats` and of other tools over the same generated captures, and the ratios. Needs bash,
# and tcpdump and tshark for their rows. PACKETS=N changes the size.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # run as `sh run.sh`
set -eu

build=${1:-build/release}
packets=${PACKETS:-5000000}
slice=$((packets / 10))
runs=5
cpu=$(($(nproc) - 1))
export LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Prints the median CPU time of a command, in milliseconds.
cpu_ms() {
    local TIMEFORMAT='%U %S' i
    for ((i = 0; i < runs; i++)); do
        { time taskset -c "$cpu" "$@" >/dev/null 2>>"$work/errors"; } 2>&1
    done | awk '{print ($1 + $2) * 1000}' | sort -n | sed -n "$(((runs + 1) / 2))p"
}

# row NAME MILLISECONDS PACKETS
row() {
    printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$work/rows"
}

# case TITLE RDMAGEN-OPTION...
measure() {
    local title=$1 whole=$work/whole.pcap part=$work/part.pcap one=$work/one.pcap start
    shift
    "$build/tests/rdmagen" "$@" -n "$packets" -o "$whole" 2>"$work/said"
    "$build/tests/rdmagen" "$@" -n "$slice" -o "$part" 2>/dev/null
    "$build/tests/rdmagen" "$@" -n 1 -o "$one" 2>/dev/null
    : >"$work/rows"
    row 'rdmapcap stats' "$(cpu_ms "$build/rdmapcap" stats --quiet --threads 1 "$whole")" "$packets"
    row 'rdmapcap stats --format json' "$(cpu_ms "$build/rdmapcap" stats --quiet --threads 1 -f json "$whole")" "$packets"
    row 'rdmapcap flows' "$(cpu_ms "$build/rdmapcap" flows --quiet --threads 1 "$whole")" "$packets"
    row 'rdmapcap dump -f jsonl (slice)' "$(cpu_ms "$build/rdmapcap" dump --quiet -f jsonl "$part")" "$slice"
    row 'libpcap loop' "$(cpu_ms "$build/tests/pcap_loop" "$whole")" "$packets"
    row 'libpcap loop, 1 MiB stdio buffer' "$(cpu_ms "$build/tests/pcap_loop" "$whole" 1048576)" "$packets"
    row 'read(2) and step over the records' "$(cpu_ms "$build/tests/read_loop" "$whole")" "$packets"
    if command -v tcpdump >/dev/null; then
        row 'tcpdump -w /dev/null' "$(cpu_ms tcpdump -w /dev/null -r "$whole")" "$packets"
    fi
    if command -v tshark >/dev/null; then
        # without what tshark takes to start
        start=$(cpu_ms tshark -q -z io,phs -r "$one")
        row 'tshark -q -z io,phs (slice)' \
            "$(cpu_ms tshark -q -z io,phs -r "$part" | awk -v s="$start" '{print $1 - s}')" "$slice"
        row 'tshark -T ek (a slice of it)' \
            "$(cpu_ms tshark -T ek -c "$((slice / 10))" -r "$part" | awk -v s="$start" '{print $1 - s}')" \
            "$((slice / 10))"
    fi
    echo
    echo "$title: $packets packets, $(stat -c %s "$whole") bytes"
    awk -F'\t' '
        NR == 1 {base = $2 / $3}
        {printf "  %-34s %9.0f ms %9.1f ns/packet %8.2f x rdmapcap stats\n", $1, $2, $2 * 1e6 / $3, $2 / $3 / base}
        ' "$work/rows"
}

command -v taskset >/dev/null || { echo "run.sh: needs taskset" >&2; exit 2; }
[ -x "$build/rdmapcap" ] && [ -x "$build/tests/rdmagen" ] ||
    { echo "run.sh: build the release preset first" >&2; exit 2; }

echo "$(nproc) processors, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
"$build/tests/checksums"
measure 'Headers only (snap length 128), 1000 connections, clean' -S 128 -f 1000
measure 'Headers only, 1000 connections, 0.1 % loss, 1 % CE' -S 128 -f 1000 -l 0.1 -c 1 -C 20
packets=$((packets / 4)) slice=$((slice / 4))
measure 'Whole packets of 1 KiB (ICRC checked), 64 connections' -s 1024 -f 64 -l 0.01
