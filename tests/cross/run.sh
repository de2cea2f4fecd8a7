#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh [PROCESSOR...]: builds for a 32-bit machine (i686) and a big-endian one (s390x) with Debian's
# cross compilers, and runs there, emulated by qemu, the unit tests, the fuzz corpora and the golden
# cases. The libraries are unpacked into a folder that goes again; of this machine only the compilers
# and qemu are installed. Needs root and the network; takes fifteen minutes at the most. Where that can't
# be had it says so and ends with 77, "skipped". Run in the project's folder.
set -eu
limit=900
work=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-cross.XXXXXX")
trap 'rm -rf "$work"' EXIT
start=$(date +%s)

skip() {
    echo "NOTICE: nothing was tested on $processors: $1" >&2
    exit 77
}

# within COMMAND...: in what is left of the time
within() {
    timeout $((limit - $(date +%s) + start)) "$@"
}

compilers() {
    for processor in $processors; do
        command -v "$processor-linux-gnu-gcc" >/dev/null || return 1
    done
    command -v qemu-s390x >/dev/null
}

# apt ARCHITECTURE ARGUMENT...: apt-get with a state of its own, as on a machine of ARCHITECTURE with
# nothing installed
apt() {
    architecture=$1
    shift
    within apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$work/apt" -o Dir::State::status="$work/apt/status" -o Dir::Cache="$work/apt/cache" \
        -o Debug::NoLocking=1 -o APT::Sandbox::User=root "$@"
}

# unpack ARCHITECTURE FOLDER: the libraries that the build needs, and those that they need. What
# libglib2.0-dev needs to be *installed* (python3) is left out.
unpack() {
    rm -rf "$work/apt"
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$2"
    : >"$work/apt/status"
    apt "$1" update || : # one of several sources may be in trouble: what counts is what comes now
    apt "$1" --yes --download-only --no-install-recommends install libc6-dev libgcc-12-dev libcmocka-dev \
        libglib2.0-0 libjson-glib-1.0-0 libpcap0.8-dev libzstd-dev liblz4-dev zlib1g-dev || return 1
    (cd "$work/apt/cache/archives" && apt "$1" download libglib2.0-dev libjson-glib-dev libpcre2-dev \
        libffi-dev libmount-dev libblkid-dev libselinux1-dev libsepol-dev uuid-dev) || return 1
    for package in "$work"/apt/cache/archives/*.deb; do
        dpkg -x "$package" "$2" || return 1
    done
}

# build PROCESSOR LIBRARIES SYSROOT FOLDER
build() {
    PKG_CONFIG_LIBDIR=$3/usr/lib/$2/pkgconfig:$3/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$3 \
        within cmake -S . -B "$4" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/cross.cmake" \
        -DCROSS_PROCESSOR="$1" -DCROSS_SYSROOT="$3" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DRDMAPCAP_LTO=OFF &&
        within cmake --build "$4"
}

# golden QEMU SYSROOT FOLDER: the command's output is the same everywhere
golden() {
    printf '#!/bin/sh\nexec %s -L %s %s/rdmapcap "$@"\n' "$1" "$2" "$3" >"$3/emulated"
    chmod +x "$3/emulated"
    cases=0 failed=0
    for name in $(sed -n 's/^\([^# ][^ ]*\) .*/\1/p' tests/golden/cases); do
        cases=$((cases + 1))
        within sh tests/golden/check.sh "$3/emulated" "$name" >"$work/out" 2>&1 && continue
        failed=$((failed + 1))
        echo "golden case $name differs:"
        head -n 20 "$work/out"
    done
    echo "$cases golden cases, $failed differ"
    [ "$cases" -gt 0 ] && [ "$failed" = 0 ]
}

processors=${*:-i686 s390x}
[ "$(id -u)" = 0 ] || skip "that needs root"
command -v dpkg >/dev/null && command -v apt-get >/dev/null || skip "this is no Debian"
compilers ||
    within apt-get -qq -y --no-install-recommends install gcc-i686-linux-gnu gcc-s390x-linux-gnu qemu-user \
        >"$work/log" 2>&1 || skip "no cross compilers or no qemu-user: $(tail -n 1 "$work/log")"

status=0
for processor in $processors; do
    case $processor in
    i686) architecture=i386 qemu=qemu-i386 ;;
    *) architecture=$processor qemu=qemu-$processor ;;
    esac
    sysroot=$work/$architecture folder=$work/build
    unpack "$architecture" "$sysroot" >"$work/log" 2>&1 ||
        skip "its libraries can't be had in time: $(tail -n 1 "$work/log")"
    rm -rf "$folder"
    build "$processor" "$architecture-linux-gnu" "$sysroot" "$folder" >"$work/log" 2>&1 ||
        { grep -E 'error|warning|Error' "$work/log"; echo "$processor: can't be built"; exit 1; }
    echo "$processor:"
    within ctest --test-dir "$folder" --parallel 2 --output-on-failure -R '^(unit|fuzz)\.' >"$work/log" 2>&1 ||
        { cat "$work/log"; status=1; }
    grep 'tests passed' "$work/log" || status=1
    golden "$qemu" "$sysroot" "$folder" || status=1
done
[ $(($(date +%s) - start)) -lt $limit ] || skip "it took more than $limit seconds"
exit $status
