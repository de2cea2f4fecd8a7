#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts the FPDUs that rdmapcap finds in a capture, and its losses, and compares them with iwarp.txt.

    iwarp.py RDMAPCAP CAPTURE

Exit status: 0 equal, 1 differences (printed), 2 usage, 77 the table does not know the capture.
"""
import json
import os
import re
import subprocess
import sys
from collections import Counter


def lines(*args):
    return map(json.loads, subprocess.run(args, stdout=subprocess.PIPE, check=True).stdout.splitlines())


def expected(name):
    with open(os.path.join(os.path.dirname(__file__), "iwarp.txt")) as f:
        for row in f:
            words = row.split()
            if words and words[0] == name:
                return Counter({k: int(v) for k, v in (w.split("=") for w in words[1:])})
    return None


def found(tool, capture):
    n = Counter()
    for packet in lines(tool, "dump", "-f", "jsonl", capture):
        for fpdu in packet.get("fpdus", ()):
            n[fpdu["rdmap_name"].replace(" ", "_")] += 1
            if fpdu["crc"] is not None:
                n[fpdu["crc"]] += 1
    for event in lines(tool, "events", "-f", "jsonl", capture):
        if event["kind"] == "tcp_retransmission" and event["original_frame"] is not None:
            n["resent"] += 1
    return n


def flows(tool, capture):
    """Losses by direction, and bytes by STag"""
    answer = subprocess.run((tool, "flows", "-f", "json", capture), stdout=subprocess.PIPE, check=True)
    report = json.loads(answer.stdout)
    n = Counter()
    for connection in report["connections"]:
        for way in ("a_to_b", "b_to_a"):
            for place in ("before", "after"):
                n["%s_%s" % (place, way)] += connection[way]["lost_%s_tap" % place]
    for row in report.get("stags", ()):
        if row["buffer_of"] != row["named_by"]:
            n["written_" + row["stag"]] += row["write_bytes"]
            n["to_read_" + row["stag"]] += row["read_bytes"]
            n["answered_" + row["stag"]] += row["read_answer_bytes"]
    return n


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    tool, capture = sys.argv[1:]
    name = re.sub(r"\.pcap(ng)?(\.gz)?$", "", os.path.basename(capture))
    want = expected(name)
    if want is None:
        return 77
    have = found(tool, capture)
    asked = {key.split("_")[0] for key in want}
    have += Counter({key: n for key, n in flows(tool, capture).items() if key.split("_")[0] in asked})
    wrong = 0
    for key in sorted(set(want) | set(have)):
        cut = key in ("ok", "bad", "off") and not any(k in want for k in ("ok", "bad", "off"))
        if want[key] != have[key] and not cut:
            print("%s: %s: %d expected, %d found" % (name, key, want[key], have[key]))
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
