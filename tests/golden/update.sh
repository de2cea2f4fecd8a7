#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# update.sh BUILD-FOLDER NAME...: writes what the command says now as the expected output of these
# golden cases; `all` means each. Read the difference before you commit it.
set -eu
here=$(dirname "$0")
program=$(cd "$1" && pwd)/rdmapcap
shift
. "$here/run.sh"

[ "${1:-}" != all ] || set -- $(grep -o '^[^# ][^ ]*' "$here/cases")
for name; do
    run_case "$program" "$name" >"$here/expected/$name"
    echo "$name: $(wc -l <"$here/expected/$name") lines"
done
