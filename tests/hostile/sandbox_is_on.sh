#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sandbox_is_on.sh PROGRAM: every command that reads captures is in its sandbox by the time it waits
# for the first byte, and in none with --no-sandbox. What the sandbox forbids: sandbox_attempts.c.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # run as `sh sandbox_is_on.sh`
set -u
program=$1
grep -q '^Seccomp:' /proc/self/status || exit 77
[ "$(grep -s '^Seccomp:' /proc/self/status | tr -dc 0-9)" = 0 ] || exit 77 # of somebody else
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/fifo"

# state ARGUMENT...: the kernel's word on the process while it waits for input
state() {
    "$program" "$@" - <"$work/fifo" >/dev/null 2>&1 &
    exec 3>"$work/fifo"
    for _ in $(seq 100); do
        sleep 0.1
        grep -q '^Name:.rdmapcap' /proc/$!/status && grep -q '^State:.S' /proc/$!/status && break
    done
    sed -n 's/^Seccomp:[^0-9]*//p' /proc/$!/status
    exec 3>&-
    wait $!
}

for command in stats flows events check dump; do
    [ "$(state $command)" = 2 ] || { echo "$command: is in no sandbox"; exit 1; }
    [ "$(state $command --no-sandbox)" = 0 ] || { echo "$command --no-sandbox: is in one"; exit 1; }
done
