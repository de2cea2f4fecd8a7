#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# errors.sh PROGRAM CASE: inputs that can't be read and outputs that can't be written. Each must end
# with the right exit status and a message that says what is wrong, where, and what to do. A case is
# a function; tests/golden/CMakeLists.txt makes a test of each.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # run as `sh errors.sh`
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$1
good=$here/../../captures/sim/clean_write.pcap.gz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C TZ=UTC

fail() {
    echo "$*"
    echo "status: $status"
    sed 's/^/stderr: /' err
    exit 1
}

# run ARGUMENT...: into files out and err, and $status
run() {
    "$program" "$@" >out 2>err </dev/null
    status=$?
}

# expect STATUS LINES-OF-OUTPUT TEXT...: each TEXT must be in the messages, all of which are ours
expect() {
    [ "$status" = "$1" ] || fail "expected exit status $1"
    [ "$(wc -l <out)" = "$2" ] || fail "expected $2 lines of output, got $(wc -l <out)"
    shift 2
    grep -qv '^rdmapcap: ' err && fail "a message without our name"
    grep -q '[[:cntrl:]]' err && fail "a control character in a message"
    for text; do
        grep -qF -- "$text" err || fail "no message says: $text"
    done
}

case_truncated() {
    zcat "$good" | head -c 5000 >cut.pcap
    run dump cut.pcap
    expect 3 6 "cut.pcap: the file ends inside a record" "byte 4696"
    run stats -f json cut.pcap
    grep -q '"packets": 6' out || fail "what came before the damage is not reported"
    expect 3 "$(wc -l <out)" "byte 4696"
}

# Joined by cat, plain and compressed: the second header is no packet
case_joined() {
    zcat "$good" >one.pcap
    packets=$("$program" dump one.pcap | wc -l)
    size=$(wc -c <one.pcap)
    cat one.pcap one.pcap >two.pcap
    gzip -c one.pcap | cat - "$good" >two.pcap.gz
    for file in two.pcap two.pcap.gz; do
        run dump $file
        expect 3 "$packets" "$file: the header of another pcap file stands where a record should" \
            "pass them one by one" "byte $size"
    done
}

# A simple packet block has no time: that is unknown, not 1970
case_no_times() {
    {
        printf '\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x1c\0\0\0'
        printf '\x01\0\0\0\x14\0\0\0\x01\0\0\0\0\0\0\0\x14\0\0\0'
        printf '\x03\0\0\0\x1c\0\0\0\x0a\0\0\0abcdefghij\0\0\x1c\0\0\0'
    } >simple.pcapng
    run stats -f json simple.pcapng
    [ "$status" = 0 ] || fail "expected exit status 0"
    for key in first_time_ns last_time_ns duration_ns; do
        grep -q "\"$key\": null" out && grep -q "\"$key\": \"the file has no time" out ||
            fail "$key is not unknown with its reason"
    done
    run stats simple.pcapng
    grep -q '1970' out && fail "a time that is not there"
    grep -q '1 without times' out || fail "it is not said that there are no times"
}

case_no_times_to_check() {
    run check --max rtt_p99_us=1000000 "$here/../../captures/hand/finding-times-missing.pcapng"
    [ "$status" = 4 ] || fail "expected exit status 4"
    grep -q 'the file has no time for some packets' out || fail "it is not said why"
}

case_truncated_gzip() {
    head -c 3000 "$good" >cut.pcap.gz
    run dump cut.pcap.gz
    expect 3 "$(wc -l <out)" "cut.pcap.gz: " "byte 3000"
    [ -s out ] || fail "nothing was read before the damage"
}

case_truncated_header() {
    zcat "$good" | head -c 20 >head.pcap
    run stats head.pcap
    expect 3 0 "head.pcap: " "20 of 24 bytes"
    for size in 2 3; do
        printf '\x4d\x3c\xb2\xa1' | head -c $size >head.pcap
        run stats head.pcap
        expect 3 0 "head.pcap: ends inside its pcap file header ($size bytes are there)"
    done
    for size in 2 3 4 7 8 11; do
        printf '\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a' | head -c $size >head.pcapng
        run stats head.pcapng
        expect 3 0 "head.pcapng: ends inside its pcapng file header ($size bytes are there)"
    done
}

# Frames that are skipped belong to zst and to lz4; the first that is not tells which it is
case_nothing_compressed() {
    skipped='\x50\x2a\x4d\x18\x04\0\0\0abcd'
    printf "$skipped" >nothing
    run stats nothing
    expect 3 0 "nothing: is empty once it is decompressed (zst or lz4)"
    printf '\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0\x05\x5d\xcc\x02' >empty.lz4
    run stats empty.lz4
    expect 3 0 "empty.lz4: is empty once it is decompressed (lz4)"
    { printf "$skipped"; cat empty.lz4; } >skipped.lz4
    run stats skipped.lz4
    expect 3 0 "skipped.lz4: is empty once it is decompressed (lz4)"
    { printf "$skipped"; printf '\x28\xb5\x2f\xfd\x20\0\x01\0\0'; } >skipped.zst
    run stats skipped.zst
    expect 3 0 "skipped.zst: is empty once it is decompressed (zst)"
}

case_empty_file() {
    : >empty.pcap
    run dump empty.pcap
    expect 3 0 "empty.pcap: is empty"
}

case_directory() {
    mkdir folder
    run dump folder
    expect 3 0 "folder: is a directory"
}

case_text_file() {
    echo "no capture at all, only words" >notes.txt
    run stats notes.txt
    expect 3 0 "notes.txt: is a text file"
}

case_archives() {
    gzip -c "$good" >twice.gz
    run stats twice.gz
    expect 3 0 "twice.gz: is compressed twice (gz in gz)"
    tar -cf all.tar -C "$(dirname "$good")" "$(basename "$good")"
    gzip -k all.tar
    for archive in all.tar all.tar.gz; do
        run stats $archive
        expect 3 0 "$archive: is a tar archive; unpack it"
    done
}

case_odd_records() {
    # three packets of four bytes: one of 1.5 s behind the second, one with a wire length of three
    printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\1\0\0\0' >odd.pcap
    printf '\1\0\0\0\0\0\0\0\4\0\0\0\4\0\0\0abcd' >>odd.pcap
    printf '\1\0\0\0\140\343\26\0\4\0\0\0\4\0\0\0abcd' >>odd.pcap
    printf '\3\0\0\0\0\0\0\0\4\0\0\0\3\0\0\0abcd' >>odd.pcap
    run dump odd.pcap
    expect 0 3 "note: odd.pcap: frame 2 (byte 44) has a second or more behind the point" \
        "note: odd.pcap: frame 3 (byte 64) has more captured bytes than its length"
    gzip odd.pcap
    run dump odd.pcap.gz
    expect 0 3 "note: odd.pcap.gz: frame 2 (byte 44) has a second"
    run dump --quiet odd.pcap.gz
    [ ! -s err ] || fail "--quiet is not"
    for command in stats flows events; do
        run $command --quiet odd.pcap.gz
        tr '\n' ' ' <out | tr -s ' ' | grep -q "odd.pcap.gz: frame 3 (byte 64) has more captured" ||
            fail "$command --quiet hides what the file says of frame 3"
    done
    # ticks are seconds: the year 292 billion
    {
        printf '\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x1c\0\0\0'
        printf '\x01\0\0\0\x1c\0\0\0\x01\0\0\0\0\0\0\0\x09\0\x01\0\0\0\0\0\x1c\0\0\0'
        printf '\x06\0\0\0\x24\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x04\0\0\0\x04\0\0\0abcd\x24\0\0\0'
    } >odd.pcapng
    run stats --quiet -f json odd.pcapng
    grep -q '"id": "impossible-records"' out && grep -q "frame 1 (byte 56) has a time stamp that can't be" out ||
        fail "a time that can't be is hidden by --quiet"
}

case_missing_file() {
    run stats nowhere.pcap
    expect 3 0 "nowhere.pcap: there is no such file"
}

# One of two values would be lost; flags, lists and looks may be said again
case_option_twice() {
    run dump --bpf udp --bpf=tcp "$good"
    expect 2 0 "--bpf is given twice"
    run dump --frames 1 --frames 2 "$good"
    expect 2 0 "--frames is given twice"
    run events -c 1 --connection 2 "$good"
    expect 2 0 "--connection is given twice"
    run check --policy one --policy two "$good"
    expect 2 0 "--policy is given twice"
    run dump -q -q --bpf --bpf "$good"
    expect 2 0 "the filter expression is wrong"
    run dump --quiet -q -f json --format text --color always --color never --limit 5 -- "$good"
    expect 0 5
    run events -k gap -k nak "$good"
    expect 0 "$(wc -l <out)"
}

case_value_sticks_to_option() {
    run events -fjsonl -c1 "$good"
    cp out apart
    run events -f jsonl -c 1 "$good"
    cmp -s out apart || fail "-fjsonl is not -f jsonl"
    run stats -qfjson "$good"
    expect 0 "$(wc -l <out)"
    grep -q '"schema"' out || fail "-qfjson is not -q -f json"
    run stats -fxml "$good"
    expect 2 0 'no format "xml"'
    run stats -xf json "$good"
    expect 2 0 "Unknown option -x"
    run dump --limit -f "$good"
    expect 2 0 "--limit -f: give a decimal number"
}

# A program gets its object, whatever the files are
case_missing_file_json() {
    for files in nowhere.pcap "nowhere.pcap neither.pcap"; do
        for command in stats flows; do
            # shellcheck disable=SC2086
            run "$command" -f json --bpf udp $files
            expect 3 "$(wc -l <out)" "nowhere.pcap: there is no such file"
            grep -q '"partial": true' out && grep -q '^ *"nowhere.pcap: there is no' out ||
                fail "$command: no object that says so"
        done
    done
    run stats -f json --bpf 'no filter' nowhere.pcap
    expect 2 0 "the filter expression is wrong"
}

case_unreadable_file() {
    cp "$good" secret.pcap.gz
    chmod 0 secret.pcap.gz
    chmod 755 .
    as=
    # nothing is unreadable for root
    [ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
    $as "$program" version >out 2>err </dev/null || exit 77
    $as "$program" stats secret.pcap.gz >out 2>err </dev/null
    status=$?
    expect 3 0 "secret.pcap.gz: "
}

# Of several files, one that goes away after it was looked at and before its turn
case_vanishing_file() {
    cp "$good" first.pcap.gz
    mkfifo second
    # whoever opens the pipe for writing waits until it is looked at: first.pcap.gz was before
    { exec 3>second; rm first.pcap.gz; zcat "$good" >&3; } 2>/dev/null &
    run dump first.pcap.gz second
    expect 3 85 "first.pcap.gz: there is no such file"
    exec 3>&-
    wait
}

case_more_files_than_descriptors() {
    names=
    for i in $(seq 60); do
        cp "$good" "$i.pcap.gz"
        names="$names $i.pcap.gz"
    done
    (
        ulimit -n 32
        # shellcheck disable=SC2086
        exec "$program" dump $names >out 2>err </dev/null
    )
    status=$?
    expect 0 $((60 * 85))
}

case_read_error() {
    [ -r /proc/self/mem ] || exit 77
    run dump /proc/self/mem
    expect 3 0 "/proc/self/mem: reading it failed"
}

case_one_bad_file_of_two() {
    zcat "$good" | head -c 5000 >cut.pcap
    run dump cut.pcap "$good"
    expect 3 91 "cut.pcap: the file ends inside a record"
}

# What can't be read at all keeps nothing else from being read, whatever comes first
case_some_unreadable() {
    for files in "none.pcap $good" "$good none.pcap"; do
        run stats -f json $files
        expect 3 "$(wc -l <out)" "none.pcap: there is no such file"
        grep -q '"packets": 85' out || fail "what could be read is not reported"
        grep -q '"none.pcap: there is no such file' out || fail "the report does not name the file"
        run stats $files
        grep -q "^  in part  *A file can't be read" out || fail "the page trusts it"
        expect 3 "$(wc -l <out)" "none.pcap: there is no such file"
        run dump $files
        expect 3 85 "none.pcap: there is no such file"
        run check --together $files
        expect 3 1 "none.pcap: there is no such file"
    done
    mkdir folder
    for command in stats flows events dump "check --together"; do
        run $command none.pcap folder
        [ "$command" = "check --together" ] || expect 3 0 "none.pcap: there is no such file"
        [ "$status" = 3 ] || fail "unreadable"
    done
}

case_unknown_link_type() {
    # pcap header, link type 147 (user 0), one packet of four bytes
    printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\223\0\0\0' >user.pcap
    printf '\1\0\0\0\0\0\0\0\4\0\0\0\4\0\0\0abcd' >>user.pcap
    run dump user.pcap
    expect 0 1 "note: user.pcap: packets of link type 147" "no RDMA in user.pcap"
    run dump --quiet user.pcap
    expect 0 1
    [ ! -s err ] || fail "--quiet is not"
}

case_no_rdma() {
    printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\1\0\0\0' >arp.pcap
    printf '\1\0\0\0\0\0\0\0\74\0\0\0\74\0\0\0\0\0\0\0\0\1\0\0\0\0\0\2\10\6' >>arp.pcap
    head -c 46 /dev/zero >>arp.pcap
    run stats arp.pcap
    expect 0 "$(wc -l <out)" "no RDMA in arp.pcap; packets: ARP 1" "sniffer" "--rocev2-port"
}

case_file_name_with_controls() {
    name=$(printf 'x\033[31m\nrdmapcap: y.pcap')
    : >"$name"
    run dump "$name"
    expect 3 0 'x\x1b[31m\x0ardmapcap: y.pcap: is empty'
    [ "$(wc -l <err)" = 1 ] || fail "a file name made a line of its own"
}

case_full_disk() {
    [ -w /dev/full ] || exit 77
    for command in dump "dump -f jsonl" "dump -f csv" stats "stats -f json" help version; do
        file=$good
        case $command in help | version) file= ;; esac
        "$program" $command $file >/dev/full 2>err
        status=$?
        : >out
        expect 3 0 "standard output: no space left"
    done
}

case_closed_pipe() {
    # more than a pipe holds, so that the writer is there when the reader goes
    { "$program" dump -q -v "$good" "$good" "$good" 2>err; echo $? >status; } | head -n 1 >out
    status=$(cat status)
    expect 3 1
    [ ! -s err ] || fail "a closed pipe is no news"
}

case_file_size_limit() {
    (ulimit -f 1 && exec "$program" dump "$good" >large 2>err)
    status=$?
    : >out
    expect 3 0 "standard output: can't write: File too large"
}

case_closed_output() {
    "$program" dump "$good" >&- 2>err
    status=$?
    : >out
    expect 3 0 "standard output: can't write"
}

case_usage() {
    run
    expect 2 0 "no command given"
    run frobnicate
    expect 2 0 'no command "frobnicate"'
    run dump
    expect 2 0 "no FILE given"
    run dump --frobnicate "$good"
    expect 2 0 "--frobnicate" "rdmapcap help dump"
    run dump --format xml "$good"
    expect 2 0 '"xml"' "text jsonl csv"
    run dump --bpf 'no such filter' "$good"
    expect 2 0 "filter expression"
    run dump --limit 0 "$good"
    expect 2 0 "--limit"
    run dump --threads 0 "$good"
    expect 2 0 "--threads"
    run dump --width 1 "$good"
    expect 2 0 "--width"
    run dump --rocev2-port 65536 "$good"
    expect 2 0 "--rocev2-port 65536"
    run dump --link-rate fast "$good"
    expect 2 0 "--link-rate fast"
    run dump --color blue "$good"
    expect 2 0 "--color blue"
    run help frobnicate
    expect 2 0 'no command "frobnicate"'
}

# A number is decimal, with nothing before or behind it, and in its range
case_frames() {
    for frames in 0 1, ,1 1-2-3 9-3 -1 1.5 x 18446744073709551616 '' ' '; do
        run dump --frames "$frames" "$good"
        expect 2 0 "--frames"
    done
    run dump --frames 1000000 "$good"
    expect 0 0 "no such frame"
}

case_numbers() {
    for wrong in 0 -1 -2 +1 010 0x10 1e3 1.5 " 1" "1 " 1x x "" 18446744073709551616; do
        for option in --limit --threads --width --rocev2-port; do
            run dump $option "$wrong" "$good"
            expect 2 0 "$option $wrong" "give a decimal number from"
        done
        for option in --top --connection; do
            run flows $option "$wrong" "$good"
            expect 2 0 "$option $wrong" "give a decimal number from 1"
        done
        run events --connection "$wrong" "$good"
        expect 2 0 "--connection $wrong" "from 1 to 4294967295"
    done
    run dump --threads 1025 "$good"
    expect 2 0 "--threads 1025" "from 1 to 1024"
    run dump --width 39 "$good"
    expect 2 0 "--width 39" "from 40 to 1000"
    for wrong in 010 0x10 +1 " "; do
        run check --max "psn_gaps=$wrong" "$good"
        expect 2 0 "--max: psn_gaps: " "give a decimal number from 0"
        run check --expect-dscp "$wrong" "$good"
        expect 2 0 "--expect-dscp: "
    done
    run dump --limit 18446744073709551615 --threads 1024 --width 1000 --rocev2-port 65535 "$good"
    expect 0 85
    run dump --limit 7 "$good"
    expect 0 7
}

case_check_usage() {
    run check
    expect 2 0 "no FILE given"
    run check --format csv "$good"
    expect 2 0 '"csv"' "text json junit sarif github"
    for limit in psn_gaps psn_gaps= psn_gaps=x psn_gaps=-1 psn_gaps=1e999 psn_gaps=nan dscp=3; do
        run check --max "$limit" "$good"
        expect 2 0 "--max: "
    done
    run check --max lost_gaps=0 "$good"
    expect 2 0 '"lost_gaps"' "rdmapcap check --list"
    run check --expect-dscp 64 "$good"
    expect 2 0 "--expect-dscp" "0 to 63"
    run check --expect-pcp 3,8 "$good"
    expect 2 0 "--expect-pcp" "0 to 7"
    run check --bpf 'no such filter' "$good"
    expect 2 0 "filter expression"
    run check --policy none.policy "$good"
    expect 2 0 "none.policy"
    printf '# text\n[limits]\npsn_gaps=0\n\nlost_gaps=0\n' >wrong.policy
    run check --policy wrong.policy "$good"
    expect 2 0 "wrong.policy:5: " '"lost_gaps"'
    run check --list --max x=1
    expect 0 "$(wc -l <out)"
}

case_check_statuses() {
    captures=$here/../../captures
    lossy=$captures/sim/loss_receiver_tap.pcap.gz
    datagrams=$captures/sim/ud.pcap.gz
    zcat "$lossy" | head -c 60000 >cut.pcap
    for format in text json junit sarif github; do
        run check -f $format "$good"
        expect 0 "$(wc -l <out)"
        run check -f $format "$good" "$datagrams"
        expect 4 "$(wc -l <out)"
        run check -f $format "$good" "$datagrams" "$lossy"
        expect 1 "$(wc -l <out)"
        run check -f $format cut.pcap "$good" "$datagrams" "$lossy"
        expect 3 "$(wc -l <out)" "cut.pcap: the file ends inside a record"
        grep -q 'psn_gaps' out || fail "what came before the damage is not judged ($format)"
        case $format in sarif) ;; *) grep -q damaged out || fail "not damaged ($format)" ;; esac
        run check -f $format none.pcap "$good"
        expect 3 "$(wc -l <out)" "none.pcap: there is no such file"
        ! grep -q damaged out || fail "what is not there is not damaged ($format)"
        case $format in sarif) ;; *) grep -q unreadable out || fail "readable? ($format)" ;; esac
        [ $format != junit ] || ! command -v xmllint >/dev/null || xmllint --noout out ||
            fail "no XML"
        run check -f $format none.pcap --max x=1
        expect 2 0 '"x"'
    done
    run check --max psn_gaps=1 --max naks=1 --max retransmitted_pct=50 "$lossy"
    expect 0 1
    run check --max psn_gaps=1 --defaults "$lossy"
    expect 1 3
}

case_check_no_rdma() {
    printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\223\0\0\0' >user.pcap
    printf '\1\0\0\0\0\0\0\0\4\0\0\0\4\0\0\0abcd' >>user.pcap
    run check user.pcap
    expect 4 1 "no RDMA"
    grep -q "undecided user.pcap: can't decide: there is no RDMA" out || fail "not undecided"
    run check --max pause_frames=0 user.pcap
    expect 4 1 "no RDMA"
    run check -f github user.pcap
    grep -q '^::error file=user.pcap,title=rdmapcap undecided::' out || fail "no annotation"
}

case_check_full_disk() {
    [ -w /dev/full ] || exit 77
    "$program" check "$good" >/dev/full 2>err
    status=$?
    : >out
    expect 3 0 "standard output: no space left"
}

# The commands at the end of the page are about the same packets, whatever the file is called.
case_page_commands() {
    zcat "$here/../../captures/sim/same_qpn.pcap.gz" >"-odd name.pcap"
    run stats --bpf 'host 10.1.0.13' --limit 5000 --rocev2-port 4793 --reorder-window 50us --width 300 \
        -- "-odd name.pcap"
    expect 0 "$(wc -l <out)"
    next=$(sed -n 's/^ *rdmapcap flows/flows/p' out)
    eval "run $next"
    expect 0 "$(wc -l <out)"
    grep -q '10.1.0.14 qp 283' out || fail "another connection: $next"
}

case_rates() {
    for rate in 100G 100g "100 G" 1e11 25Gbit/s 0.4Tbps 400000M 10000000000 56Gb; do
        run stats --link-rate "$rate" "$good"
        expect 0 "$(wc -l <out)"
    done
    for rate in 0 100 999k -1G 100Q 100GG '' 1e300G nan inf 0.1 0x10G +1G 010G; do
        run stats --link-rate "$rate" "$good"
        expect 2 0 "not a rate"
    done
}

case_times() {
    for time in 50us 1.5ms 800ns '2 s'; do
        run stats --reorder-window "$time" "$good"
        expect 0 "$(wc -l <out)"
    done
    for time in 0 50 -1us 1e9s 0.1ns nan inf us ''; do
        run stats --reorder-window "$time" "$good"
        expect 2 0 "not a time"
    done
}

case_standard_input() {
    zcat "$good" | "$program" dump - >out 2>err
    status=$?
    expect 0 85
    zcat "$good" | head -c 5000 | "$program" dump - >out 2>err
    status=$?
    expect 3 6 "standard input: the file ends inside a record"
}

case_help_fits_the_screen() {
    for command in stats flows events check dump findings version; do
        run help $command
        expect 0 "$(wc -l <out)"
        [ "$(awk 'length > 80' out)" = "" ] || fail "help $command is wider than 80 columns"
        [ "$(wc -l <out)" -le 40 ] || fail "help $command is longer than a screen"
        grep -q '^Example:' out || fail "help $command has no example"
        cp out help
        run $command --help
        cmp -s out help || fail "$command --help and help $command differ"
    done
}

# Every command takes the shared options; its help shows those that do something there
case_help_lists_what_applies() {
    while read -r command absent; do
        run help $command
        for option in $absent; do
            ! grep -q -- " $option\b" out || fail "help $command shows $option"
        done
        case $command in findings) arguments=--list ;; version) arguments= ;; *) arguments=$good ;; esac
        run $command --bpf udp --limit 5 --rocev2-port 5000 --link-rate 1G --all --threads 1 \
            --width 90 --color never --quiet --no-sandbox $arguments
        expect 0 "$(wc -l <out)"
    done <<'END'
stats
flows
events --link-rate --all --width --color
check --link-rate --width
dump --link-rate --all --width
findings --link-rate --all --bpf --limit --rocev2-port --threads --quiet --no-sandbox
version --link-rate --all --bpf --limit --rocev2-port --threads --quiet --no-sandbox --width --color
END
    run help
    expect 0 "$(wc -l <out)"
    grep -q 'compressed (gz, zst, lz4)' out || fail "help does not name the compressions"
    grep -q 'libwiretap, all that Wireshark opens' out || fail "help does not name other formats"
}

# What a command can't use is a mistake, never ignored
# What is typed is told back, but not all of it where it is very long: its ends, whole characters
case_long_values() {
    export LC_ALL=C.UTF-8
    long=$(printf 'x%.0s' $(seq 3000))end
    words=$(printf 'xyz %.0s' $(seq 9000))end
    for value in "$long" "$words" $'\033['"$long"; do
        for option in --bpf --max --limit --link-rate --format --color --rocev2-port --threads --policy --expect-dscp; do
            run check "$option" "$value" "$good"
            [ "$status" = 2 ] || fail "$option: expected exit status 2"
            [ "$(wc -c <err)" -lt 5000 ] || fail "$option: $(wc -c <err) bytes of message"
            grep -q '[[:cntrl:]]' err && fail "$option: a control character"
        done
    done
    run check --max "$long" "$good"
    expect 2 0 'xx[... 2765 bytes ...]xx' 'end" is no limit; write NAME=VALUE'
    run stats "$long"
    expect 3 0 'xx[... 2764 bytes ...]xx' 'xend: '
    wide=$(printf 'é%.0s' $(seq 3000))end
    for name in "$wide" x"$wide" $'\033['"$wide"; do
        run stats "$name"
        expect 3 0 'éé[... ' ' bytes ...]éé' 'end: '
        iconv -f UTF-8 -t UTF-8 err >/dev/null || fail "a character was cut"
    done
    grep -qF '\x1b[éé' err || fail "no escape is shown"
    run "$long"
    expect 2 0 'bytes ...]'
}

case_one_too_many() {
    run findings
    expect 2 0 "findings: say --list"
    run findings "$good"
    expect 2 0 "no FILE is read here"
    run findings --list "$good"
    expect 2 0 "findings --list: " "no FILE is read here"
    run check --list "$good"
    expect 2 0 "check --list: " "no FILE is read here"
    for format in junit sarif github; do
        run check --list --format $format
        expect 2 0 "check --list: " "text json"
    done
    run flows --connection 99 -f json "$good"
    expect 2 0 "--connection 99: no such connection"
    run events --connection 99 -f csv "$good"
    expect 2 0 "--connection 99: no such connection"
    for flag in --all --quiet --help --no-sandbox --rdma --verbose; do
        run dump $flag=no "$good"
        expect 2 0 "$flag=no: $flag takes no value"
    done
    run check --defaults=no "$good"
    expect 2 0 "--defaults=no: --defaults takes no value"
    run check --list=no
    expect 2 0 "--list=no: --list takes no value"
    run stats -- --all=no
    expect 3 0 "--all=no: there is no such file"
    run stats "$good" ""
    expect 2 0 "a FILE has an empty name"
    run version "$good"
    expect 2 0 "version: " "no FILE is read here"
    run --version "$good"
    expect 2 0 "version: " "no FILE is read here"
    run help dump stats
    expect 2 0 '"stats" is one too many'
    for command in stats flows events check dump "check --together"; do
        run $command - "$good" -
        expect 2 0 "standard input is named twice"
    done
}

case_names_that_were_meant() {
    for kinds in "" , gap, ,gap " "; do
        run events --kind "$kinds" "$good"
        expect 2 0 "no such kind of event. See: rdmapcap help events"
    done
    while read -r word meant; do
        run events --kind "gap,$word" "$good"
        expect 2 0 "\"$word\"" "did you mean $meant? See: rdmapcap help events"
    done <<'END'
GAP gap
rnr-nak rnr_nak
retransmision retransmission
retrans retransmission or tcp_retransmission
END
    run events --kind pfc-storm "$good"
    expect 2 0 "no such kind of event. See:"
    run events --kind "$(printf 'a%.0s' {1..200})" "$good"
    expect 2 0 "no such kind of event. See:"
    run stat "$good"
    expect 2 0 'no command "stat"; did you mean stats?'
    run help evnets
    expect 2 0 'no command "evnets"; did you mean events?'
}

"case_$2"
