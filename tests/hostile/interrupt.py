#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""interrupt.py PROGRAM CAPTURE.pcap.gz: Ctrl-C in the middle.

A command that waits for a stalled pipe must end at once, print exactly what it prints when the pipe
ends there, say that this is not all, and exit with status 3. So must one that is writing.
"""
import array
import fcntl
import gzip
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time

SECONDS = 60  # more than any of this takes on a busy machine
program, capture = sys.argv[1:]
whole = gzip.open(capture).read()
COMMANDS = (["stats"], ["stats", "-f", "json"], ["flows"], ["flows", "-f", "json"], ["events", "-f", "jsonl"], ["dump"], ["dump", "-f", "csv"])


def start(args, ignored=False, **more):
    def prepare():
        signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)

    return subprocess.Popen([program, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=prepare, **more)


def feed(process, data):
    """Writes data and waits until it was read and the process sleeps."""
    process.stdin.write(data)
    process.stdin.flush()
    left = array.array("i", [1])
    state = ""
    end = time.monotonic() + SECONDS
    while (left[0] > 0 or state != "S") and time.monotonic() < end:
        time.sleep(0.05)
        fcntl.ioctl(process.stdin.fileno(), termios.FIONREAD, left)
        with open(f"/proc/{process.pid}/stat") as stat:
            state = stat.read().rpartition(")")[2].split()[0]
    time.sleep(0.1)


def whole_frames(size):
    """Of the first `size` bytes: those of the records that are complete, and how many these are."""
    at, count = 24, 0
    while at + 16 <= size:
        length = 16 + int.from_bytes(whole[at + 8:at + 12], "little")
        if at + length > size:
            break
        at, count = at + length, count + 1
    return at, count


def check(what, holds, *details):
    if not holds:
        sys.exit("\n".join([f"{what}: WRONG", *map(str, details)]))


def without_damage(page):
    if b"What is in it" in page:
        return page[page.index(b"What is in it"):]
    if b"\nConnections\n" in page:
        return page[page.index(b"Connections\n"):]
    return re.sub(rb'"damage": \[[^\]]*\]|"partial": (true|false)', b"", page)


def stalled(args, data, plain_size, number=signal.SIGINT):
    name = f"{' '.join(args)}, {len(data)} bytes, signal {number}"
    size, frames = whole_frames(plain_size)
    ended = start([*args, "-"])
    expected, _ = ended.communicate(whole[:size])
    process = start([*args, "-"])
    feed(process, data)
    process.send_signal(number)
    # its input stays open: only the signal can end it
    process.wait(SECONDS)
    out, err = process.stdout.read(), process.stderr.read()
    check(name, process.returncode == 3, process.returncode, err)
    check(name, b"standard input: reading it was interrupted (at frame %d," % (frames + 1) in err, err)
    if args[0] in ("stats", "flows"):  # their pages say so too, before what they hold
        check(name, b"interrupted" in out.replace(b"\n           ", b" "), out[:400])
        if "json" in args:
            check(name, b'"partial": true' in out and b'"partial": false' in expected, out[:400])
        out, expected = (without_damage(page) for page in (out, expected))
    check(name, out == expected, out[-300:], expected[-300:])
    process.stdin.close()


def main():
    for args in COMMANDS:
        stalled(args, whole[:5000], 5000)
    stalled(["flows"], whole[:5000], 5000, signal.SIGTERM)
    stalled(["flows"], whole[:whole_frames(5000)[0]], 5000)  # between two records
    compressed = gzip.compress(whole[:5000])[:-8]
    stalled(["dump"], compressed, 5000)

    # before there is anything
    process = start(["dump", "-"])
    feed(process, b"")
    process.send_signal(signal.SIGINT)
    process.wait(SECONDS)
    check("nothing yet", process.returncode == 3, process.returncode, process.stderr.read())

    # check does not pass what it did not see
    process = start(["check", "-"])
    feed(process, whole[:5000])
    process.send_signal(signal.SIGINT)
    process.wait(SECONDS)
    check("check", process.returncode == 3 and b"passed" not in process.stdout.read(), process.returncode)

    # while writing: several files, output that nobody takes yet
    with tempfile.NamedTemporaryFile() as more:
        more.write(whole)
        more.flush()
        everything = subprocess.run([program, "dump", "-v"] + [more.name] * 9, capture_output=True).stdout
        process = start(["dump", "-v"] + [more.name] * 9)
        feed(process, b"")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
        check("while writing", process.returncode == 3 and b"interrupted" in err, process.returncode, err)
        check("while writing", 0 < len(out) < len(everything) and everything.startswith(out), len(out))

    # a background job of a shell ignores it
    process = start(["dump", "-"], ignored=True)
    feed(process, whole[:5000])
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(whole[5000:], timeout=SECONDS)
    check("ignored", process.returncode == 0, process.returncode)


main()
