#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check.sh PROGRAM NAME: does a golden case still come out as expected? To accept a change:
# update.sh BUILD-FOLDER NAME.
set -u
here=$(dirname "$0")
. "$here/run.sh"

got=$(mktemp)
trap 'rm -f "$got"' EXIT
run_case "$1" "$2" >"$got" || exit 1
diff -u "$here/expected/$2" "$got"
