# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What demo.sh and test.sh share: the packages that the build needs, and the build itself.
# Sourced with the project's folder as the working directory.

# Installs what cmake/packages.txt lists and this machine lacks. Does nothing when all is there.
setup_packages() {
    required=$(packages_missing required)
    optional=$(packages_missing optional)
    if [ -n "$required" ]; then
        packages_install "$required $optional" ||
            { [ -n "$optional" ] && packages_install "$required"; } ||
            setup_fail "can't install:$required; install these packages and try again"
        required=$(packages_missing required)
        [ -z "$required" ] || setup_fail "still missing:$required; install these packages and try again"
    elif [ -n "$optional" ]; then
        # Nothing optional is worth a question for a password.
        SUDO_OPTIONS=-n
        packages_install "$optional" || echo "Going on without:$optional"
    fi
}

# Builds a preset (and, if named, only some targets) in build/PRESET, which may exist already.
setup_build() {
    preset=$1
    shift
    cache=build/$preset/CMakeCache.txt
    truth=-DRDMAPCAP_TRUTH_DIR=${RDMAPCAP_TRUTH_DIR:-}

    if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$cache"; then
        echo "build/$preset was made for another folder: configuring it afresh"
        cmake --fresh --preset "$preset" "$truth"
    elif [ -f "$cache" ] && ! grep -qx 'CMAKE_GENERATOR:INTERNAL=Ninja' "$cache"; then
        cmake -S . -B "build/$preset" "$truth"
    else
        cmake --preset "$preset" "$truth"
    fi
    cmake --build "build/$preset" ${1:+--target "$@"}
}

# Prints the packages of one kind whose proof fails, each with a space before it.
packages_missing() {
    while read -r kind package proof; do
        [ "$kind" = "$1" ] || continue
        case $proof in
        cmd:*) command -v "${proof#cmd:}" ;;
        pc:*) pkg-config --exists "${proof#pc:}" ;;
        esac >/dev/null 2>&1 || printf ' %s' "$package"
    done <cmake/packages.txt
}

packages_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    # Word splitting is meant: a list of package names
    # shellcheck disable=SC2086
    set -- $1
    echo "Installing from Debian's packages: $*"
    # A fresh machine has no package lists; an old one may have lists of files that are gone.
    if ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1; then
        as_root install "$@" && return
    fi
    echo "Updating the package lists"
    as_root update && as_root install "$@"
}

# apt-get with no questions, as root; sudo otherwise.
as_root() {
    set -- env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o Dpkg::Use-Pty=0 --yes --no-install-recommends "$@"
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        # shellcheck disable=SC2086
        sudo ${SUDO_OPTIONS:-} "$@"
    else
        echo "Not root, and there is no sudo"
        return 1
    fi </dev/null
}

setup_fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}
