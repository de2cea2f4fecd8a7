#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mutate.py PROGRAM [--variants N] [--seed N] [--seconds S] CAPTURE...: damaged and garbled copies of real captures.

Each variant flips bytes, cuts, repeats, reorders or removes records of a capture, or breaks what lies
between them. Every command must end with one of its exit statuses, in a time that is bounded by the number
of packets, in bounded memory, and say of the packets before the first change what it says of them in the original.
"""
import argparse
import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

SIZE = 60_000  # of a capture: its first records, so that many variants take little time
MEMORY = 1 << 30  # bytes of resident memory, with the sanitizers
TIMEOUT = 60  # seconds of processor time for whatever is a hang
START, PER_PACKET = 2, 0.005  # seconds of processor time that a run may take, with the sanitizers
COMMANDS = (["flows", "-f", "json"], ["events", "-f", "jsonl"], ["stats"], ["stats", "-f", "json"], ["check"],
            ["dump", "-v"])
STATUSES = (0, 1, 3, 4)


def read_records(path):
    """Header and records of a pcap file, first section header and blocks of a pcapng file, and which of them
    is a packet; None: neither."""
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    magics = {b"\xd4\xc3\xb2\xa1": "little", b"\x4d\x3c\xb2\xa1": "little",
              b"\xa1\xb2\xc3\xd4": "big", b"\xa1\xb2\x3c\x4d": "big"}
    if data[:4] == b"\x0a\x0d\x0d\x0a":
        order = "little" if data[8:12] == b"\x4d\x3c\x2b\x1a" else "big"
        blocks, at = [], 0
        while at + 12 <= min(len(data), SIZE):
            size = int.from_bytes(data[at + 4:at + 8], order)
            blocks.append(data[at:at + size])
            at += size
        kinds = [int.from_bytes(block[:4], order) in (2, 3, 6) for block in blocks]
        return blocks[0], blocks[1:], kinds[1:]
    order = magics.get(data[:4])
    if order is None:
        return None
    records, at = [], 24
    while at + 16 <= min(len(data), SIZE):
        size = 16 + int.from_bytes(data[at + 8:at + 12], order)
        records.append(data[at:at + size])
        at += size
    return data[:24], records, [True] * len(records)


# Each takes the list of records and returns the index of the first that is not as it was, or of the
# first that is not certain to be as it was.

def flip_packet(rng, records):
    first = len(records)
    for _ in range(rng.choice((1, 5, 50))):
        i = rng.randrange(len(records))
        if len(records[i]) > 16:
            changed = bytearray(records[i])
            at = rng.randrange(16, min(len(changed), 16 + rng.choice((80, 100000))))
            changed[at] ^= rng.randrange(1, 256)
            records[i] = bytes(changed)
            first = min(first, i)
    return first


def flip_header(rng, records):
    i = rng.randrange(len(records))
    changed = bytearray(records[i])
    if changed:
        changed[rng.randrange(min(16, len(changed)))] ^= 1 << rng.randrange(8)
    records[i] = bytes(changed)
    return i


def set_years(rng, records):
    """Times that jump, to the ends of what a record can say."""
    i = rng.randrange(len(records))
    for j in range(i, len(records), rng.choice((1, 2, 9))):
        records[j] = rng.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", rng.randbytes(4))) + records[j][4:]
    return i


def cut_packet(rng, records):
    """A snap length that differs by packet."""
    i = rng.randrange(len(records))
    for j in range(i, len(records), rng.choice((1, 3))):
        if len(records[j]) < 16:  # another mutation left no more of it
            continue
        kept = rng.randrange(len(records[j]) - 16 + 1)
        order = "little" if int.from_bytes(records[j][8:12], "little") == len(records[j]) - 16 else "big"
        records[j] = records[j][:8] + kept.to_bytes(4, order) + records[j][12:16 + kept]
    return i


def cut_file(rng, records):
    i = rng.randrange(len(records))
    records[i:] = [records[i][:rng.randrange(max(1, len(records[i])))]]
    return i


def repeat(rng, records):
    i = rng.randrange(len(records))
    run = records[i:i + rng.choice((1, 2, 20))]
    records[i + 1:i + 1] = run * rng.choice((1, 3))
    return i + 1


def reorder(rng, records):
    i = rng.randrange(len(records))
    run = records[i:i + rng.choice((2, 8, 64))]
    rng.shuffle(run)
    records[i:i + len(run)] = run
    return i


def remove(rng, records):
    i = rng.randrange(len(records))
    del records[i:i + rng.choice((1, 2, 30))]
    return i


def insert_junk(rng, records):
    i = rng.randrange(len(records) + 1)
    records.insert(i, rng.randbytes(rng.choice((1, 16, 300))))
    return i


def splice(rng, records):
    """The packet of one record continues with another's bytes."""
    i, j = rng.randrange(len(records)), rng.randrange(len(records))
    at = rng.randrange(16, max(17, min(len(records[i]), len(records[j]))))
    tail = records[j][at:at + len(records[i]) - at]
    records[i] = (records[i][:at] + tail).ljust(len(records[i]), b"\0")
    return i


MUTATIONS = (flip_packet, flip_packet, flip_header, set_years, cut_packet, cut_file, repeat, reorder, remove,
             insert_junk, splice)


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, args, path):
    """Exit status, output, messages, peak of resident memory, processor time."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([program, *args, path], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def complaint(program, args, path, packets):
    status, _, err, memory, seconds = run(program, args, path)
    if status not in STATUSES:
        return f"exit status {status}\n" + err.decode(errors="replace")[-3000:]
    if status == 3 and not err:
        return "exit status 3 without a word"
    if memory > MEMORY:
        return f"{memory >> 20} MiB of memory"
    if seconds > START + packets * PER_PACKET:
        return f"{seconds:.1f} seconds for {packets} packets"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("captures", nargs="+")
    parser.add_argument("--variants", type=int, default=100000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".", help="folder for variants that fail")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    captures = [(p, c) for p in sorted(options.captures) if (c := read_records(p)) is not None and len(c[1]) > 1]
    originals = {}
    end = time.monotonic() + options.seconds
    made, failed, compared = 0, 0, 0
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "variant.pcap")

        def write(header, records):
            with open(path, "wb") as file:
                file.write(header + b"".join(records))

        while made < options.variants and time.monotonic() < end:
            if made % len(captures) == 0:
                rng.shuffle(captures)  # each in turn
            name, (header, records, is_packet) = captures[made % len(captures)]
            made += 1
            if name not in originals:
                write(header, records)
                originals[name] = run(options.program, ["dump", "-f", "jsonl"], path)[1].splitlines()
            records = list(records)
            mutations = rng.sample(MUTATIONS, rng.choice((1, 1, 2)))
            first = len(records)
            for mutation in mutations:
                first = min(first, mutation(rng, records)) if records else 0
            first = sum(is_packet[:first])
            write(header, records)
            trouble = None
            status, out, err, _, _ = run(options.program, ["dump", "-f", "jsonl"], path)
            before = out.splitlines()[:first]
            if status not in STATUSES:
                trouble = f"dump -f jsonl: exit status {status}\n" + err.decode(errors="replace")[-3000:]
            elif before != originals[name][:first]:
                trouble = f"dump -f jsonl: says something else of the {first} packets before the first change"
            compared += first
            args = rng.choice(COMMANDS)
            trouble = trouble or ((why := complaint(options.program, args, path, len(records))) and f"{' '.join(args)}: {why}")
            if trouble:
                failed += 1
                kept = os.path.join(options.keep, f"variant-{options.seed}-{made}.pcap")
                os.rename(path, kept)
                print(f"{name}, seed {options.seed}, variant {made} "
                      f"({', '.join(m.__name__ for m in mutations)}), kept as {kept}: {trouble}")
    print(f"{made} variants of {len(captures)} captures, {failed} failed; {compared} packets before changes compared")
    sys.exit(1 if failed or made == 0 or compared == 0 else 0)


main()
