#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""measure.py BUILD: the table of docs/reliability.md that says what hostile captures cost, in one thread:
processor time (the least of three runs) and peak of resident memory."""
import os
import subprocess
import sys
import tempfile

ROWS = (
    ("new_qp", 20000, "20,000 connections", ("stats", "flows")),
    ("new_qp", 200000, "200,000 connections", ("stats", "flows", "check")),
    ("addresses", 100000, "100,000 connections", ("stats",)),
    ("setups", 100000, "100,000 requests", ("stats",)),
    ("losses", 100000, "300,000 packets, an event or more each", ("events",)),
    ("open_messages", 100000, "100,000 packets of 50,000 connections", ("flows",)),
    ("encapsulations", 100000, "100,000 packets", ("flows",)),
    ("new_tcp", 400000, "400,000 segments of 100,000 connections", ("stats",)),
    ("tcp_holes", 100000, "100,000 segments, 512 streams", ("stats", "dump -f csv")),
    ("nested", 500, "500 packets of 60,000 bytes of headers", ("stats",)),
    ("times", 100000, "100,000 packets", ("stats",)),
    ("sizes", 300, "300 packets of nothing or 256 KiB", ("stats",)),
    ("resolutions", 100000, "100,000 packets", ("stats",)),
    ("pauses", 100000, "100,000 PFC frames of as many senders", ("stats",)),
    ("interfaces", 1000000, "1,000,000", ("stats", "stats -f json", "check")),
    ("names", 20000, "64 MiB of them", ("stats",)),
)


def measure(program, command, path):
    with subprocess.Popen([program, *command.split(), "--threads", "1", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 3, 4):
        sys.exit(f"{command} {path}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    build = sys.argv[1]
    print("| capture | command | processor time | memory |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "capture")
        for name, count, what, commands in ROWS:
            with open(path, "wb") as out:
                subprocess.run([os.path.join(build, "tests/adversary"), name, str(count)], stdout=out, check=True)
            for command in commands:
                runs = [measure(os.path.join(build, "rdmapcap"), command, path) for _ in range(3)]
                print(f"| {name}, {what} | {command} | {min(r[0] for r in runs):.1f} s | {max(r[1] for r in runs):.0f} MiB |",
                      flush=True)


main()
