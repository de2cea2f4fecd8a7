#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# transcript.sh RDMAPCAP [--update]: below each command that README.md shows with a prompt stands what
# it prints, and the first of them is what demo.sh shows. Run in the project's folder.
set -eu

PATH=$(cd "$(dirname "$1")" && pwd):$PATH
export PATH TZ=UTC LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# README.md with all commands run again. What they print goes on to the next line that is not
# indented; a command goes on behind a bar or `do`.
refreshed() {
    state=text
    while IFS= read -r line; do
        case $state$line in
        'output    $ '*) state=text ;;
        'output    '* | output) continue ;;
        output*) state=text && echo ;;
        esac
        printf '%s\n' "$line"
        case $state$line in
        'text    $ '*) state='command' && command=${line#????$ } ;;
        command*) command="$command
$line" ;;
        esac
        case $state$line in
        command*'|' | command*'; do') ;;
        command*)
            state=output
            case $command in *jq*) command -v jq >/dev/null || state=text ;; esac
            [ $state = output ] || echo "no jq: not run: $command" >&2
            [ $state = text ] || sh -c "$command" </dev/null 2>&1 | sed 's/^./    &/; s/ *$//'
            ;;
        esac
    done
}

refreshed <README.md >"$work/README.md"
demo=$(sed -n 's/^capture=//p' demo.sh)
shown=$(sed -n 's/^    \$ //p' README.md | head -n 1)

if [ "${2:-}" = --update ]; then
    cp "$work/README.md" README.md
elif ! diff -u README.md "$work/README.md"; then
    echo "README.md is behind; run: sh tests/structure/transcript.sh build/release/rdmapcap --update"
    exit 1
fi
[ "$shown" = "rdmapcap stats $demo" ] || { echo "README.md begins with '$shown', demo.sh shows $demo"; exit 1; }
