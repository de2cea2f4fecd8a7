#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""walks.py PROGRAM ADVERSARY NAME COUNT: COUNT rounds of hostile capture NAME, whose packets walk a list
each. Such a packet may cost at most LIMIT times as much as one of an ordinary capture; of more than PART
bytes, which may have to be searched, it counts as several.

What is measured is processor time in the program, not the clock, and the best of several runs.
"""
import struct
import sys
import tempfile

from growth import user_seconds, write

LIMIT = 20
PART = 500
COMMAND = ("stats", "--quiet", "--threads", "1")
ORDINARY = 100000  # rounds: enough to be measured


def sizes(path):
    """Of the packets in a pcap or pcapng file"""
    with open(path, "rb") as capture:
        if capture.read(4) == b"\x0a\x0d\x0d\x0a":
            capture.seek(0)
            while header := capture.read(8):
                kind, size = struct.unpack("<2I", header)
                if kind == 6:
                    yield size - 32
                capture.seek(size - 8, 1)
            return
        capture.seek(24)
        while header := capture.read(16):
            size = struct.unpack("<4I", header)[2]
            yield size
            capture.seek(size, 1)


def units(path):
    """Packets, the large ones as several"""
    return sum(1 + (size - 1) // PART for size in sizes(path))


def nanoseconds(program, path, runs):
    """Of each packet, in the fastest run"""
    return min(user_seconds([program, *COMMAND, path]) for _ in range(runs)) * 1e9 / units(path)


def main():
    program, adversary, name, count = *sys.argv[1:4], int(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        ordinary = write(adversary, "ordinary", ORDINARY, folder)
        hostile = write(adversary, name, count, folder)
        for _ in range(3):  # again only where it looks bad
            base = nanoseconds(program, ordinary, 2)
            spent = nanoseconds(program, hostile, 1)
            if spent <= LIMIT * base:
                break
        print(f"{name}: {spent:.0f} ns for each packet, ordinary {base:.0f} ns, "
              f"{spent / base:.1f} times as much, at most {LIMIT}")
    return spent > LIMIT * base


if __name__ == "__main__":
    sys.exit(main())
