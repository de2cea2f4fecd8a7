#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# plugin.sh BUILD [PACKETS]: what the Wireshark plugin costs. tshark's own processor time and memory
# on one pass, without and with the plugin, the best of five runs; fails above 1.25 times the time
# or 100 bytes a packet.
set -eu
build=$1
packets=${2:-300000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/none" "$work/home"
chmod 777 "$work/home"
cp -r "$build/wireshark" "$work/plugins"
"$build/tests/rdmagen" -n "$packets" -l 0.1 -c 1 -C 50 -o "$work/capture.pcap" 2>/dev/null
chmod -R a+rX "$work"

as=""
[ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"

# tshark's processor seconds and KiB of memory
measure() {
    $as env HOME="$work/home" WIRESHARK_PLUGIN_DIR="$1" python3 -B -c '
import os, resource, subprocess, sys
subprocess.run(["tshark", "-n", "-r", sys.argv[1]], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)' "$work/capture.pcap"
}

for run in 1 2 3 4 5; do
    measure "$work/none" >>"$work/without"
    measure "$work/plugins" >>"$work/with"
done
paste "$work/without" "$work/with" | awk -v packets="$packets" '
    NR == 1 || $1 < t0 {t0 = $1}
    NR == 1 || $3 < t1 {t1 = $3}
    NR == 1 || $2 < m0 {m0 = $2}
    NR == 1 || $4 < m1 {m1 = $4}
    END {
        bytes = (m1 - m0) * 1024 / packets
        printf "without %.2f s, with %.2f s: %.2f times; %.0f bytes a packet more\n", t0, t1, t1 / t0, bytes
        exit t1 / t0 > 1.25 || bytes > 100
    }'
