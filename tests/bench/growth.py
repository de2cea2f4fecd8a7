#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""growth.py [BUILD-FOLDER] [--quick]: what `rdmapcap stats` takes as captures grow: CPU time and
memory against packets, connections, loss; wall time against threads. Prints a table in Markdown.

Captures are made while they are read, through a pipe; only rows of threads read a file."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 3
SLICE = ["-S", "128", "-c", "1", "-C", "20"]


def build_folder():
    names = [a for a in sys.argv[1:] if not a.startswith("-")]
    return names[0] if names else "build/release"


def generate(build, packets, connections, loss, out):
    return [f"{build}/tests/rdmagen", *SLICE, "-n", str(packets), "-f", str(connections),
            "-l", str(loss), "-o", out]


def measure(command, stdin=None):
    """CPU seconds, wall seconds and highest resident KiB of a command"""
    start = time.monotonic()
    child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss


def through_pipe(build, packets, connections, loss):
    maker = subprocess.Popen(generate(build, packets, connections, loss, "/dev/stdout"),
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    took = measure([f"{build}/rdmapcap", "stats", "--quiet", "--threads", "1", "-"], maker.stdout)
    maker.stdout.close()
    maker.wait()
    return took


def grow(build, title, rows):
    print(f"\n| {title} | packets | connections | loss, % | ns a packet (CPU) | packets/s "
          "| resident, MiB |\n|---|---|---|---|---|---|---|", flush=True)
    for packets, connections, loss in rows:
        runs = [through_pipe(build, packets, connections, loss)
                for _ in range(RUNS if packets <= 1000000 else 1)]
        cpu = statistics.median(r[0] for r in runs)
        print(f"| | {packets:,} | {connections:,} | {loss} | {cpu / packets * 1e9:.0f} "
              f"| {packets / cpu:,.0f} | {max(r[2] for r in runs) / 1024:.0f} |", flush=True)


def threads(build, packets):
    print("\n| threads | packets | wall, s | of one thread |\n|---|---|---|---|")
    with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
        subprocess.run(generate(build, packets, 1000, 0.1, capture.name), check=True,
                       stderr=subprocess.DEVNULL)
        command = [f"{build}/rdmapcap", "stats", "--quiet", capture.name, "--threads"]
        walls = {n: [] for n in (1, 2, 3, 8)}
        for _ in range(5):
            for n, taken in walls.items():
                taken.append(measure([*command, str(n)])[1])
        one = statistics.median(walls[1])
        for n, taken in walls.items():
            wall = statistics.median(taken)
            print(f"| {n} | {packets:,} | {wall:.2f} | {wall / one:.2f} |", flush=True)


def main():
    build = build_folder()
    scale = 10 if "--quick" in sys.argv else 1
    million = 1000000 // scale
    with open("/proc/cpuinfo", encoding="utf-8") as cpu:
        model = next((l.split(":")[1].strip() for l in cpu if l.startswith("model name")), "?")
    print(f"{os.cpu_count()} processors, {model}, Linux {os.uname().release}")
    grow(build, "more packets", [(n * million, 1000, 0.1) for n in (1, 5, 10, 50)])
    grow(build, "more connections", [(5 * million, n, 0.1) for n in (10, 1000, 100000, 1000000)])
    grow(build, "more loss", [(million, 1000, loss) for loss in (0, 0.1, 5)])
    threads(build, 5 * million)


if __name__ == "__main__":
    main()
