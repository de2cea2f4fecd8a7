#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""One capture or the same packets in five files: flows and events must say the same.

    split.py RDMAPCAP CAPTURE.pcap[ng][.gz]

Exit status: 0 equal, 1 different, 2 usage.
"""
import gzip
import json
import os
import struct
import subprocess
import sys
import tempfile

PARTS = 5
PCAP_HEADER, RECORD_HEADER = 24, 16
SECTION, INTERFACE = 0x0A0D0D0A, 1


def classic(data):
    """(what each file begins with, the records)"""
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    records, at = [], PCAP_HEADER
    while at < len(data):
        size = RECORD_HEADER + struct.unpack_from(order + "I", data, at + 8)[0]
        records.append(data[at:at + size])
        at += size
    return data[:PCAP_HEADER], records


def blocks(data):
    """The same of pcapng with one section, whose interfaces come before the packets"""
    order = "<" if data[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
    head, records, at = b"", [], 0
    while at < len(data):
        kind, size = struct.unpack_from(order + "II", data, at)
        if kind in (SECTION, INTERFACE):
            assert not records or kind == INTERFACE
            head += data[at:at + size]
        else:
            records.append(data[at:at + size])
        at += size
    return head, records


def says(tool, command, files):
    run = subprocess.run([tool, command, "-f", "jsonl" if command == "events" else "json", *files],
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{command}: exit status {run.returncode}: {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()] if command == "events" else json.loads(run.stdout)


def number_through(said, first):
    """In several files a frame has its file's name beside it: counts frames through instead."""
    if isinstance(said, list):
        return [number_through(value, first) for value in said]
    if not isinstance(said, dict):
        return said
    through = {}
    for key, value in said.items():
        file = said.get(key[:-len("frame")] + "file") if key.endswith("frame") else None
        if file is not None and value is not None:
            through[key] = value + first[file]
        elif not key.endswith("file"):
            through[key] = number_through(value, first)
    return through


def differences(one, five, where=""):
    if isinstance(one, dict) and isinstance(five, dict):
        for key in one.keys() | five.keys():
            yield from differences(one.get(key), five.get(key), f"{where}.{key}")
    elif isinstance(one, list) and isinstance(five, list) and len(one) == len(five):
        for i, (a, b) in enumerate(zip(one, five)):
            yield from differences(a, b, f"{where}[{i}]")
    elif one != five:
        yield f"{where}: {str(one)[:200]} in one file, {str(five)[:200]} in {PARTS}"


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    tool, capture = sys.argv[1:]
    with (gzip.open if capture.endswith(".gz") else open)(capture, "rb") as file:
        data = file.read()
    head, records = (blocks if data[:4] == b"\x0a\x0d\x0d\x0a" else classic)(data)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        parts, first = [], {}
        for i in range(PARTS):
            begin, end = len(records) * i // PARTS, len(records) * (i + 1) // PARTS
            parts.append(os.path.join(folder, f"part{i}"))
            first[parts[-1]] = begin
            with open(parts[-1], "wb") as file:
                file.write(head + b"".join(records[begin:end]))
        for command in ("flows", "events"):
            five = number_through(says(tool, command, parts), first)
            for line in list(differences(says(tool, command, [capture]), five))[:20]:
                print(f"{command}{line}")
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
