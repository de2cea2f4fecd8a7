# SPDX-License-Identifier: GPL-2.0-or-later
"""Capture files as headers and records, for mutate.py: pcap and pcapng as they are; pcapng, ERF and snoop made
of pcap files, of which the program reads the last two by libwiretap. And what a reader that keeps to the
format finds in a damaged pcap or pcapng file."""
import gzip
import struct

USUAL_RECORD = 256 << 10  # bytes that a pcap record may have whatever the snap length says
MAX_RECORD = 16 << 20
ETHERNET = 1
PACKETS = (2, 3, 6)  # types of pcapng blocks that are packets
SECTION = b"\x0a\x0d\x0d\x0a"
MAGICS = {b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">"}


class Capture:
    """`kind`, `header`, `records`, which of them `is_packet`, and how many bytes of a record are not packet"""

    def __init__(self, name, kind, order, header, records, is_packet):
        self.name, self.kind, self.order = name, kind, order
        self.header, self.records, self.is_packet = header, records, is_packet
        self.head = {"pcap": 16, "pcapng": 28, "snoop": 24, "erf": 18}[kind]

    def shortened(self, record, kept):
        """The record with so many bytes of its packet captured; itself where that can't be said"""
        if self.kind == "pcap":
            return record[:8] + struct.pack(self.order + "I", kept) + record[12:16 + kept]
        if self.kind == "snoop":
            return record[:4] + struct.pack(">II", kept, 24 + kept) + record[12:24 + kept]
        if self.kind == "pcapng" and struct.unpack_from(self.order + "I", record)[0] == 6:
            total = struct.pack(self.order + "I", 32 + (kept + 3) // 4 * 4)
            captured = struct.pack(self.order + "I", kept)
            return (record[:4] + total + record[8:20] + captured + record[24:28 + kept] + bytes(-kept % 4) + total)
        return record


def read(path):
    """The capture in a file, or None where it is neither pcap nor pcapng"""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    if data[:4] == SECTION:
        order = "<" if data[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
        blocks = list(split(data, 0, lambda at: struct.unpack_from(order + "I", data, at + 4)[0]))
        kinds = [struct.unpack_from(order + "I", block)[0] in PACKETS for block in blocks]
        return Capture(path, "pcapng", order, blocks[0], blocks[1:], kinds[1:])
    order = MAGICS.get(data[:4])
    if order is None:
        return None
    records = list(split(data, 24, lambda at: 16 + struct.unpack_from(order + "I", data, at + 8)[0]))
    return Capture(path, "pcap", order, data[:24], records, [True] * len(records))


def split(data, at, size_at):
    while at + 12 <= len(data):
        size = size_at(at)
        yield data[at:at + size]
        at += size


def converted(capture, kind):
    """A pcap file as pcapng or, if it is of Ethernet, as ERF or snoop; None for any other"""
    if capture.kind != "pcap":
        return None
    snaplen, link_type = struct.unpack(capture.order + "II", capture.header[16:24])
    if kind != "pcapng" and link_type != ETHERNET:
        return None
    per_second = 10**9 if b"\x3c" in capture.header[:4] else 10**6
    records = []
    for record in capture.records:
        fields = struct.unpack(capture.order + "4I", record[:16])
        records.append(CONVERSIONS[kind](*fields, per_second, record[16:]))
    header = {"erf": b"", "snoop": b"snoop\0\0\0" + struct.pack(">II", 2, 4),
              "pcapng": struct.pack("<IIIHHq", 0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0, -1) + struct.pack("<I", 28)}[kind]
    is_packet = [True] * len(records)
    if kind == "pcapng":
        resolution = struct.pack("<HHBxxxI", 9, 1, 9 if per_second == 10**9 else 6, 0)
        records.insert(0, block(1, struct.pack("<HHI", link_type, 0, snaplen) + resolution))
        is_packet.insert(0, False)
    return Capture(f"{capture.name} as {kind}", kind, ">" if kind == "snoop" else "<", header, records, is_packet)


def erf_record(seconds, fraction, captured, wire, per_second, packet):
    ticks = (seconds << 32) + (fraction << 32) // per_second
    return struct.pack("<Q", ticks) + struct.pack(">BBHHHH", 2, 4, 18 + captured, 0, wire + 4, 0) + packet


def snoop_record(seconds, fraction, captured, wire, per_second, packet):
    return struct.pack(">6I", wire, captured, 24 + captured, 0, seconds, fraction * 10**6 // per_second) + packet


def enhanced_packet(seconds, fraction, captured, wire, per_second, packet):
    ticks = seconds * per_second + fraction
    return block(6, struct.pack("<5I", 0, ticks >> 32, ticks & 0xffffffff, captured, wire) + packet
                 + bytes(-captured % 4))


def block(kind, body):
    total = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + total + body + total


CONVERSIONS = {"erf": erf_record, "snoop": snoop_record, "pcapng": enhanced_packet}


def sound_part(kind, data):
    """Of a pcap or pcapng file: how many packets a reader that keeps to the format finds, and at which byte
    it stops: the file's size where nothing is damaged. None: of any other kind."""
    return {"pcap": sound_pcap, "pcapng": sound_pcapng}.get(kind, lambda data: None)(data)


def sound_pcap(data):
    order = MAGICS[data[:4]]
    largest = min(max(struct.unpack_from(order + "I", data, 16)[0], USUAL_RECORD), MAX_RECORD)
    at, packets = 24, 0
    while at + 16 <= len(data):
        captured = struct.unpack_from(order + "I", data, at + 8)[0]
        if captured > largest or at + 16 + captured > len(data):
            break
        at += 16 + captured
        packets += 1
    return packets, at


def sound_pcapng(data):
    order, faces, at, packets = "<", [], 0, 0
    while at + 12 <= len(data):
        is_section = data[at:at + 4] == SECTION
        if is_section:
            if data[at + 8:at + 12] not in (b"\x4d\x3c\x2b\x1a", b"\x1a\x2b\x3c\x4d"):
                break
            order = "<" if data[at + 8] == 0x4d else ">"
            faces = []
        kind, total = struct.unpack_from(order + "II", data, at)
        if total < 12 or total % 4 or total > MAX_RECORD or at + total > len(data):
            break
        block = data[at:at + total]
        if struct.unpack_from(order + "I", block, total - 4)[0] != total:
            break
        if is_section and (total < 28 or struct.unpack_from(order + "H", block, 12)[0] != 1):
            break
        if kind == 1:
            if total < 20 or not sound_options(order, block[16:-4]):
                break
            faces.append(struct.unpack_from(order + "I", block, 12)[0])  # its snap length
        if kind in PACKETS:
            if not sound_packet(order, kind, block, faces):
                break
            packets += 1
        at += total
    return packets, at


def sound_options(order, options):
    while len(options) >= 4:
        code, size = struct.unpack_from(order + "HH", options)
        if code == 0:
            break
        if 4 + (size + 3) // 4 * 4 > len(options):
            return False
        options = options[4 + (size + 3) // 4 * 4:]
    return True


def sound_packet(order, kind, block, faces):
    if kind == 3:
        if not faces or len(block) < 16:
            return False
        wire = struct.unpack_from(order + "I", block, 8)[0]
        return (min(wire, faces[0]) if faces[0] else wire) <= len(block) - 16
    if len(block) < 32:
        return False
    face = struct.unpack_from(order + ("H" if kind == 2 else "I"), block, 8)[0]
    return face < len(faces) and struct.unpack_from(order + "I", block, 20)[0] <= len(block) - 32
