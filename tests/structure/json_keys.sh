#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# json_keys.sh RDMAPCAP: docs/json.md explains every key that the command writes about these captures
# (which together show them all), in the section of the command or in the one of all commands, and no
# key that nothing writes. Names that are data (opcodes, protocols) have no lower-case letters first, or
# stand in the list below. Run in the project's folder.
set -u

captures='hand/finding-rnr-gives-up.pcap sim/cm.pcap.gz siw/siw_terminate_badread.A.pcap.gz
    hand/finding-mtu-trouble.pcap sim/ecn_incast.pcap.gz sim/ib_erf.pcap.gz hand/finding-cm-unanswered.pcap
    hand/finding-second-mac.pcap rxe/rc_mixed_loss2.A.pcap.gz hand/finding-fragments.pcap
    hand/finding-path-change.pcap siw/siw_ops_nocrc.A.pcap.gz hand/finding-msn-gap.pcap
    hand/finding-zero-window.pcap sim/rocev1.pcap.gz'
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Keys that a command writes
written() {
    case $1 in
    stats | check) for c in $captures; do "$program" $1 -q -f json "captures/$c" 2>/dev/null; done ;;
    flows) for c in $captures; do "$program" flows -q -c 1 -f json "captures/$c" 2>/dev/null; done ;;
    events) for c in $captures; do "$program" events -q -f jsonl "captures/$c"; done ;;
    findings) "$program" findings --list -f json ;;
    esac | grep -o '"[a-z][a-z0-9_]*":' | tr -d '":' | sort -u
}

# Keys that a section of the page names
named() {
    awk -v section="## $1" '/^## /{ on = $0 == section } on' docs/json.md |
        sed 's/^| \([^|]*\)|\(.*\)/\1 \2/' | grep -o '`[a-z][a-z0-9_]*`' | tr -d '`' | sort -u
}

named Everywhere >"$work/all"
for command in stats flows events check findings; do
    written $command >"$work/written"
    [ "$(wc -l <"$work/written")" -gt 5 ] || { echo "$command: no keys"; failed=1; }
    { named $command; cat "$work/all"; } | sort -u >"$work/named"
    # what `stats` sums up is what `flows` explains
    [ $command = stats ] && { named flows; cat "$work/named"; } | sort -u >"$work/both" && mv "$work/both" "$work/named"
    missing=$(comm -23 "$work/written" "$work/named")
    [ -z "$missing" ] || { echo "docs/json.md, $command: not explained:" $missing; failed=1; }
    cat "$work/written" >>"$work/ever"
done

# The row of `totals` names its sums, all of them
"$program" stats -q -f json captures/rxe/rc_mixed_loss2.A.pcap.gz | sed -n '/^  "totals"/,/^  }/s/^    "\([a-z_]*\)".*/\1/p' |
    grep -vx unknown | sort >"$work/sums"
sed -n 's/^| `totals` |//p' docs/json.md | grep -o '`[a-z][a-z0-9_]*`' | tr -d '`' | grep -vx flows | sort >"$work/named"
diff "$work/sums" "$work/named" || { echo "docs/json.md: not the sums of totals (<: written, >: named)"; failed=1; }

# The first column of a row holds nothing but keys
sort -u "$work/ever" >"$work/written"
sed -n 's/^| \(`[^|]*\)|.*/\1/p' docs/json.md | grep -o '`[a-z][a-z0-9_]*`' | tr -d '`' | sort -u >"$work/rows"
stale=$(comm -13 "$work/written" "$work/rows" | grep -v '^pfc_frames_not_counted$')
[ -z "$stale" ] || { echo "docs/json.md: nothing writes:" $stale; failed=1; }
exit $failed
