# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sourced: run_case PROGRAM NAME prints what the program says on a golden case: standard output, then
# standard error and the exit status where there are any. The version is left out.
run_case() {
    row=$(grep "^$2 " "$here/cases") || { echo "no case $2" >&2; return 2; }
    work=$(mktemp -d)
    (
        cd "$here/../../captures" || exit 2
        set -f
        eval "set -- \"\$1\" ${row#* }"
        program=$1 capture=$2
        shift 2
        [ "$capture" = - ] || set -- "$@" "$capture"
        env -i PATH="$PATH" TZ=UTC LC_ALL=C "$program" "$@" >"$work/out" 2>"$work/err" </dev/null &&
            echo 0 >"$work/status" || echo $? >"$work/status"
    )
    sed 's/"tool_version": "[^"]*"/"tool_version": "..."/' "$work/out"
    [ -s "$work/err" ] && { echo '--- standard error'; cat "$work/err"; }
    [ "$(cat "$work/status")" = 0 ] || echo "--- exit status $(cat "$work/status")"
    rm -rf "$work"
}
