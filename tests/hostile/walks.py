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


def units(path):
    """Packets in a pcap file, the large ones as several"""
    count = 0
    with open(path, "rb") as capture:
        capture.seek(24)
        while header := capture.read(16):
            size = struct.unpack("<4I", header)[2]
            count += 1 + (size - 1) // PART
            capture.seek(size, 1)
    return count


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
