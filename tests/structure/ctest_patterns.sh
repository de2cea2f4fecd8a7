#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ctest_patterns.sh BUILD [PRESET]: each `ctest ... -R PATTERN` of the pages (of this preset alone),
# copied as it stands in their source, chooses a test of this build. Run in the project's folder.
set -u

names=$(ctest --test-dir "$1" -N | sed -n 's/^ *Test *#[0-9]*: //p')
patterns=$(grep -oh 'ctest [^`]*-R [^`]*' README.md CONTRIBUTING.md SECURITY.md docs/*.md |
    grep -e "${2:+--preset $2}" | sed 's/.*-R //; s/^"\(.*\)"$/\1/' | sort -u)
failed=0 seen=0
while read -r pattern; do
    seen=$((seen + 1))
    printf '%s\n' "$names" | grep -qE -e "$pattern" || { echo "no test is chosen by -R $pattern"; failed=1; }
done <<END
$patterns
END
[ $seen -gt 10 ] || { echo "only $seen patterns"; failed=1; }
exit $failed
