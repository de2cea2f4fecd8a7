#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh [tidy|cppcheck|analyzer ...]: clang-tidy (.clang-tidy), cppcheck and gcc -fanalyzer over all of
# the code; without arguments, all three. Any complaint fails; an exception is argued in place, where
# it is made. Where a tool is missing and can't be installed it says so and ends with 77, "skipped".
# Run in the project's folder.
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-static.XXXXXX")
trap 'rm -rf "$work"' EXIT

# need COMMAND PACKAGE
need() {
    command -v "$1" >/dev/null && return
    { [ "$(id -u)" = 0 ] && apt-get -qq -y --no-install-recommends install "$2" >/dev/null 2>&1; } && return
    echo "NOTICE: the code was not checked by $2, which is not there" >&2
    return 77
}

# configure COMPILER FLAGS FOLDER
configure() {
    cmake -S . -B "$3" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$1" -DCMAKE_C_FLAGS="$2" >"$work/log" ||
        { cat "$work/log"; return 1; }
}

# The tables of the CRCs are made by the build.
generate() {
    cmake --build "$1" --target rdc >"$work/log" || { cat "$work/log"; return 1; }
}

tidy() {
    need clang-tidy clang-tidy || return
    need clang clang || return
    configure clang "" "$work/clang"
    generate "$work/clang"
    sed -n 's/^  "file": "\(.*\)",*$/\1/p' "$work/clang/compile_commands.json" | sort -u >"$work/files"
    xargs -a "$work/files" -n 4 -P "$(nproc)" clang-tidy --quiet -p "$work/clang" >"$work/out" 2>"$work/err" &&
        { echo "clang-tidy: $(wc -l <"$work/files") files, no complaint"; return; }
    grep -v '^$' "$work/out"
    grep -vE '^[0-9]+ warnings? ' "$work/err" || :
    return 1
}

# Of the suppressed: includes of the system are left out on purpose (slow, and not ours).
cppcheck_all() {
    need cppcheck cppcheck || return
    configure cc "" "$work/cppcheck"
    generate "$work/cppcheck"
    cppcheck --quiet -j "$(nproc)" --enable=warning,portability,performance --inline-suppr \
        --library=gtk --suppress=missingIncludeSystem --error-exitcode=1 --project="$work/cppcheck/compile_commands.json" \
        2>"$work/err" && { echo "cppcheck: no complaint"; return; }
    cat "$work/err"
    return 1
}

# Doubts are argued by a comment that begins with "-fanalyzer:", in their line or the one before. Where
# a file has them its object is missing, so nothing is linked: "Error 1" of a compiler is no news.
analyzer() {
    need gcc gcc || return
    configure gcc -fanalyzer "$work/gcc"
    cmake --build "$work/gcc" -- -k 0 >"$work/log" || :
    grep -E '(error|Error): ' "$work/log" | sort -u >"$work/doubts" || :
    doubts=0 argued=0
    while IFS=: read -r file line rest; do
        doubts=$((doubts + 1))
        sed -n "$((line > 1 ? line - 1 : 1)),${line}p" "$file" | grep -q 'fanalyzer:' && argued=$((argued + 1)) && continue
        echo "$file:$line:$rest"
    done <"$work/doubts"
    [ "$doubts" -gt 0 ] || ! grep -q FAILED "$work/log" || { cat "$work/log"; return 1; }
    echo "gcc -fanalyzer: $doubts doubts, $argued argued in place"
    [ "$doubts" = "$argued" ]
}

status=0
for check in ${*:-tidy cppcheck analyzer}; do
    code=0
    case $check in
    tidy) (tidy) || code=$? ;;
    cppcheck) (cppcheck_all) || code=$? ;;
    analyzer) (analyzer) || code=$? ;;
    *) echo "run.sh [tidy|cppcheck|analyzer ...]" >&2; exit 2 ;;
    esac
    [ "$code" = 0 ] || { [ "$status" = 1 ] || status=$code; }
done
exit $status
