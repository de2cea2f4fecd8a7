#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check.sh RDMAPCAP ID: the first capture of the finding's row in `cases` raises it, the second does not.
set -u

here=$(cd "$(dirname "$0")" && pwd)
row=$(grep "^$2 " "$here/cases" | sed 's/^[^ ]* *//')
cd "$here/../../captures" || exit 2
raises() {
    eval "set -- \"\$1\" \"\$2\" $3"
    program=$1 id=$2
    shift 2
    "$program" stats --quiet --format json "$@" >"$work" || { echo "stats failed: $*"; exit 1; }
    grep -q "\"id\": \"$id\"" "$work"
}
work=$(mktemp)
trap 'rm -f "$work"' EXIT
failed=0
raises "$1" "$2" "${row%% | *}" || { echo "not raised: ${row%% | *}"; failed=1; }
if raises "$1" "$2" "${row##* | }"; then
    echo "raised: ${row##* | }"
    failed=1
fi
exit $failed
