#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# limits.sh: the limits that SECURITY.md states are those of the code. A row: the file, what is in it,
# what SECURITY.md says. Run in the project's folder.
set -u
failed=0

same() {
    grep -qF -- "$2" "$1" || { echo "$1: not there: $2; does SECURITY.md still say the truth?"; failed=1; }
    grep -qF -- "$3" SECURITY.md || { echo "SECURITY.md: not there: $3"; failed=1; }
}

same analyzer/capture/source.h "SOURCE_MAX_RECORD = 16 << 20" "| a record or block | 16 MiB; pcap: 256 KiB"
same analyzer/capture/source.h "SOURCE_USUAL_RECORD = 256 << 10" "256 KiB or the snap length"
same analyzer/capture/source.h "SOURCE_MAX_INTERFACES = 1 << 20" "| interfaces of all files | 1,048,576;"
same analyzer/capture/source.h "SOURCE_MAX_TEXT = 512" "512 bytes each"
same analyzer/capture/source.h "SOURCE_MAX_TEXTS = 64 << 20" "64 MiB of a file"
same analyzer/capture/wiretap.c "MAX_FACES = 1024," "| interfaces of a file that libwiretap reads | 1,024 |"
same analyzer/capture/wiretap.c "MAX_EVENTS = 1000," "1,000 records before the first packet"
same analyzer/capture/expand.c "EXPAND_BLOCKS = 4," "ahead of the reader | 4 MiB"
same analyzer/capture/expand.c "EXPAND_BLOCK = 1 << 20," "ahead of the reader | 4 MiB"
same analyzer/analysis/check/policy_file.c "MAX_POLICY = 64 << 10" "| a policy | 64 KiB |"
same analyzer/flow/engine.c "DEFAULT_STATE_BYTES ((uint64_t)768 << 20)" "pairs of hosts | 768 MiB |"
same analyzer/flow/engine.c "DEFAULT_HELD_BYTES ((uint64_t)256 << 20)" "| bytes held of TCP streams | 256 MiB |"
same analyzer/analysis/rounds.c "BYTES_MAX ((size_t)64 << 20)" "kept by \`stats\` | 64 MiB |"
same analyzer/analysis/event_log.c "ROUNDS_MAX = 1 << 21" "\`flows --connection\` | 2 Mi |"
same analyzer/analysis/event_log.c "CHUNK = 32768" "| events in memory | 32,768 |"
same analyzer/analysis/incast.c "TARGETS_MAX = 1 << 16" "for incast by \`stats\` | 65,536;"
same analyzer/analysis/incast.c "PAIRS_MAX = 1 << 20" "65,536; 1,048,576 |"
same analyzer/analysis/setup.c "EXCHANGES_MAX = 1 << 20" "| connection set-ups kept by \`stats\` | 1,048,576 |"
same analyzer/analysis/pause.c "MAX_SOURCES = 4096" "| ports that pause | 4,096 |"
same analyzer/cmd/feed.c "UNTIMED_SPANS = 1 << 16" "| stretches of packets without a time | 65,536 |"
same dissector/include/rdc/brief.h "RDC_CONTEXTS = 1 << 18" "in brief (\`stats\`, \`flows\`, \`check\`) | 262,143;"
same dissector/include/rdc/brief.h "RDC_ROUTES = 1 << 16" "of packets that are told in brief | 65,535;"
same analyzer/cmd/feed_ring.c "BLOCKS = 16" "between two threads | 16 blocks of 256"
same analyzer/cmd/feed_read.h "FEED_BLOCK = 256" "16 blocks of 256"
exit $failed
