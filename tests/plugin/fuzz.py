# SPDX-License-Identifier: GPL-2.0-or-later
"""fuzz.py PLUGIN CAPTURES [SECONDS [SEED]]: tshark with the plugin survives damaged captures.

Packets of the project's captures are changed, cut, copied, dropped and exchanged, and shown in
every way. A run fails that ends by a signal (without the plugin it does not), or that names a bug
of the plugin; its file stays in the current folder. The same seed makes the same files."""
import glob
import gzip
import os
import random
import struct
import sys
import time

from stage import Stage

MAX_PACKETS = 1500
SHORT = 96  # bytes: here the ICRC is not seen, so that damaged headers are believed

SHOWN = [["-V"], ["-O", "rdmapcap"], ["-T", "fields", "-e", "rdmapcap.verdict", "-e", "rdmapcap.rtt"],
         ["-T", "pdml"], ["-Y", "rdmapcap.retransmission || rdmapcap.fpdu"], []]
COUNTED = ["rdmapcap,stats", "rdmapcap,flows", "rdmapcap,tree", "conv,rdmapcap",
           "endpoints,rdmapcap", "expert", "rdmapcap,flows,rdmapcap.psn"]
PREFERENCES = ["rdmapcap.reorder_window:50", "rdmapcap.link_rate:1", "rdmapcap.info_column:FALSE",
               "rdmapcap.rocev2.ports:1-65535"]


def read(path):
    """Returns the head of a pcap file, and its packets as (seconds, fraction, wire size, bytes)"""
    with gzip.open(path) as f:
        head = f.read(24)
        order = "<" if head[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
        packets = []
        while len(packets) < MAX_PACKETS:
            record = f.read(16)
            if len(record) < 16:
                break
            seconds, fraction, captured, wire = struct.unpack(order + "IIII", record)
            packets.append((seconds, fraction, wire, f.read(captured)))
    return head, order, packets


def damage(rng, data):
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        if data:
            end = min(len(data), SHORT) if rng.random() < 0.8 else len(data)
            data[rng.randrange(end)] = rng.choice((0, 0xff, rng.randrange(256)))
    return bytes(data)


def change(rng, packets):
    rate = rng.choice((0.01, 0.05, 0.3))
    short = rng.random() < 0.5
    out = []
    for seconds, fraction, wire, data in packets:
        if short:
            data = data[:SHORT]
        if rng.random() < rate:
            what = rng.randrange(6)
            if what == 0:
                continue
            if what == 1 and out:
                out.append(rng.choice(out[-50:]))
            elif what == 2:
                data = data[:rng.randrange(len(data) + 1)]
            elif what == 3:
                wire = rng.choice((len(data), wire + rng.randrange(100), 65535))
            elif what == 4:
                seconds = (seconds + rng.choice((-1, 1, 100000))) % (1 << 32)
            else:
                data = damage(rng, data)
        out.append((seconds, fraction, max(wire, len(data)), data))
        if rng.random() < rate and len(out) > 1:
            out[-1], out[-2] = out[-2], out[-1]
    return out


def write(path, head, order, packets):
    with open(path, "wb") as f:
        f.write(head)
        for seconds, fraction, wire, data in packets:
            f.write(struct.pack(order + "IIII", seconds, fraction, len(data), wire) + data)
    os.chmod(path, 0o644)


def arguments(rng):
    args = ["-2"] if rng.random() < 0.6 else []
    for preference in PREFERENCES:
        if rng.random() < 0.1:
            args += ["-o", preference]
    if rng.random() < 0.5:
        for counted in rng.sample(COUNTED, rng.randint(1, 3)):
            args += ["-z", counted]
    return args + rng.choice(SHOWN)


def main():
    plugin, captures = sys.argv[1:3]
    until = time.monotonic() + float(sys.argv[3] if len(sys.argv) > 3 else 600)
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    sources = sorted(path for path in glob.glob(captures + "/*/*.pcap.gz")
                     if "ib_native" not in path)  # Wireshark can't open LINKTYPE_INFINIBAND
    runs = packets_shown = failures = 0
    with Stage(plugin) as stage, Stage(None) as bare:
        while time.monotonic() < until and failures < 5:
            rng = random.Random(seed)
            source = rng.choice(sources)
            head, order, packets = read(source)
            packets = change(rng, packets)
            path = os.path.join(stage.folder, f"fuzz-{seed}.pcap")
            write(path, head, order, packets)
            args = ["-r", path, *arguments(rng)]
            _, err, status = stage.tshark(*args, check=False)
            err = err.replace(stage.folder, "")
            ours = "rdmapcap" in err or "AddressSanitizer" in err or "runtime error" in err
            if ours or (status < 0 and bare.tshark("-r", bare.add(path), "-2", "-V",
                                                   check=False)[2] >= 0):
                failures += 1
                os.replace(path, os.path.basename(path))
                print(f"seed {seed}, {source}: status {status}: tshark {' '.join(args)}\n{err[-3000:]}")
            else:
                os.remove(path)
            runs += 1
            packets_shown += len(packets)
            seed += 1
    print(f"{runs} runs of tshark, {packets_shown} packets: {failures} failed")
    return failures > 0 or runs == 0


if __name__ == "__main__":
    sys.exit(main())
