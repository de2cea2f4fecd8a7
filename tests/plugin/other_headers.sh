#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# other_headers.sh [SUITE]: compiles the plugin against the Wireshark headers of another Debian (sid:
# Wireshark 4.6) with gcc and, where there is one, clang; warnings are errors. The packages come from
# the mirror that this machine's apt uses, and are only unpacked. Where they can't be had it says so
# and ends with 77, "skipped". Run in the project's folder.
set -eu
suite=${1:-sid}
work=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-headers.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/deb"

skip() {
    echo "NOTICE: the plugin was not compiled for Debian $suite: $1" >&2
    exit 77
}

command -v apt-get >/dev/null || skip "no apt-get"
mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' 2>/dev/null |
    awk '$2 == "Debian" && $3 == "Debian" {print $1; exit}')
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -n "$mirror" ] && [ -e "$key" ] || skip "this machine's packages are not Debian's"
echo "deb [signed-by=$key] $mirror $suite main" >"$work/sources.list"

apt() {
    apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root \
        -t "$suite" "$@" 2>"$work/log"
}
apt update || skip "its list of packages can't be had: $(tail -n 1 "$work/log")"
(cd "$work/deb" && apt download libwireshark-dev libwiretap-dev libwsutil-dev) ||
    skip "its packages can't be had: $(tail -n 1 "$work/log")"
for package in "$work"/deb/*.deb; do
    dpkg-deb -x "$package" "$work/unpacked"
done

sed -n 's/#define WIRESHARK_VERSION_\(MAJOR\|MINOR\|MICRO\) */\1 /p' \
    "$work/unpacked/usr/include/wireshark/ws_version.h"
flags="-std=c11 -D_GNU_SOURCE -O2 -fPIC -DHAVE_SSIZE_T -DWS_BUILD_DLL -DRDMAPCAP_VERSION=\"0\"
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual
    -Wswitch-enum -Werror -I. -Ianalyzer -Idissector/include
    -isystem $work/unpacked/usr/include/wireshark $(pkg-config --cflags glib-2.0)"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    count=0
    for file in plugin/*.c; do
        # shellcheck disable=SC2086
        $compiler $flags -c "$file" -o "$work/object"
        count=$((count + 1))
    done
    echo "$compiler compiles $count files for Debian $suite"
done
