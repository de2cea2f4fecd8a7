#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# captures/MANIFEST lists every file of captures/ with its SHA-256, and nothing else. Run in the
# project's folder.
set -eu
cd captures

grep -v '^#' MANIFEST | awk '
    NF < 3 {print "MANIFEST: no description: " $0; failed = 1}
    seen[$2]++ {print "MANIFEST: twice: " $2; failed = 1}
    END {exit failed}'
grep -v '^#' MANIFEST | awk '{print $1 "  " $2}' | sha256sum --check --quiet --strict

listed=$(grep -v '^#' MANIFEST | awk '{print $2}' | sort)
there=$(find . -type f ! -name MANIFEST | sed 's|^\./||' | sort)
if [ "$listed" != "$there" ]; then
    printf '%s\n' "$listed" "$there" | sort | uniq -u | sed 's/^/not both listed and there: /'
    exit 1
fi
