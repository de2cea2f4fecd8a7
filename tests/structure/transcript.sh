#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# transcript.sh RDMAPCAP [--update]: the transcript in README.md is what demo.sh shows. Run in the
# project's folder.
set -eu

capture=$(sed -n 's/^capture=//p' demo.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    sed '/^<!-- transcript -->/q' README.md
    echo
    echo "    $ rdmapcap stats $capture"
    TZ=UTC LC_ALL=C.UTF-8 "$1" stats --color=never "$capture" | sed 's/^./    &/; s/ *$//'
    echo
    sed -n '/^<!-- end of transcript -->/,$p' README.md
} >"$work/README.md"

if [ "${2:-}" = --update ]; then
    cp "$work/README.md" README.md
elif ! diff -u README.md "$work/README.md"; then
    echo "README.md is behind; run: sh tests/structure/transcript.sh build/release/rdmapcap --update"
    exit 1
fi
