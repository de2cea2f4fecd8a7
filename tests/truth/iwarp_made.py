#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes small captures of TCP, iWARP and what is none, and holds what rdmapcap says of each against
what was put into it.

    iwarp_made.py RDMAPCAP CASE      a function case_CASE below; "all": every one

Exit status: 0 as it was made, 1 not, 2 usage.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

A, B = 0, 1
MAC = (bytes.fromhex("020000000a01"), bytes.fromhex("020000000a02"))
IP4 = (bytes([10, 9, 0, 1]), bytes([10, 9, 0, 2]))
IP6 = (bytes.fromhex("fd00" + "00" * 13 + "01"), bytes.fromhex("fd00" + "00" * 13 + "02"))
SYN, ACK, FIN, RST = 0x02, 0x10, 0x01, 0x04
WRITE, READ, ANSWER, SEND, SEND_INV, SEND_SE, SEND_SE_INV, TERMINATE, IMMEDIATE, IMMEDIATE_SE, ATOMIC, ATOMIC_ANSWER = range(12)


def table():
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        yield n


TABLE = list(table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return struct.pack("<I", crc ^ 0xFFFFFFFF)


def tagged(opcode, stag, to, data, last=True):
    return struct.pack(">BBIQ", 0x81 | last << 6, 0x40 | opcode, stag, to) + data


def untagged(opcode, queue, msn, data, mo=0, stag=0, last=True):
    return struct.pack(">BBIIII", 0x01 | last << 6, 0x40 | opcode, stag, queue, msn, mo) + data


def start_up(reply, flags=0x40, revision=1, private=b"", enhanced=None):
    if enhanced is not None:
        flags, revision, private = flags | 0x10, 2, struct.pack(">HH", *enhanced) + private
    return (b"MPA ID Rep Frame" if reply else b"MPA ID Req Frame") + struct.pack(">BBH", flags, revision, len(private)) + private


class Side:
    def __init__(self, isn, port):
        self.isn, self.port, self.bytes, self.origin, self.crc, self.markers = isn, port, b"", 0, True, False

    def fpdu(self, ulpdu):
        """Appends an FPDU; returns where it is"""
        start = len(self.bytes)
        plain = struct.pack(">H", len(ulpdu)) + ulpdu + bytes(-(2 + len(ulpdu)) % 4)
        for at in range(len(plain) + 1):
            if self.markers and (len(self.bytes) - self.origin) % 512 == 0:
                self.bytes += struct.pack(">HH", 0, len(self.bytes) - start)
            self.bytes += plain[at:at + 1]
        self.bytes += crc32c(self.bytes[start:]) if self.crc else bytes(4)
        return start, len(self.bytes) - start


class Capture:
    """Frames of one TCP connection. `wrap` puts an IP packet into what carries it."""

    def __init__(self, isn=1000, ipv6=False, wrap=None, port=40000):
        self.sides = (Side(isn, port), Side(7000, 4711))
        self.records, self.now, self.ids, self.ipv6, self.snap = [], 1_700_000_000_000_000_000, [1, 1], ipv6, 0
        self.wrap = wrap or self.ethernet

    def ethernet(self, src, packet):
        return MAC[1 - src] + MAC[src] + (b"\x86\xdd" if self.ipv6 else b"\x08\x00") + packet

    def vlan(self, src, packet):
        return self.ethernet(src, packet)[:12] + b"\x81\x00\x60\x64" + self.ethernet(src, packet)[12:]

    def vxlan(self, src, packet):
        inner = b"\x08\0\0\0\0\0\x2a\0" + self.ethernet(src, packet)
        udp = struct.pack(">HHHH", 5555, 4789, 8 + len(inner), 0) + inner
        return MAC[1 - src] + MAC[src] + b"\x08\x00" + self.ip4(17, bytes([1, 1, 1, 1]), bytes([1, 1, 1, 2]), udp, 9)

    @staticmethod
    def ip4(proto, src, dst, payload, ident):
        head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), ident, 0x4000, 64, proto, 0, src, dst)
        total = sum(struct.unpack(">10H", head))
        total = (total & 0xFFFF) + (total >> 16)
        total = (total & 0xFFFF) + (total >> 16)
        return head[:10] + struct.pack(">H", ~total & 0xFFFF) + head[12:] + payload

    def tcp(self, src, seq, data=b"", ack=None, flags=ACK, window=1000, ident=None, stamps=None):
        me, peer = self.sides[src], self.sides[1 - src]
        ack = peer.isn + 1 if ack is None else ack
        options = b"" if stamps is None else struct.pack(">HBBII", 0x0101, 8, 10, *stamps)
        head = struct.pack(">HHIIBBHHH", me.port, peer.port, seq & 0xFFFFFFFF, ack & 0xFFFFFFFF,
                           (20 + len(options)) << 2, flags, window, 0, 0) + options
        if ident is None:
            ident = self.ids[src]
            self.ids[src] += 1
        if self.ipv6:
            packet = struct.pack(">IHBB", 6 << 28, len(head + data), 6, 64) + IP6[src] + IP6[1 - src] + head + data
        else:
            packet = self.ip4(6, IP4[src], IP4[1 - src], head + data, ident)
        self.records.append((self.now, self.wrap(src, packet)))
        self.now += 10_000

    def connect(self, request=None, reply=None, crc=True, markers=False):
        """The handshake, with markers in what A sends if B wants them"""
        a, b = self.sides
        flags = 0x40 if crc else 0
        a.bytes = request if request is not None else start_up(False, flags)
        b.bytes = reply if reply is not None else start_up(True, flags | (0x80 if markers else 0))
        for side in self.sides:
            side.origin, side.crc = len(side.bytes), crc
        a.markers = markers
        self.tcp(A, a.isn, ack=0, flags=SYN)
        self.tcp(B, b.isn, ack=a.isn + 1, flags=SYN | ACK)
        self.send(A, 0, a.origin)
        self.send(B, 0, b.origin, ack=a.isn + 1 + a.origin)

    def send(self, src, at, size, **how):
        """Bytes of a side's stream"""
        side, peer = self.sides[src], self.sides[1 - src]
        how.setdefault("ack", peer.isn + 1 + (peer.origin if at >= side.origin > 0 else 0))
        self.tcp(src, side.isn + 1 + at, side.bytes[at:at + size], **how)

    def ack(self, src, at, **how):
        """What the other side sent before `at` has come"""
        self.tcp(src, self.sides[src].isn + 1 + len(self.sides[src].bytes), ack=self.sides[1 - src].isn + 1 + at, **how)

    def messages(self, count, size=100):
        """Sends of A; where each is"""
        return [self.sides[A].fpdu(untagged(SEND, 0, i + 1, bytes([i & 0xFF]) * size)) for i in range(count)]

    def save(self, path):
        snap = self.snap or 262144
        with open(path, "wb") as f:
            f.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, snap, 1))
            for now, data in self.records:
                f.write(struct.pack("<IIII", now // 10 ** 9, now % 10 ** 9, min(len(data), snap), len(data)) + data[:snap])


class Said:
    """What the commands say of a capture"""

    def __init__(self, capture):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "made.pcap")
            capture.save(path)
            self.dump = [json.loads(line) for line in self.run("dump", "-f", "jsonl", path).splitlines()]
            self.events = [json.loads(line) for line in self.run("events", "-f", "jsonl", path).splitlines()]
            self.flows = json.loads(self.run("flows", "-f", "json", path))
            self.stats = json.loads(self.run("stats", "-f", "json", path))
            self.check = json.loads(self.run("check", "-f", "json", path))
        self.fpdus = [f for packet in self.dump for f in packet.get("fpdus", ())]
        self.findings = {f["id"] for f in self.stats["findings"]}

    @staticmethod
    def run(*args):
        done = subprocess.run((tool,) + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        same(done.returncode in (0, 1, 4), True)
        return done.stdout

    def count(self, kind):
        return sum(event["kind"] == kind for event in self.events)

    def side(self, way="a_to_b"):
        same(len(self.flows["connections"]), 1)
        return self.flows["connections"][0][way]

    def all_found(self, places, crc="ok", base=1001):
        same(sorted(f["tcp_seq"] for f in self.fpdus), sorted((base + at) & 0xFFFFFFFF for at, _ in places))
        same({f["crc"] for f in self.fpdus}, {crc})


def same(have, want):
    if have != want:
        raise AssertionError("%r, not %r" % (have, want))


# ---------------------------------------------------------------------------------------- TCP


def case_wrap():
    c = Capture(isn=0xFFFFFF00)
    c.connect()
    places = c.messages(12)
    for place in places:
        c.send(A, *place)
    said = Said(c)
    said.all_found(places, base=0xFFFFFF01)
    same(said.side()["gaps"], 0)


def case_reordered():
    c = Capture()
    c.connect()
    places = c.messages(4)
    for i, ident in ((0, 101), (2, 103), (1, 102), (3, 104)):
        c.send(A, *places[i], ident=ident)
    said = Said(c)
    said.all_found(places)
    same((said.count("tcp_out_of_order"), said.count("tcp_retransmission")), (1, 0))


def case_resent_apart_from_new():
    c = Capture()
    c.connect()
    places = c.messages(3)
    for i in (0, 1, 0, 2):
        c.send(A, *places[i])
    said = Said(c)
    said.all_found(places)
    side = said.side()
    same((side["retransmitted_packets"], side["messages"]["SEND"], side["payload_bytes"]), (1, 3, 300))
    same(side["lost_after_tap"], 1)
    same(said.check["status"], "failed")


def resends(said):
    return [(e["frame"], e["original_frame"]) for e in said.events if e["kind"] == "tcp_retransmission"]


def case_resends_name_the_first_copy():
    c = Capture()
    c.connect()
    first, second = c.messages(2)
    c.send(A, *first)
    for _ in range(3):
        c.send(A, *first)
    c.send(A, first[0], first[1] + second[1])
    same(resends(Said(c)), [(6, 5), (7, 5), (8, 5), (9, 5)])


def case_original_after_its_resend():
    """What its sender counts tells: IPv4 identifications, or time stamps where there are none"""
    for stamps in (False, True):
        c = Capture(ipv6=stamps)
        c.connect()
        places = c.messages(5)
        for i, count in ((0, 10), (2, 12), (3, 13), (1, 14), (1, 11), (4, 15)):
            c.send(A, *places[i], ident=count, stamps=(count, 1) if stamps else None)
        said = Said(c)
        said.all_found(places)
        same((resends(said), said.count("tcp_out_of_order")), ([(8, None)], 1))
        same([said.side()[k] for k in ("lost_before_tap", "out_of_order", "spurious")], [0, 1, 0])


def case_late_resend_after_its_resend():
    """Both were sent after what followed the lost original: neither is late"""
    c = Capture()
    c.connect()
    places = c.messages(3)
    for i, ident in ((0, 10), (2, 12), (1, 14), (1, 13)):
        c.send(A, *places[i], ident=ident)
    same(resends(Said(c)), [(7, None), (8, 7)])


def case_lost_tail():
    """Nothing followed that would show the hole, but numbers of acknowledgements do"""
    for ident, wait in ((21, 10_000_000), (19, 10_000_000), (21, 0)):
        late = ident == 19 or wait == 0  # no timer is so short: the acknowledgement only passed it
        c = Capture()
        c.connect()
        place, more = c.messages(2)
        c.send(A, *place)
        c.tcp(A, c.sides[A].isn + 1 + sum(more), ident=20)
        c.now += wait
        c.send(A, *more, ident=ident)
        said = Said(c)
        said.all_found([place, more])
        same(resends(said), [] if late else [(7, None)])
        same((said.side()["lost_before_tap"], said.side()["out_of_order"]), (0 if late else 1, 0))


def silent(c, place, tries, first_wait=200_000_000, **how):
    """Sends it so many times, each time waiting twice as long as before. Returns when the first went out."""
    began = c.now - 1_700_000_000_000_000_000
    for i in range(tries):
        c.send(A, *place, **how)
        c.now += first_wait << i
    return began


def no_answer(said):
    return [(f["severity"], f["value"], f["frames"], f["rel_ns"], f["duration_ns"])
            for f in said.stats["findings"] if f["id"] == "no-answer"]


def case_no_answer():
    """As of InfiniBand and RoCE: three tries or more that nobody answered"""
    for tries in (2, 3, 5):
        c = Capture()
        c.connect()
        first, place = c.messages(2)
        c.send(A, *first)
        began = silent(c, place, tries)
        c.ack(B, sum(first))  # of what went before
        lasts = c.records[-1][0] - c.records[0][0] - began
        said = Said(c)
        same(no_answer(said), [] if tries < 3 else [("error", tries, list(range(7, 7 + tries - 1)), began, lasts)])
        same("loss-after-tap" in said.findings, tries < 3)


def case_no_answer_for_a_time():
    for seen in (True, False):
        c = Capture()
        c.connect()
        first, place = c.messages(2)
        c.send(A, *first)
        c.ack(B, sum(first))
        if not seen:  # the first copy was lost before the capture point, as an acknowledgement shows
            c.tcp(A, c.sides[A].isn + 1 + sum(place))
            c.now += 200_000_000
        began = silent(c, place, 4)
        c.ack(B, sum(place))
        lasts = c.records[-1][0] - c.records[0][0] - began
        same(no_answer(Said(c)), [("warning", 4, [8, 9, 10] if seen else [8, 9, 10, 11], began, lasts)])


def case_answers_that_acknowledge_nothing_more():
    """A receiver that asks for the bytes is alive; so is one whose copies are doubled on the way here"""
    c = Capture()
    c.connect()
    first, place, more = c.messages(3)
    c.send(A, *first)
    for i in range(4):
        c.send(A, *place)
        c.send(A, *more)
        c.now += 200_000_000 << i
        c.ack(B, sum(first))
    same(no_answer(Said(c)), [])
    c = Capture(ipv6=True)
    c.connect()
    place = c.messages(1)[0]
    for _ in range(4):
        c.send(A, *place)
    same(no_answer(Said(c)), [])


def case_overlap():
    c = Capture()
    c.connect()
    places = c.messages(3)
    start, end = places[0][0], sum(places[2])
    c.send(A, start, 150)
    c.send(A, start + 50, end - start - 50)
    Said(c).all_found(places)


def case_conflicting_overlap():
    c = Capture()
    c.connect()
    places = c.messages(2)
    c.send(A, *places[0])
    at, size = places[0]
    c.tcp(A, c.sides[A].isn + 1 + at, c.sides[A].bytes[at:at + size - 8] + b"conflict", ack=c.sides[B].isn + 1)
    c.send(A, *places[1])
    said = Said(c)
    said.all_found(places)  # the first bytes stay
    same(said.side()["iwarp"]["conflicting_segments"], 1)


def case_keep_alive_and_window_probe():
    c = Capture()
    c.connect()
    places = c.messages(2)
    c.send(A, *places[0])
    c.send(A, places[1][0] - 1, 1)
    c.send(A, places[1][0] - 1, 0)
    c.ack(B, places[1][0], window=0)
    c.now += 5_000_000
    c.send(A, places[1][0], 1)
    c.ack(B, places[1][0], window=0)
    c.ack(B, places[1][0])
    c.send(A, *places[1])
    said = Said(c)
    said.all_found(places)
    same(said.side()["iwarp"]["keep_alives"], 2)
    same(said.count("tcp_retransmission"), 0)
    same(said.side("b_to_a")["iwarp"]["zero_windows"], 1)
    same("tcp-zero-window" in said.findings, True)


def case_window_closed_at_the_end():
    c = Capture()
    c.connect()
    places = c.messages(1)
    c.send(A, *places[0])
    c.ack(B, sum(places[0]), window=0)
    c.now += 9_000_000
    c.send(A, places[0][0], 0)
    said = Said(c)
    same(said.side("b_to_a")["iwarp"]["open_zero_window_ns"] >= 9_000_000, True)
    same("tcp-zero-window" in said.findings, True)


def case_closed_by_fin_and_rst():
    for flags in (FIN | ACK, RST):
        c = Capture()
        c.connect()
        c.send(A, *c.messages(1)[0])
        c.tcp(A, c.sides[A].isn + 1 + len(c.sides[A].bytes), flags=flags)
        c.tcp(B, c.sides[B].isn + 1 + len(c.sides[B].bytes), flags=flags)
        same(Said(c).flows["connections"][0]["state"], "closed")


def case_old_reset_ends_nothing():
    c = Capture()
    c.connect()
    first, second = c.messages(2)
    c.send(A, *first)
    c.ack(B, sum(first))
    c.tcp(A, c.sides[A].isn + 1 + first[0], flags=RST)
    c.send(A, *second)
    c.ack(B, sum(second))
    same(Said(c).flows["connections"][0]["state"], "open")
    c.tcp(A, c.sides[A].isn + 1 + len(c.sides[A].bytes), flags=RST)
    same(Said(c).flows["connections"][0]["state"], "closed")


def case_port_used_again():
    c = Capture()
    c.connect()
    c.send(A, *c.messages(1)[0])
    c.sides[A].isn, c.sides[B].isn = 500000, 900000
    c.connect()
    c.send(A, *c.messages(1)[0])
    said = Said(c)
    same((said.flows["connections"][0]["epochs"], said.side()["iwarp"]["fpdus"], said.side()["gaps"]), (2, 2, 0))


def case_merged_and_split_segments():
    c = Capture()
    c.connect()
    places = c.messages(40, 1400)
    c.send(A, places[0][0], sum(places[20]) - places[0][0])  # one of TSO's size
    for at in range(places[21][0], sum(places[39]), 7):
        c.send(A, at, min(7, sum(places[39]) - at))
    Said(c).all_found(places)


def case_cut_by_the_snap_length():
    c = Capture()
    c.connect()
    c.snap = 100
    places = c.messages(8, 1000)
    for place in places:
        c.send(A, *place)
    said = Said(c)
    said.all_found(places, crc=None)
    same({f["rdmap_name"] for f in said.fpdus}, {"Send"})


def case_hole_of_stated_size():
    c = Capture()
    c.connect()
    places = c.messages(5, 400)
    for i in (0, 1, 4):
        c.send(A, *places[i])
    c.ack(B, sum(places[4]))
    said = Said(c)
    said.all_found([places[i] for i in (0, 1, 4)])
    gap = [e for e in said.events if e["kind"] == "tcp_gap"]
    same([(e["tcp_seq"], e["bytes"]) for e in gap], [(1001 + places[2][0], places[2][1] + places[3][1])])
    same(said.side()["not_captured"], 1)
    same("capture-incomplete" in said.findings, True)


def case_vlan_tunnel_and_ipv_six():
    for how in ("vlan", "vxlan", "ipv6"):
        c = Capture(ipv6=how == "ipv6")
        if how != "ipv6":
            c.wrap = getattr(c, how)
        c.connect()
        places = c.messages(3)
        for place in places:
            c.send(A, *place)
        said = Said(c)
        said.all_found(places)
        same(said.flows["connections"][0]["tunnel"], "vxlan" if how == "vxlan" else None)


# ---------------------------------------------------------------------------------------- MPA


def case_start_up():
    c = Capture()
    c.connect(start_up(False, private=b"hello", enhanced=(0x8000 | 0x4000 | 16, 0x8000 | 4)), start_up(True, 0xC0, 1, b"there"))
    said = Said(c)
    request, reply = [p["mpa"] for p in said.dump if "mpa" in p]
    same([request[k] for k in ("frame", "revision", "ird", "ord", "peer_to_peer", "first_send", "first_write", "first_read", "crc",
                               "markers", "private_bytes", "private_data")],
         ["request", 2, 16, 4, True, True, True, False, True, False, 9, b"hello".hex()])
    same([reply[k] for k in ("frame", "revision", "markers", "reject", "private_data")], ["reply", 1, True, False, b"there".hex()])


def case_rejected():
    c = Capture()
    c.connect(reply=start_up(True, 0x60, private=b"\0\0\0\x05no more room\0"))
    said = Said(c)
    same(said.side("b_to_a")["iwarp"]["rejects"], True)
    why = [f["why"] for f in said.stats["findings"] if f["id"] == "mpa-reject"]
    same(len(why) == 1 and '"no more room"' in why[0], True)


def case_markers_everywhere():
    """Markers in payload, pad, headers, before the length field and before the CRC"""
    for crc in (True, False):
        c = Capture()
        c.connect(crc=crc, markers=True)
        places = c.messages(150, 57)
        for place in places:
            c.send(A, *place)
        said = Said(c)
        said.all_found(places, "ok" if crc else "off")
        same(sum(f["markers"] for f in said.fpdus), c.sides[A].bytes[c.sides[A].origin:].__len__() // 512 + 1)
        same(said.side()["iwarp"]["markers_bad"], 0)


def case_peer_to_peer_first_fpdus():
    for first in (b"", tagged(WRITE, 0, 0, b""), untagged(READ, 1, 1, bytes(28)), untagged(SEND, 0, 1, b"")):
        c = Capture()
        c.connect(start_up(False, enhanced=(0xC000, 0xC000)), start_up(True, enhanced=(0xC000, 0xC000)))
        places = [c.sides[A].fpdu(first)]
        places += [c.sides[A].fpdu(untagged(SEND, 0, 2 if first[1:2] == b"\x43" else 1, b"x" * 50))]
        for place in places:
            c.send(A, *place)
        said = Said(c)
        said.all_found(places)
        same((said.count("framing"), said.count("msn_gap")), (0, 0))


def case_bad_crc():
    c = Capture()
    c.connect()
    places = c.messages(3)
    data = bytearray(c.sides[A].bytes)
    data[places[1][0] + 60] ^= 4
    c.sides[A].bytes = bytes(data)
    for place in places:
        c.send(A, *place)
    said = Said(c)
    same([f["crc"] for f in said.fpdus], ["ok", "bad", "ok"])
    same((said.count("crc_bad"), said.check["status"]), (1, "failed"))
    same("mpa-crc-bad" in said.findings, True)


# ---------------------------------------------------------------------------------------- recognition


def case_without_handshake():
    for crc in (True, False):
        c = Capture(port=5445)
        c.sides[A].crc = crc
        places = c.messages(30, 200)
        for place in places:
            c.send(A, *place)
        said = Said(c)
        said.all_found(places, "ok" if crc else "off")
        same({f["inferred"] for f in said.fpdus}, {True})
        same([e["frame_type"] for e in said.events if e["kind"] == "mpa"], ["inferred"])


def tls(n):
    return b"".join(b"\x17\x03\x03" + struct.pack(">H", 400 + i) + noise(400 + i, i) for i in range(n))


def noise(size, seed):
    out = bytearray()
    while len(out) < size:
        seed = (seed * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        out += struct.pack(">I", seed >> 32)
    return bytes(out[:size])


OTHERS = {
    "tls": lambda: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise(500, 1) + tls(60),
    "http": lambda: b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n" * 200 + b"HTTP/1.1 200 OK\r\n\r\n" + b"<p>AC</p>" * 3000,
    "nvme_tcp": lambda: b"".join(struct.pack("<BBBBI", 4, 0, 72, 0, 72) + noise(64, i) for i in range(300)),
    "ssh": lambda: b"SSH-2.0-OpenSSH_9.2\r\n" + b"".join(struct.pack(">I", 60) + noise(76, i) for i in range(200)),
    "random": lambda: noise(60000, 99),
    "zeros": lambda: bytes(60000),
    "controls": lambda: b"\x00\x40\x41\x43" * 15000,
}


def case_other_protocols():
    for name, make in OTHERS.items():
        for begins in (True, False):
            c = Capture(port=40001)
            c.sides[A].bytes = make()
            if begins:
                c.tcp(A, c.sides[A].isn, ack=0, flags=SYN)
                c.tcp(B, c.sides[B].isn, ack=c.sides[A].isn + 1, flags=SYN | ACK)
            for at in range(0 if begins else 333, len(c.sides[A].bytes), 1448):
                c.send(A, at, 1448)
            said = Said(c)
            same((name, said.fpdus, said.flows["connections"]), (name, [], []))


# ---------------------------------------------------------------------------------------- DDP, RDMAP


def case_operations():
    """Every opcode, STags, READ and atomic answers, latency"""
    c = Capture()
    c.connect()
    a, b = c.sides
    sent = [a.fpdu(tagged(WRITE, 0x11, 0, b"w" * 600)),
            a.fpdu(untagged(READ, 1, 1, struct.pack(">IQIIQ", 0x77, 0, 500, 0x22, 0))),
            a.fpdu(untagged(ATOMIC, 1, 2, struct.pack(">IIIQQQQQ", 1, 5, 0x33, 8, 1, 0, 0, 0))),
            a.fpdu(untagged(SEND, 0, 1, b"s" * 10)), a.fpdu(untagged(SEND_SE, 0, 2, b"s" * 10)),
            a.fpdu(untagged(SEND_INV, 0, 3, b"s" * 10, stag=0x11)), a.fpdu(untagged(SEND_SE_INV, 0, 4, b"s" * 10, stag=0x22)),
            a.fpdu(untagged(IMMEDIATE, 0, 5, b"12345678")), a.fpdu(untagged(IMMEDIATE_SE, 0, 6, b"12345678"))]
    for place in sent:
        c.send(A, *place)
    answers = [b.fpdu(tagged(ANSWER, 0x77, 0, b"r" * 300, last=False)), b.fpdu(tagged(ANSWER, 0x77, 300, b"r" * 200)),
               b.fpdu(untagged(ATOMIC_ANSWER, 3, 1, struct.pack(">IQ", 5, 99)))]
    for place in answers:
        c.send(B, *place, ack=a.isn + 1 + len(a.bytes))
    said = Said(c)
    same([f["rdmap_name"] for f in said.fpdus],
         ["Write", "Read Request", "Atomic Request", "Send", "Send with SE", "Send with Invalidate", "Send with SE and Invalidate",
          "Immediate Data", "Immediate Data with SE", "Read Response", "Read Response", "Atomic Response"])
    same(said.fpdus[2]["atomic_request"]["operation"], "Swap")
    side = said.side()
    same(side["messages"], {"SEND": 2, "SEND_WITH_INVALIDATE": 2, "RDMA_WRITE": 1, "RDMA_READ": 1, "IMMEDIATE_DATA": 2, "SWAP": 1})
    same((side["message_latency_ns"]["count"], side["iwarp"]["reads_unanswered"], side["iwarp"]["msn_gaps"]), (9, 0, 0))
    stags = {(r["named_by"], r["stag"]): r for r in said.flows["stags"]}
    same((stags["a", "0x00000011"]["write_bytes"], stags["a", "0x00000011"]["invalidates"]), (600, 1))
    same((stags["a", "0x00000022"]["read_bytes"], stags["a", "0x00000033"]["atomics"]), (500, 1))
    same((stags["b", "0x00000077"]["read_answer_bytes"], stags["a", "0x00000077"]["buffer_of"]), (500, "a"))


def case_terminate():
    c = Capture()
    c.connect()
    about = tagged(WRITE, 0xBAD, 0x40, b"")
    places = c.messages(1) + [c.sides[A].fpdu(untagged(TERMINATE, 2, 1, bytes([0x01, 0x01, 0xC0, 0]) + struct.pack(">H", 14) + about))]
    for place in places:
        c.send(A, *place)
    said = Said(c)
    end = [e for e in said.events if e["kind"] == "terminate"][0]
    same([end[k] for k in ("layer_name", "type_name", "code_text", "about", "stag")],
         ["RDMAP", "remote protection error", end["code_text"], "Write", "0x00000bad"])
    same("bound" in end["code_text"], True)
    same((said.flows["connections"][0]["state"], "iwarp-terminate" in said.findings), ("error", True))


def case_msn_gap():
    c = Capture()
    c.connect()
    for msn in (1, 2, 5):
        c.send(A, *c.sides[A].fpdu(untagged(SEND, 0, msn, b"x")))
    said = Said(c)
    same([(e["first_msn"], e["count"]) for e in said.events if e["kind"] == "msn_gap"], [(3, 2)])
    same("msn-gap" in said.findings, True)


def case_round_trips_by_time_stamps():
    """Of a segment that was sent twice only the time stamp tells the round trip"""
    for stamps, count in ((True, 2), (False, 1)):  # one is the start-up frame's
        c = Capture()
        c.connect()
        place = c.messages(1)[0]
        for i in range(2):
            c.send(A, *place, stamps=(100 + 100 * i, 1) if stamps else None)
            c.now += 1_000_000
        c.ack(B, sum(place), stamps=(2, 200) if stamps else None)
        rtt = Said(c).side()["rtt_ns"]
        same((rtt["count"], rtt["max"] > 900_000), (count, stamps))


def main():
    global tool
    cases = {name[5:]: case for name, case in globals().items() if name.startswith("case_")}
    if len(sys.argv) != 3 or sys.argv[2] not in list(cases) + ["all"]:
        print(__doc__, "Cases:", " ".join(cases))
        return 2
    tool = sys.argv[1]
    for name in cases if sys.argv[2] == "all" else [sys.argv[2]]:
        try:
            cases[name]()
        except AssertionError as error:
            print("%s: line %d: %s" % (name, error.__traceback__.tb_next.tb_lineno, error))
            return 1
        print("%s: as it was made" % name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
