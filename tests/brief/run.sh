#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh SAME captures: of the captures of the tree. run.sh SAME RDMAGEN: of some that are made,
# with whatever makes packets differ from those before them.
set -eu
same=$1
cd "$(dirname "$0")/../.."
if [ "$2" = captures ]; then
    exec "$same" captures/rxe/*.pcap*.gz captures/sim/*.pcap*.gz captures/siw/*.pcap*.gz \
        captures/recovery/*.pcap* captures/hand/*.pcap*
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-brief.XXXXXX")
trap 'rm -rf "$work"' EXIT
# make NAME OPTION...
make() {
    name=$1
    shift
    "$generator" "$@" -o "$work/$name.pcap" 2>"$work/said"
}
generator=$2
make plain -n 20000 -f 200
make losses -n 20000 -f 20 -l 2 -c 5 -C 50 -S 128
make pauses -n 20000 -f 8 -H 2 -b 0.05 -P 100 -S 128
make hosts -n 20000 -f 2000 -H 400 -r 50 -m 1 -S 96
"$same" "$work"/*.pcap
rm "$work"/*.pcap
make contexts -n 850000 -f 400000 -m 1 -r 0 -S 96 # more than are kept
"$same" check "$work"/contexts.pcap
