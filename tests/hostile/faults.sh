#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# faults.sh PROGRAM PYTHON: the faults of tests/golden/errors.sh and interrupt.py with one thread and
# with several: what fails may fail in any of them.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # run as `sh faults.sh`
set -u
program=$1 python=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for threads in 1 3; do
    cat >"$work/rdmapcap" <<EOF
#!/bin/sh
command=\$1
case \$command in
stats | flows | events | check | dump) shift; exec "$program" "\$command" --threads $threads "\$@" ;;
*) exec "$program" "\$@" ;;
esac
EOF
    chmod +x "$work/rdmapcap"
    for name in truncated truncated_gzip unreadable_file vanishing_file more_files_than_descriptors read_error \
        one_bad_file_of_two full_disk check_full_disk closed_pipe closed_output file_size_limit; do
        grep -q "^case_$name()" "$top/tests/golden/errors.sh" || { echo "no case $name"; failed=1; continue; }
        bash "$top/tests/golden/errors.sh" "$work/rdmapcap" $name >"$work/out" 2>&1
        case $? in
        0 | 77) ;;
        *) echo "$name, $threads threads:"; cat "$work/out"; failed=1 ;;
        esac
    done
    "$python" -B "$here/interrupt.py" "$work/rdmapcap" "$top/captures/sim/clean_write.pcap.gz" ||
        { echo "interrupt.py, $threads threads"; failed=1; }
done
exit $failed
