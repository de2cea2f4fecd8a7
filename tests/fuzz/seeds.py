#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""seeds.py FOLDER CAPTURE...: inputs of wire_fuzz.c from captures (pcap, plain or gz).

Of each capture, some runs of frames, each an input of at most SIZE bytes. Those that reach what
others don't are worth keeping: wire_fuzz -merge=1 KEPT FOLDER.
"""
import gzip
import os
import struct
import sys

SIZE = 12000  # bytes of an input
PARTS = 4  # of a capture
LINKS = {1: 0, 113: 1, 276: 2, 197: 3, 101: 4, 247: 5}  # as in wire_fuzz.c


def frames(path, whole):
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">"}
    if data[:4] not in order:
        return None, []
    mark = order[data[:4]]
    tick = 1 if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    link = struct.unpack(mark + "I", data[20:24])[0] & 0xffff
    at, out, before = 24, [], None
    while at + 16 <= len(data):
        seconds, fraction, size, wire = struct.unpack(mark + "IIII", data[at:at + 16])
        now = seconds * 10**9 + fraction * tick
        step = max(0, min(31, (now - (before if before is not None else now)).bit_length() - 1))
        before = now
        kept = size if whole else min(size, 120)  # payloads of RoCE tell nothing
        cut = min(255, (max(0, wire - kept) + 15) // 16)
        out.append(struct.pack("<HBB", kept, step, cut) + data[at + 16:at + 16 + kept])
        at += 16 + size
    return link, out


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for path in sys.argv[2:]:
        link, all_of = frames(path, "siw" in path)
        if link not in LINKS or not all_of:
            continue
        name = os.path.basename(path).split(".pcap")[0].replace(".", "-").replace("_", "-")
        kind = os.path.basename(os.path.dirname(path))
        for part in range(PARTS):
            start = len(all_of) * part // PARTS
            body = b""
            while start < len(all_of) and len(body) + len(all_of[start]) <= SIZE:
                body += all_of[start]
                start += 1
            if body:
                with open(f"{folder}/{kind}-{name}-{part}", "wb") as file:
                    file.write(bytes([LINKS[link], 0]) + body)
            if start >= len(all_of):
                break


main()
