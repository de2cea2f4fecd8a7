#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# pages.sh RDMAPCAP: the page of stats fits on a screen of 80 columns and 50 lines, whatever capture
# it is about, with and without colour. Run in the project's folder.
set -u

failed=0
for capture in captures/*/*.pcap.gz captures/*/*.pcapng*; do
    "$1" stats --quiet --width 80 --color always "$capture" |
        sed 's/\x1b\[[0-9;]*m//g' | awk -v capture="$capture" '
        length($0) > 80 && !/^  rdmapcap / { print capture ": " length($0) " columns: " $0; failed = 1 }
        END {
            if (NR > 50) { print capture ": " NR " lines"; failed = 1 }
            if (NR < 10) { print capture ": no page"; failed = 1 }
            exit failed
        }' || failed=1
done
exit $failed
