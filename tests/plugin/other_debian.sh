#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# other_debian.sh [SUITE [SECONDS]]: builds the plugin in another Debian (trixie: Wireshark 4.4) and runs its
# tests there. Needs root, debootstrap and the network; takes eight minutes at the most. Where that
# can't be had it says so and ends with 77, "skipped". Run in the project's folder.
set -eu
suite=${1:-trixie}
limit=${2:-480}
packages=tshark,wireshark-dev,gcc,libc6-dev,cmake,ninja-build,pkg-config,python3
libraries="libpcap-dev libglib2.0-dev libjson-glib-dev zlib1g-dev libzstd-dev liblz4-dev"
root=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-$suite.XXXXXX")
chmod 755 "$root" # its users are others than root, too
trap 'rm -rf "$root" "$root.log"' EXIT

skip() {
    echo "NOTICE: the plugin was not tested in Debian $suite: $1" >&2
    exit 77
}

[ "$(id -u)" = 0 ] || skip "that needs root"
command -v debootstrap >/dev/null ||
    apt-get -qq -y --no-install-recommends install debootstrap >/dev/null 2>&1 || skip "no debootstrap"
start=$(date +%s)
left() {
    echo $((limit - $(date +%s) + start))
}

timeout "$(left)" debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1 ||
    skip "debootstrap failed or took too long: $(tail -n 1 "$root.log")"
timeout "$(left)" chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
    --no-install-recommends install $(echo "$packages" | tr , ' ') $libraries >"$root/log" 2>&1 ||
    skip "its packages can't be had in time: $(tail -n 1 "$root/log")"

mkdir "$root/src"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$root/src"
cat >"$root/test" <<'END'
set -e
cd /src
tshark --version 2>/dev/null | head -n 1
cmake -S . -B /b -G Ninja -DCMAKE_BUILD_TYPE=Release -DRDMAPCAP_TESTS=OFF -DRDMAPCAP_LTO=OFF \
    -DCMAKE_C_FLAGS=-Wno-error=deprecated-declarations >/log 2>&1 || { tail /log; exit 1; }
ninja -C /b rdmapcap rdmapcap_plugin >/log 2>&1 || { grep -E 'error|warning' /log; exit 1; }
plugin=$(echo /b/wireshark/*/epan/rdmapcap.so)
python3 -B tests/plugin/equal.py /b/rdmapcap "$plugin" captures/sim/cm.pcap.gz \
    captures/sim/reorder.pcap.gz captures/sim/xrc.pcap.gz captures/sim/pfc_script.pcap.gz \
    captures/rxe/two_point_cm.A.pcap.gz captures/siw/siw_loss1.A.pcap.gz
python3 -B tests/plugin/behaviour.py "$plugin" captures
python3 -B tests/plugin/golden.py "$plugin" captures tests/plugin/expected
echo "the plugin works in this Debian"
END
status=0
timeout "$(left)" chroot "$root" sh /test || status=$?
[ "$status" != 124 ] || skip "it took more than $limit seconds"
exit "$status"
