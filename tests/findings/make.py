#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make.py FOLDER: writes the small captures that raise one finding each, where no other capture of
this project does (captures/hand/finding-*). What each holds is its function below. After a
change: run it with captures/hand, then update captures/MANIFEST."""
import gzip
import struct
import sys
import zlib
from pathlib import Path

CAPTURES = Path(__file__).parent / "../../captures"
A, B = bytes([10, 2, 0, 1]), bytes([10, 2, 0, 2])
MAC = {A: bytes.fromhex("020000000a01"), B: bytes.fromhex("020000000a02")}
QPN = {A: 0x11, B: 0x22}
US = 1000
SEND_ONLY, WRITE_FIRST, WRITE_MIDDLE, WRITE_LAST, WRITE_ONLY, ACK = 0x04, 0x06, 0x07, 0x08, 0x0A, 0x11
RETH = struct.pack(">QII", 0x1000, 0x77, 4096)
CNP = 0x81
NAK_SEQUENCE, NAK_INVALID_RD, NAK_RESERVED, RNR = 0x60, 0x64, 0x65, 0x20


def checksum(data):
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Capture:
    """A pcap file with nanoseconds; every method that sends advances the clock by a microsecond."""

    def __init__(self):
        self.records, self.now, self.ids = [], 1_700_000_000_000_000_000, {A: 1, B: 1}
        self.linktype, self.qpns = 1, QPN
        self.oddities = {}  # by number of the record: what it says that can't be
        self.untimed = None  # a set: saved as pcapng, the records of these numbers without a time

    def frame(self, data):
        self.records.append((self.now, data))
        self.now += US

    def wait(self, ns):
        self.now += ns - US

    def ip(self, src, payload, proto=17, tos=0x6A, ttl=64, fragment=0x4000, mac=None, ident=None):
        dst = B if src == A else A
        if ident is None:
            ident = self.ids[src]
            self.ids[src] += 1
        head = struct.pack(">BBHHHBBH4s4s", 0x45, tos, 20 + len(payload), ident, fragment, ttl, proto, 0, src, dst)
        head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
        self.frame(MAC[dst] + (mac or MAC[src]) + b"\x08\x00" + head + payload)

    def roce(self, src, opcode, psn, headers=b"", payload=b"", ack=False, bad=False, tos=0x6A, ttl=64, cut=0, **how):
        dst = B if src == A else A
        bth = struct.pack(">BBHII", opcode, 0x40, 0xFFFF, self.qpns[dst], (ack << 31) | psn & 0xFFFFFF)
        body = bth + headers + payload
        udp = struct.pack(">HHHH", 0xC123, 4791, 12 + len(body), 0)
        masked = struct.pack(">BBHHHBBH4s4s", 0x45, 0xFF, 32 + len(body), self.ids[src], 0x4000, 0xFF, 17, 0xFFFF, src, dst)
        masked = b"\xff" * 8 + masked + udp[:6] + b"\xff\xff" + bth[:4] + b"\xff" + bth[5:] + headers + payload
        icrc = struct.pack("<I", zlib.crc32(masked) ^ (0xFF if bad else 0))
        self.ip(src, udp + body + icrc, tos=tos, ttl=ttl, **how)

    def write(self, src, psn, size=256, **how):
        self.roce(src, WRITE_ONLY, psn, struct.pack(">QII", 0x1000, 0x77, size), bytes(size), ack=True, **how)

    def answer(self, src, psn, syndrome=0x1F, msn=1, **how):
        self.roce(src, ACK, psn, struct.pack(">I", syndrome << 24 | msn & 0xFFFFFF), **how)

    def written(self, psn, **how):
        """One message of A that goes well"""
        self.write(A, psn, **how)
        self.answer(B, psn, msn=psn)

    def pfc(self, mac, priority, quanta):
        timers = [quanta if p == priority else 0 for p in range(8)]
        self.frame(bytes.fromhex("0180c2000001") + mac + struct.pack(">HHH8H", 0x8808, 0x0101, 1 << priority, *timers) + bytes(26))

    def read(self, name):
        """The packets of another capture of this project: (time in ns, bytes)"""
        data = gzip.decompress((CAPTURES / name).read_bytes())
        order = "<" if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xd4\xc3\xb2\xa1") else ">"
        fine = 1 if struct.unpack(order + "I", data[:4])[0] == 0xA1B23C4D else 1000
        at, packets = 24, []
        while at < len(data):
            seconds, part, size, _ = struct.unpack(order + "IIII", data[at:at + 16])
            packets.append((seconds * 10**9 + part * fine, data[at + 16:at + 16 + size]))
            at += 16 + size
        return packets

    def save_ng(self, path):
        def block(kind, body):
            size = struct.pack("<I", 12 + len(body))
            return struct.pack("<I", kind) + size + body + size

        with open(path, "wb") as out:
            out.write(block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
            out.write(block(1, struct.pack("<HHI", self.linktype, 0, 0) + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0)))
            for number, (now, data) in enumerate(self.records, 1):
                padded = data + bytes(-len(data) % 4)
                if number in self.untimed:
                    out.write(block(3, struct.pack("<I", len(data)) + padded))
                else:
                    out.write(block(6, struct.pack("<IIIII", 0, now >> 32, now & 0xFFFFFFFF, len(data), len(data)) + padded))

    def save(self, path):
        if self.untimed is not None:
            return self.save_ng(path.with_suffix(".pcapng"))
        with open(path, "wb") as out:
            out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, self.linktype))
            for number, (now, data) in enumerate(self.records, 1):
                odd = self.oddities.get(number)
                part = now % 10**9 + (1_500_000_000 if odd == "fraction" else 0)
                wire = len(data) - (odd == "length")
                out.write(struct.pack("<IIII", now // 10**9, part, len(data), wire) + data)


def rnr_gives_up(c):
    """a SEND is refused with RNR NAK (timer 0.01 ms) seven times, then silence and other traffic"""
    c.written(1)
    for _ in range(7):
        c.roce(A, SEND_ONLY, 2, b"", bytes(64), ack=True)
        c.answer(B, 2, RNR | 1)
        c.wait(20 * US)
    c.wait(2_000_000)
    c.pfc(MAC[B], 3, 0)


def rnr_mixed(c):
    """two SENDs are refused, one with an RNR timer of 0.01 ms, one with code 0 (655.36 ms)"""
    for psn, code in ((1, 1), (2, 0)):
        c.roce(A, SEND_ONLY, psn, b"", bytes(64), ack=True)
        c.answer(B, psn, RNR | code)
        c.wait(660_000_000)
        c.roce(A, SEND_ONLY, psn, b"", bytes(64), ack=True)
        c.answer(B, psn, msn=psn)


def nak_reserved(c):
    """a WRITE is refused with a NAK of code 5"""
    c.written(1)
    c.write(A, 2)
    c.answer(B, 2, NAK_RESERVED)


def damaged_alone(c):
    """three packets of another queue pair come damaged, so that it never shows as a stream"""
    for psn in range(1, 41):
        c.written(psn)
    c.qpns = {A: 0x33, B: 0x44}
    for psn in range(1, 4):
        c.write(A, psn, bad=True)


def unanswered(c, silence):
    c.written(1)
    c.write(A, 2)
    c.write(A, 3)
    c.wait(silence)
    c.pfc(MAC[B], 3, 0)


def never_answered(c):
    """two WRITEs without an answer, in a capture that goes on for 2 s"""
    unanswered(c, 2_000_000_000)


def not_yet_answered(c):
    """two WRITEs without an answer, in a capture that goes on for 0.9 s"""
    unanswered(c, 900_000_000)


def nak_waits(c, silence):
    c.written(1)
    c.write(A, 2)
    c.write(A, 3)
    c.answer(B, 2, NAK_SEQUENCE)
    c.wait(silence)
    c.pfc(MAC[B], 3, 0)


def nak_not_followed(c):
    """a sequence NAK that no resend follows, in a capture that goes on for 200 ms"""
    nak_waits(c, 200_000_000)


def nak_at_end(c):
    """a sequence NAK that no resend follows, in a capture that goes on for 50 ms"""
    nak_waits(c, 50_000_000)


def routed_twice(c):
    """30 messages, captured on both sides of a router: source MAC address and TTL differ"""
    router = bytes.fromhex("020000000a99")
    for psn in range(1, 31):
        for send, src in ((c.write, A), (c.answer, B)):
            send(src, psn)
            c.ids[src] -= 1
            send(src, psn, ttl=63, mac=router)


def older_than_first(c):
    """a loss and its recovery; the first packet has a time of 1 ms later"""
    c.written(1)
    c.write(A, 3)
    c.answer(B, 2, NAK_SEQUENCE)
    c.write(A, 2)
    c.write(A, 3)
    c.answer(B, 3, msn=3)
    c.records[0] = (c.records[0][0] + 1_000_000, c.records[0][1])


def rnr_timer_zero(c):
    """one RNR NAK with timer code 0: 655.36 ms"""
    c.written(1)
    c.roce(A, SEND_ONLY, 2, b"", bytes(64), ack=True)
    c.answer(B, 2, RNR)
    c.wait(655_400_000)
    c.roce(A, SEND_ONLY, 2, b"", bytes(64), ack=True)
    c.answer(B, 2, msn=2)


def nak_invalid_rd(c):
    """NAK code 4"""
    c.written(1)
    c.write(A, 2)
    c.answer(B, 2, NAK_INVALID_RD)


def pfc_storm(c):
    """one port pauses priority 3 for 300 ms on a 10 Gbit/s link (give --link-rate 10G)"""
    c.written(1)
    for _ in range(100):
        c.pfc(MAC[B], 3, 65535)
        c.wait(3_000_000)
    c.pfc(MAC[B], 3, 0)
    c.written(2)


def pause_in_vain(c):
    """one XOFF; WRITEs of that priority to that port go on every 200 us, as before"""
    for psn in range(1, 101):
        if psn == 41:
            c.pfc(MAC[B], 3, 0xFFFF)
        c.written(psn)
        c.wait(199_000)


def pfc_short(c):
    """the same port pauses for 100 ms"""
    c.written(1)
    for _ in range(33):
        c.pfc(MAC[B], 3, 65535)
        c.wait(3_000_000)
    c.pfc(MAC[B], 3, 0)
    c.wait(800_000_000)
    c.written(2)


def mutual_pause(c):
    """both ports of a link pause priority 3 at once"""
    c.written(1)
    for _ in range(3):
        c.pfc(MAC[A], 3, 65535)
        c.pfc(MAC[B], 3, 65535)
        c.wait(1_000_000)
    c.pfc(MAC[A], 3, 0)
    c.pfc(MAC[B], 3, 0)
    c.wait(1_000_000)
    c.written(2)


def pause_in_turn(c):
    """both ports pause priority 3, one after the other"""
    c.written(1)
    for mac in (MAC[A], MAC[B]):
        c.pfc(mac, 3, 65535)
        c.wait(1_000_000)
        c.pfc(mac, 3, 0)
        c.wait(1_000_000)
    c.written(2)


def pause_ignored(c):
    """B pauses priority 3 (DSCP 26), A sends 20 packets of it all the same"""
    c.written(1)
    c.pfc(MAC[B], 3, 65535)
    c.wait(100 * US)
    for psn in range(2, 22):
        c.write(A, psn)
    c.pfc(MAC[B], 3, 0)
    c.answer(B, 21, msn=21)


def pause_respected(c):
    """B pauses priority 3, A waits"""
    c.written(1)
    c.pfc(MAC[B], 3, 65535)
    c.wait(100 * US)
    c.pfc(MAC[B], 3, 0)
    for psn in range(2, 22):
        c.written(psn)


def fragments(c):
    """a RoCEv2 packet as two IP fragments"""
    c.written(1)
    udp = struct.pack(">HHHH", 0xC123, 4791, 8 + 16 + 1016, 0)
    first = udp + struct.pack(">BBHII", SEND_ONLY, 0x40, 0xFFFF, QPN[B], 2) + bytes(492)
    c.ip(A, first, fragment=0x2000, ident=77)
    c.ip(A, bytes(528), fragment=len(first) // 8, ident=77)
    c.written(3)


def message(c, psn, size):
    c.roce(A, WRITE_FIRST, psn, RETH, bytes(size))
    c.roce(A, WRITE_MIDDLE, psn + 1, b"", bytes(size))
    c.roce(A, WRITE_LAST, psn + 2, b"", bytes(size), ack=True)
    c.answer(B, psn + 2, msn=psn)


def mtu_trouble(c):
    """a connection with a path MTU of 1024 sends a message in packets of 512"""
    message(c, 1, 1024)
    message(c, 4, 1024)
    message(c, 7, 512)


def second_mac(c):
    """packets of one stream come from a second MAC address"""
    for psn in range(1, 5):
        c.written(psn)
    c.written(5, mac=bytes.fromhex("0200000000ee"))
    c.written(6)


def priority_changes(c):
    """one data packet has DSCP 0 instead of 26"""
    for psn in range(1, 5):
        c.written(psn)
    c.written(5, tos=0x02)
    c.written(6)


def mixed_priority(c):
    """A sends data with DSCP 26, B with DSCP 0"""
    for psn in range(1, 5):
        c.written(psn)
    for psn in range(1, 5):
        c.write(B, psn, tos=0x02)
        c.answer(A, psn, msn=psn)


def path_change(c):
    """the TTL falls from 62 to 61 in the middle of a stream"""
    for psn in range(1, 5):
        c.written(psn, ttl=62)
    for psn in range(5, 9):
        c.written(psn, ttl=61)


def reordered(c):
    """two packets overtake each other, nobody asks for them again"""
    c.written(1)
    idents = {psn: c.ids[A] + psn - 2 for psn in (2, 3, 4)}
    for psn in (2, 4, 3):
        how = c.ids[A]
        c.ids[A] = idents[psn]
        c.write(A, psn)
        c.ids[A] = max(how, idents[psn] + 1)
    c.answer(B, 4, msn=4)
    for psn in range(5, 60):
        c.written(psn)


def times_missing(c):
    """packets overtake each other; the first two, and one of those, have no time"""
    reordered(c)
    c.untimed = {1, 2, 5, 20}


def impossible_records(c):
    """a packet of more captured bytes than its length on the wire, times of 1.5 s behind the second"""
    reordered(c)
    c.oddities = {5: "length", 20: "fraction", 21: "fraction"}


def icrc_unusable(c):
    """all ICRCs are wrong, as if the packets had been rewritten"""
    for psn in range(1, 60):
        c.write(A, psn, bad=True)
        c.answer(B, psn, msn=psn, bad=True)


def ce_without_cnp(c):
    """20 packets marked CE, and never a CNP"""
    for psn in range(1, 21):
        c.written(psn, tos=0x6B)


def cnp_ignored(c):
    """a steady stream, marked, with a CNP every 2 ms that changes nothing"""
    for psn in range(1, 451):
        if psn % 80 == 0:
            c.roce(B, CNP, 0, bytes(16), tos=0xC0)
        c.roce(A, SEND_ONLY, psn, b"", bytes(32), tos=0x6B if psn % 20 == 0 else 0x6A)
        c.wait(24 * US)
        if psn % 50 == 0:
            c.answer(B, psn, msn=psn)


def mpa_crc(c):
    """siw/siw_ops_crc.A, its first 60 packets; the last byte of frame 21, of the CRC of a WRITE, is flipped"""
    packets = c.read("siw/siw_ops_crc.A.pcap.gz")[:60]
    large = max(range(20, 50), key=lambda i: len(packets[i][1]))
    now, data = packets[large]
    packets[large] = (now, data[:-1] + bytes([data[-1] ^ 0xFF]))
    c.records = packets


def cm_unanswered(c):
    """the connection request of rxe/cm_reject.A three times, four seconds apart, no answer"""
    request = c.read("rxe/cm_reject.A.pcap.gz")[0][1]
    for _ in range(3):
        c.frame(request)
        c.wait(4_000_000_000)
    c.pfc(MAC[B], 3, 0)


def zero_window(c):
    """siw/siw_rping.A; in the middle one side closes its window for 5 ms"""
    packets = c.read("siw/siw_rping.A.pcap.gz")
    middle = next(i for i in range(len(packets) // 2, len(packets)) if packets[i][1][46] >> 4 == 8 and
                  len(packets[i][1]) <= 66)
    now, data = packets[middle]
    closed = data[:48] + b"\0\0" + data[50:]
    c.records = packets[:middle] + [(now, closed)]
    c.records += [(time + 5_000_000, packet) for time, packet in packets[middle:]]


def fpdu_at(packet, control):
    """where an FPDU with these control bytes begins in a packet whose TCP has time stamps"""
    return 66 if len(packet) > 70 and packet[68:70] == control else None


def msn_gap(c):
    """siw/siw_rping.A; one SEND in the middle has an MSN that is higher by five"""
    c.records = c.read("siw/siw_rping.A.pcap.gz")
    sends = [i for i, (_, data) in enumerate(c.records) if fpdu_at(data, b"\x41\x43") is not None]
    now, data = c.records[sends[10]]
    msn = struct.unpack(">I", data[78:82])[0]
    c.records[sends[10]] = (now, data[:78] + struct.pack(">I", msn + 5) + data[82:])


def mpa_framing(c):
    """siw/siw_rping.A; the length of one FPDU in the middle is wrong"""
    c.records = c.read("siw/siw_rping.A.pcap.gz")
    sends = [i for i, (_, data) in enumerate(c.records) if fpdu_at(data, b"\x41\x43") is not None]
    now, data = c.records[sends[10]]
    c.records[sends[10]] = (now, data[:66] + b"\0\x09" + data[68:])


def mpa_crc_off(c):
    """siw/siw_ops_nocrc.A up to a WRITE segment without acknowledgement, which goes out again 0.2 s later"""
    c.records = c.read("siw/siw_ops_nocrc.A.pcap.gz")[:27]
    now, data = c.records[-1]
    head = data[14:18] + struct.pack(">H", struct.unpack(">H", data[18:20])[0] + 1) + data[20:24] + b"\0\0" + data[26:34]
    head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
    c.records.append((now + 200_000_000, data[:14] + head + data[34:]))


def lpcrc(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xD008 if crc & 1 else 0)
    return struct.pack("<H", crc ^ 0xFFFF)


def credits(c):
    """flow control of one InfiniBand link (ERF): port 1 has sent 100 blocks, port 2 takes no more"""
    c.linktype = 197
    for sent, limit in ((90, 400), (50, 100), (100, 400), (50, 100), (100, 400), (50, 228), (110, 400)):
        data = struct.pack(">HH", sent, limit)
        stamp = struct.pack("<Q", (c.now // 10**9 << 32) | (c.now % 10**9 * 2**32 // 10**9))
        c.frame(stamp + struct.pack(">BBHHH", 0x19, 4, 24, 0, 6) + data + lpcrc(data) + b"\0\0")


def out_of_step(c):
    """the acknowledgements of the last four of twenty WRITEs are recorded a microsecond before them"""
    for psn in range(1, 17):
        c.written(psn)
    for psn in range(17, 21):
        c.answer(B, psn, msn=psn)
        c.write(A, psn)


def one_port(c):
    """six queue pairs between two hosts, all with the same UDP source port"""
    for qp in range(6):
        c.qpns = {A: 0x100 + qp, B: 0x200 + qp}
        for psn in range(1, 4):
            c.written(psn)


CASES = [never_answered, not_yet_answered, nak_not_followed, nak_at_end, routed_twice, older_than_first, rnr_mixed, nak_reserved, damaged_alone, out_of_step, one_port, mpa_crc, msn_gap, mpa_framing, mpa_crc_off, cm_unanswered, zero_window, credits, rnr_gives_up, rnr_timer_zero, nak_invalid_rd, pfc_storm, pfc_short, pause_in_vain, mutual_pause, pause_in_turn,
         pause_ignored, pause_respected, fragments, mtu_trouble, second_mac, priority_changes, mixed_priority,
         path_change, reordered, times_missing, impossible_records, icrc_unusable, ce_without_cnp, cnp_ignored]

if __name__ == "__main__":
    for case in CASES:
        capture = Capture()
        case(capture)
        capture.save(Path(sys.argv[1]) / ("finding-%s.pcap" % case.__name__.replace("_", "-")))
