#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The same traffic in other clothes: verdicts must not depend on what carries the packets, on where
the PSNs begin, on the year, or on the byte order of the file.

    rewrite.py RDMAPCAP CAPTURE.pcap[.gz]

Each way of REWRITES makes a capture of its own; `flows` and `events` must say of it what they say of
the original, but for what differs by design (IGNORED). Exit status: 0 equal, 1 different, 2 usage, 77
no capture of Ethernet frames in a little-endian pcap with nanoseconds.
"""
import csv
import gzip
import io
import os
import struct
import subprocess
import sys
import tempfile
import zlib

NANOSECONDS = b"\x4d\x3c\xb2\xa1"
FILE_HEADER, RECORD_HEADER = 24, 16
ETHERNET, SLL = 1, 113
IPV4, IPV6, VLAN = b"\x08\x00", b"\x86\xdd", (b"\x81\x00", b"\x88\xa8")
UDP, ROCEV2_PORT = 17, 4791
CNP, FLUSH, UD, PSNS = 0x81, 0x1C, 3, 1 << 24
TWENTY_YEARS = 20 * 365 * 86400
IGNORED = ("address", "wire_bytes", "tunnel", "bps", "dscp", "pcp", "start_time", "icrc", "ttl", "priority")
EVENT_COLUMNS = ("frame", "kind", "connection", "as", "count", "trigger")


def checksum(header):
    total = sum(struct.unpack(">%dH" % (len(header) // 2), header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack(">H", ~total & 0xFFFF)


class Packet:
    """An Ethernet frame; `ip` and `udp` are where these headers begin when it is a whole RoCEv2 header"""

    def __init__(self, data, wire):
        self.data, self.wire, self.ip, self.udp = bytearray(data), wire, None, None
        at = 14
        while self.data[at - 2:at] in VLAN:
            at += 4
        kind = bytes(self.data[at - 2:at])
        if kind == IPV4 and self.data[at] == 0x45 and self.data[at + 9] == UDP and not self.data[at + 6] & 0x3F:
            self.find(at, at + 20)
        elif kind == IPV6 and self.data[at + 6] == UDP:
            self.find(at, at + 40)

    def find(self, ip, udp):
        if len(self.data) >= udp + 20 and self.number(udp + 2, 2) == ROCEV2_PORT:
            self.ip, self.udp = ip, udp

    def number(self, at, size):
        return int.from_bytes(self.data[at:at + size], "big")

    def is_ipv4(self):
        return self.udp - self.ip == 20

    def has_psn(self):
        """of a queue pair, not of management, CNPs or datagrams"""
        return (self.udp is not None and self.data[self.udp + 8] != CNP and self.data[self.udp + 8] >> 5 != UD
                and self.number(self.udp + 13, 3) > 1)

    def icrc_place(self):
        end = self.udp + self.number(self.udp + 4, 2)
        return end - 4 if end <= len(self.data) else None

    def icrc(self):
        """IBTA A17.3.3: what routers may change counts as ones"""
        ip, udp = bytearray(self.data[self.ip:self.udp]), bytearray(self.data[self.udp:self.icrc_place()])
        if self.is_ipv4():
            ip[1] = ip[8] = ip[10] = ip[11] = 0xFF
        else:
            ip[0] |= 0x0F
            ip[1] = ip[2] = ip[3] = ip[7] = 0xFF
        udp[6] = udp[7] = udp[12] = 0xFF
        return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(ip) + bytes(udp)))

    def change(self, how):
        """Changes headers; an ICRC that was good is good behind it"""
        place = self.icrc_place()
        good = place is not None and self.icrc() == self.data[place:place + 4]
        how(self)
        if good:
            place = self.icrc_place()
            self.data[place:place + 4] = self.icrc()


def in_vlan(packet):
    packet.data[12:12] = VLAN[0] + struct.pack(">H", 5 << 13 | 77)
    packet.wire += 4


def in_vxlan(packet):
    size = packet.wire
    ip = bytearray(struct.pack(">BBHHHBBH4s4s", 0x45, 0, 36 + size, 1, 0x4000, 64, UDP, 0, b"\xc0\xa8\x01\x01", b"\xc0\xa8\x01\x02"))
    ip[10:12] = checksum(ip)
    packet.data[:0] = (b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02" + IPV4 + bytes(ip) +
                       struct.pack(">HHHHII", 40000, 4789, 16 + size, 0, 0x08000000, 99 << 8))
    packet.wire += 50


def in_sll(packet):
    """Linux cooked capture: all of the Ethernet header but the destination"""
    packet.data[:12] = struct.pack(">HHH", 0, 1, 6) + packet.data[6:12] + b"\0\0"
    packet.wire += 2


def without_ids(packet):
    if packet.udp is not None and packet.is_ipv4():
        packet.data[packet.ip + 4:packet.ip + 6] = packet.data[packet.ip + 10:packet.ip + 12] = b"\0\0"
        packet.change(lambda p: None)


def as_ipv6(packet):
    def replace(p):
        old = p.data[p.ip:p.udp]
        new = struct.pack(">IHBB", 6 << 28 | old[1] << 20, len(p.data[p.udp:]), UDP, old[8])
        new += b"".join(b"\xfd" + bytes(11) + old[at:at + 4] for at in (12, 16))
        new = new[:4] + p.data[p.udp + 4:p.udp + 6] + new[6:]
        p.data[p.ip - 2:p.udp] = IPV6 + new
        p.udp = p.ip + 40
        p.wire += 20

    if packet.udp is not None and packet.is_ipv4():
        packet.change(replace)


def with_wrap(packets):
    """PSNs that wrap in the middle of the capture. Not where a set-up message names the first of them,
    nor with FLUSH: Soft-RoCE has an ICRC of its own for it."""
    if any(p.udp is not None and (p.number(p.udp + 13, 3) == 1 or p.data[p.udp + 8] == FLUSH) for p in packets):
        return
    psns = sorted(p.number(p.udp + 17, 3) for p in packets if p.has_psn())
    by = PSNS - psns[len(psns) // 2] if psns else 0

    def shift(p):
        p.data[p.udp + 17:p.udp + 20] = ((p.number(p.udp + 17, 3) + by) % PSNS).to_bytes(3, "big")

    for packet in packets:
        if packet.has_psn():
            packet.change(shift)


def each(how):
    def rewrite(packets):
        for packet in packets:
            how(packet)
    return rewrite


def wrapped_in_vlan(packets):
    with_wrap(packets)
    each(in_vlan)(packets)


# name: (of the packets, link type, seconds later, byte order); IPv6 has no identification, so what it is
# compared with has none either
REWRITES = {
    "a VLAN tag, PSNs that wrap": (wrapped_in_vlan, ETHERNET, 0, "<"),
    "Linux cooked capture, twenty years later": (each(in_sll), SLL, TWENTY_YEARS, "<"),
    "VXLAN, the other byte order": (each(in_vxlan), ETHERNET, 0, ">"),
}
WITHOUT_IDS = (each(without_ids), ETHERNET, 0, "<")
AS_IPV6 = (each(as_ipv6), ETHERNET, 0, "<")


def records(data):
    at = FILE_HEADER
    while at + RECORD_HEADER <= len(data):
        seconds, nanoseconds, captured, wire = struct.unpack_from("<IIII", data, at)
        at += RECORD_HEADER
        yield seconds, nanoseconds, Packet(data[at:at + captured], wire)
        at += captured


def rewritten(data, way):
    rewrite, linktype, later, order = way
    rows = list(records(data))
    rewrite([packet for _, _, packet in rows])
    out = [struct.pack(order + "IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 1 << 18, linktype)]
    for seconds, nanoseconds, p in rows:
        out.append(struct.pack(order + "IIII", seconds + later, nanoseconds, len(p.data), p.wire) + p.data)
    return b"".join(out)


def table(tool, command, path):
    run = subprocess.run([tool, command, "--quiet", "--format", "csv", path], stdout=subprocess.PIPE, check=True)
    return list(csv.DictReader(io.StringIO(run.stdout.decode())))


def verdicts(tool, folder, data):
    path = os.path.join(folder, "capture.pcap")
    with open(path, "wb") as file:
        file.write(data)
    flows = [{k: v for k, v in row.items() if not any(part in k for part in IGNORED)} for row in table(tool, "flows", path)]
    events = [{k: row[k] for k in EVENT_COLUMNS if k in row} for row in table(tool, "events", path)]
    return flows, events


def differences(name, want, got):
    if len(want) != len(got):
        return ["%s: %d rows, should be %d" % (name, len(got), len(want))]
    return ["%s %d: %s is %r, should be %r" % (name, i + 1, key, b[key], a[key])
            for i, (a, b) in enumerate(zip(want, got)) for key in a if a[key] != b[key]]


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    tool, path = sys.argv[1:]
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    if data[:4] != NANOSECONDS or struct.unpack_from("<I", data, 20)[0] != ETHERNET:
        return 77
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        whole, no_ids = verdicts(tool, folder, data), rewritten(data, WITHOUT_IDS)
        ways = [(name, way, data, whole) for name, way in REWRITES.items()]
        ways.append(("IPv6", AS_IPV6, no_ids, verdicts(tool, folder, no_ids)))
        for name, way, source, want in ways:
            got = verdicts(tool, folder, rewritten(source, way))
            for what, a, b in zip(("flow", "event"), want, got):
                faults += [name + ": " + fault for fault in differences(what, a, b)]
    print("%s: %d differences" % (os.path.basename(path), len(faults)))
    for fault in faults[:40]:
        print("  " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
