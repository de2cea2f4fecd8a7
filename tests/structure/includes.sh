#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Includes point one way. Each room of the tree may include only the rooms of its rule, and the
# core only headers of the C library that bring no I/O and no allocation. Run in the project's folder.
set -u

# FOLDER-OR-FILE: what the first part of an include's path may be; the longest match rules
rules='
dissector/include/rdc   rdc
dissector/wire          rdc wire
dissector/link          rdc wire link
dissector/link/peel.c   rdc wire link ib ethernet iwarp
dissector/link/plain.c  rdc wire link ib
dissector/link/brief.c  rdc wire link ib
dissector/ib            rdc wire ib
dissector/ethernet      rdc wire ethernet
dissector/iwarp         rdc wire iwarp
analyzer/flow           rdc flow
analyzer/capture        rdc capture
analyzer/analysis       rdc flow analysis report
analyzer/report         rdc report
analyzer/render         rdc flow report render
analyzer/cmd            rdc flow capture analysis report render cmd
analyzer/main.c         rdc flow capture analysis report render cmd
plugin                  rdc flow analysis report render plugin
'
core_system='stdbool.h stddef.h stdint.h string.h limits.h immintrin.h nmmintrin.h wmmintrin.h cpuid.h'

find dissector analyzer plugin -name '*.[ch]' 2>/dev/null | sort |
    xargs awk -v rules="$rules" -v core_system="$core_system" '
    function rule_of(path,    at, best) {
        for (at in allowed)
            if (index(path, at) == 1 && length(at) > length(best))
                best = at
        return best
    }
    function wrong(why) {
        printf "%s:%d: %s\n", FILENAME, FNR, why
        failed = 1
    }
    BEGIN {
        count = split(rules, line, "\n")
        for (i = 1; i <= count; i++)
            if (split(line[i], word, " ") > 1) {
                allowed[word[1]] = line[i] " "
                sub(/^[^ ]+/, "", allowed[word[1]])
            }
        core_system = " " core_system " "
    }
    FNR == 1 {
        rule = rule_of(FILENAME)
        if (rule == "")
            wrong("no rule for this folder")
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, part, "\"")
        room = part[2]
        if (room ~ /^\.\.?\//)
            wrong("path with dots: " room)
        else if (sub(/\/.*/, "", room) && index(allowed[rule], " " room " ") == 0)
            wrong(rule " must not include " part[2])
    }
    /^[ \t]*#[ \t]*include[ \t]*</ {
        header = $0
        sub(/^[^<]*</, "", header)
        sub(/>.*/, "", header)
        if (FILENAME ~ /^dissector\// && index(core_system, " " header " ") == 0)
            wrong("the core must not include <" header ">")
        if (FILENAME ~ /^analyzer\/flow\// && header ~ /^(glib|json-glib|pcap|stdio|gio)/)
            wrong("the engine must not include <" header ">")
        if (header ~ /^pcap/ && FILENAME !~ /^analyzer\/(capture|cmd|main\.c)/)
            wrong("only the capture sources know libpcap")
    }
    END { exit failed }' || exit 1
