#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# clang.sh: builds all of the tree with clang and the sanitizers, the libFuzzer targets with it, then
# runs the unit tests and replays the corpora there. Where clang can't be had it says so and ends with
# 77, "skipped". Run in the project's folder.
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/rdmapcap-clang.XXXXXX")
trap 'rm -rf "$work"' EXIT

command -v clang >/dev/null ||
    { [ "$(id -u)" = 0 ] && apt-get -qq -y --no-install-recommends install clang >/dev/null 2>&1; } ||
    { echo "NOTICE: nothing was built with clang, which is not there" >&2; exit 77; }
{ cmake --preset fuzz -B "$work/build" && cmake --build "$work/build"; } >"$work/log" 2>&1 ||
    { grep -E -A 5 'error|Error' "$work/log" || tail -n 20 "$work/log"; echo "clang: can't be built"; exit 1; }
ctest --test-dir "$work/build" --parallel 2 --output-on-failure -R '^(unit|fuzz)\.' >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
echo "clang:"
grep 'tests passed' "$work/log"
