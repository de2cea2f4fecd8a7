#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# findings.sh RDMAPCAP: docs/findings.md and tests/findings/cases have each kind of finding once, and
# no other. Run in the project's folder.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" findings --list -f json | sed -n 's/^ *"id": "\(.*\)",*$/\1/p' | sort >"$work/list"
sed -n 's/^### //p' docs/findings.md | sort >"$work/doc"
sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p' tests/findings/cases | sort >"$work/cases"
failed=0
[ -s "$work/list" ] || { echo "no list"; failed=1; }
for other in doc cases; do
    diff "$work/list" "$work/$other" || { echo "$other differs from findings --list"; failed=1; }
done
exit $failed
