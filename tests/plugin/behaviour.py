# SPDX-License-Identifier: GPL-2.0-or-later
"""behaviour.py PLUGIN CAPTURES: what the plugin does beyond its fields. Each function below is a
test; a line is printed for each that fails."""
import gzip
import os
import re
import shutil
import struct
import sys
import zlib

from stage import Stage


def expect(what, condition, seen=""):
    if not condition:
        raise AssertionError(f"{what}; seen: {seen}")


def column(stage, capture, *arguments):
    out, _, _ = stage.tshark("-r", capture, *arguments)
    return out.splitlines()


def fields(stage, capture, names, *arguments):
    args = ["-T", "fields"]
    for name in names:
        args += ["-e", name]
    return [line.split("\t") for line in column(stage, capture, *args, *arguments)]


def icrc(packet):
    """ICRC of a RoCEv2 packet over IPv4 that begins with its IP header"""
    masked = bytearray(b"\xff" * 8 + packet)
    for at in (1, 8, 10, 11):  # type of service, TTL, header checksum
        masked[8 + at] = 0xff
    masked[8 + 26:8 + 28] = b"\xff\xff"  # UDP checksum
    masked[8 + 28 + 4] = 0xff  # FECN, BECN, reserved
    return struct.pack("<I", zlib.crc32(bytes(masked)))


def roce(opcode, psn, payload=b"", headers=b"", sport=50000, dport=4791, src=1, dst=2):
    bth = struct.pack("!BBHII", opcode, 0, 0xffff, 0x12, psn) + headers
    size = 20 + 8 + len(bth) + len(payload) + 4
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 2, size, 0, 0x4000, 64, 17, 0, bytes([10, 0, 0, src]),
                     bytes([10, 0, 0, dst]))
    total = sum(struct.unpack("!10H", ip))
    total = (total & 0xffff) + (total >> 16)
    ip = ip[:10] + struct.pack("!H", ~total & 0xffff) + ip[12:]
    udp = struct.pack("!HHHH", sport, dport, size - 20, 0)
    inner = ip + udp + bth + payload
    return b"\x02\0\0\0\0\x02\x02\0\0\0\0\x01\x08\0" + inner + icrc(inner)


def write(stage, name, packets, snap=65535):
    path = os.path.join(stage.folder, name)
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, snap, 1))
        for i, packet in enumerate(packets):
            out.write(struct.pack("<IIII", 1, i, min(len(packet), snap), len(packet)))
            out.write(packet[:snap])
    os.chmod(path, 0o644)
    return path


SEND_ONLY, WRITE_ONLY, CNP = 0x04, 0x0a, 0x81


def test_presence(stage, captures):
    capture = stage.add(captures + "/sim/reorder.pcap.gz")
    _, _, status = stage.tshark("-r", capture, "-Y", "rdmapcap", check=False)
    expect("a filter on the protocol works", status == 0, status)
    with Stage(None) as bare:
        _, _, status = bare.tshark("-r", bare.add(capture), "-Y", "rdmapcap", check=False)
        expect("without the plugin it does not: the test would notice", status != 0, status)


def test_documented(stage, _):
    out, _, _ = stage.tshark("-G", "fields", plain=True)
    names = {line.split("\t")[2] for line in out.splitlines()
             if line.startswith("F\t") and line.split("\t")[2].startswith("rdmapcap.")}
    names = {name for name in names if not name.startswith("rdmapcap.expert")}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/wireshark.md")
    with open(path, encoding="utf-8") as f:
        documented = set(re.findall(r"^\| `(rdmapcap\.[a-z_.]+)` \| (?:frame|text|number|time|"
                                    r"present or not|yes or no|MAC) ", f.read(), re.M))
    expect("every field is documented, and no other", names == documented, names ^ documented)


def test_disabled(stage, captures):
    capture = stage.add(captures + "/sim/reorder.pcap.gz")
    lines = column(stage, capture, "--disable-protocol", "rdmapcap", "-Y", "rdmapcap.verdict")
    expect("a disabled protocol says nothing", not lines, len(lines))


def test_source_port_69(stage, _):
    capture = write(stage, "tftp.pcap", [roce(SEND_ONLY, 7, b"\0\1abcdefgh\0\0", sport=69)])
    line = column(stage, capture)[0]
    expect("RoCE from source port 69 is no TFTP", "RC Send Only" in line and "TFTP" not in line,
           line)
    line = column(stage, capture, "-o", "rdmapcap.info_column:FALSE")[0]
    expect("the preference leaves Wireshark's columns alone", "RC Send Only" not in line, line)


def test_payload_like_ip(stage, _):
    payload = b"\x08\0\0\0" + b"\x45\0\0\x1c" + bytes(24)
    reth = struct.pack("!QII", 0, 1, len(payload))
    capture = write(stage, "ip.pcap", [roce(WRITE_ONLY, 7, payload, reth)])
    line = column(stage, capture)[0]
    expect("a payload that looks like IP is none", "RC RDMA Write Only" in line, line)


def test_truncated(stage, captures):
    capture = stage.add(captures + "/sim/snaplen_96.pcap.gz")
    lines = column(stage, capture)
    expect("cut packets are not called malformed", not any("Malformed" in x for x in lines),
           next((x for x in lines if "Malformed" in x), ""))


def test_cnp(stage, captures):
    capture = stage.add(captures + "/sim/ecn_incast.pcap.gz")
    lines = column(stage, capture, "-2", "-Y", "rdmapcap.cnp")
    expect("CNPs are named, with what they slow down",
           lines and all("CNP QP=" in x and "slows connection" in x for x in lines), lines[:1])
    got = fields(stage, capture, ["rdmapcap.cnp.throttles", "rdmapcap.direction"], "-2", "-Y",
                 "rdmapcap.cnp && rdmapcap.connection")
    expect("a CNP slows the other direction", got and all(a != b for a, b in got), got[:1])


def test_rnr(stage, captures):
    capture = stage.add(captures + "/sim/rnr_send.pcap.gz")
    lines = column(stage, capture, "-Y", "rdmapcap.rnr_nak")
    expect("RNR NAKs stand in the Info column with their time",
           lines and all("[RDMA RNR NAK, wait " in x for x in lines), lines[:1])


def test_resend_marks(stage, captures):
    """The Info column says of what, and why"""
    for name, reason in (("sim/rnr_send.pcap.gz", "RNR NAK"), ("sim/loss_sender_tap.pcap.gz", "NAK"),
                         ("rxe/rc_retry_exceeded.A.pcap.gz", "timeout"),
                         ("sim/corrupt.pcap.gz", "lost response")):
        capture = stage.add(captures + "/" + name)
        resent = ["-2", "-Y", "rdmapcap.retransmission.of"]
        links = fields(stage, capture, ["rdmapcap.retransmission.of"], *resent)
        got = [(of, line) for (of,), line in zip(links, column(stage, capture, *resent))]
        expect(f"{name}: links and marks agree",
               got and all(f"etransmission of {of}" in info for of, info in got), got[:1])
        expect(f"{name}: {reason}", any(f" ({reason})]" in info for _, info in got), got[:3])
    capture = stage.add(captures + "/siw/siw_loss1.A.pcap.gz")
    lines = column(stage, capture, "-2", "-Y", "rdmapcap.tcp_retransmission")
    expect("where Wireshark's TCP calls it late, the mark does not",
           any("[RDMA TCP retransmission] [TCP Out-Of-Order]" in x for x in lines) and
           not any("[RDMA TCP retransmission] [TCP Retransmission]" in x for x in lines), lines[:2])


def test_pause(stage, captures):
    capture = stage.add(captures + "/sim/pfc_script.pcap.gz")
    got = fields(stage, capture, ["rdmapcap.pause.quanta", "rdmapcap.pause.time"], "-Y",
                 "rdmapcap.pause", "-o", "rdmapcap.link_rate:100")
    for quanta, times in got:
        want = [int(q) * 512 / 100 * 1e-9 for q in quanta.split(",")]
        seen = [float(t) for t in times.split(",")]
        expect("quanta are 512 bit times of the link", len(want) == len(seen) and
               all(abs(a - b) < 1.1e-9 for a, b in zip(want, seen)), (quanta, times))
    expect("there are pauses", got)
    lines = column(stage, capture, "-Y", "rdmapcap.pause")
    expect("the Info column has the priorities", all(", priority " in x for x in lines), lines[:1])


def test_other_port(stage, _):
    capture = write(stage, "port.pcap", [roce(SEND_ONLY, n, bytes(16), dport=5000)
                                         for n in (1, 2, 5)])
    expect("an unknown port is not RDMA", not column(stage, capture, "-Y", "rdmapcap.gap"))
    lines = column(stage, capture, "-o", "rdmapcap.rocev2.ports:4999-5001", "-Y", "rdmapcap.gap")
    expect("the preference makes it RDMA", len(lines) == 1, lines)


def test_reorder_window(stage, captures):
    capture = stage.add(captures + "/sim/rocev1.pcap.gz")
    late = column(stage, capture, "-Y", "rdmapcap.out_of_order")
    wide = column(stage, capture, "-o", "rdmapcap.reorder_window:5000", "-Y",
                  "rdmapcap.out_of_order")
    expect("a wide window makes more packets late", len(wide) > len(late), (len(late), len(wide)))


def test_streams(stage, captures):
    """Streams are numbered as they appear, whatever carries them"""
    for name in ("siw/siw_loss1.A.pcap.gz", "sim/rocev1.pcap.gz"):
        capture = stage.add(captures + "/" + name)
        seen = [int(row[0]) for row in fields(stage, capture, ["rdmapcap.stream"]) if row[0]]
        first = list(dict.fromkeys(seen))
        expect(f"{name}: streams count from 0", len(first) > 1 and first == list(range(len(first))),
               first)


def test_interfaces(stage, captures):
    """Each section of a file has interfaces of its own"""
    with open(captures + "/hand/interfaces.pcapng", "rb") as f, \
            gzip.open(captures + "/rxe/mixed_links.pcapng.gz") as g:
        both = f.read() + g.read()
    path = os.path.join(stage.folder, "sections.pcapng")
    with open(path, "wb") as out:
        out.write(both)
    os.chmod(path, 0o644)
    out, _, _ = stage.tshark("-q", "-r", path, "-z", "rdmapcap,stats")
    table = out.split("\nInterfaces\n")[1].split("\n\n")[0].splitlines()[1:]
    got = [re.split(r"\s{2,}", row.strip())[0:3:2] for row in table]
    expect("names of two sections", got == [["mlx5_0\\x1b[31m", "ethernet"], ["eth1", "ethernet"],
                                            ["unknown", "ethernet"], ["unknown", "sll2"]], got)


def test_links(stage, captures):
    """Links lead where the same fact says the reverse"""
    capture = stage.add(captures + "/sim/all_ops.pcap.gz")
    names = ["frame.number"] + ["rdmapcap." + n for n in (
        "request_in", "response_in", "acks_frame", "acked_in", "message", "message.first",
        "message.last", "rtt")]
    rows = {int(r[0]): r for r in fields(stage, capture, names, "-2")}
    answered = acked = 0
    for number, row in rows.items():
        for value in row[1:4] + row[4:5] + row[6:8]:
            expect(f"frame {number}: a link leads to a frame", value == "" or int(value) in rows,
                   value)
        if row[1]:
            expect(f"frame {number} answers an earlier frame", int(row[1]) < number, row[1])
            expect(f"frame {row[1]} knows its response", rows[int(row[1])][2] != "")
            answered += 1
        if row[3]:
            expect(f"frame {row[3]} knows that it is acknowledged", rows[int(row[3])][4] != "")
            acked += 1
        if row[6]:
            expect(f"frame {number}: messages begin before they end",
                   int(row[6]) <= number and (not row[7] or int(row[7]) >= int(row[6])), row[6:8])
            expect("a message has one number", rows[int(row[6])][5] == row[5], row)
    expect("there are answers and acknowledgements", answered and acked, (answered, acked))
    expect("there are round trips", any(r[8] and float(r[8]) > 0 for r in rows.values()))


def test_expert(stage, captures):
    capture = stage.add(captures + "/sim/corrupt.pcap.gz")
    out, _, _ = stage.tshark("-q", "-r", capture, "-z", "expert")
    for words in ("Bad ICRC", "Retransmission", "PSNs are missing"):
        expect(f"expert information has: {words}", words in out, out)
    lines = column(stage, capture, "-Y", 'rdmapcap.icrc == "bad" && !rdmapcap.icrc_bad')
    expect("each bad ICRC has its verdict", not lines, lines[:1])


def test_graphs(stage, captures):
    """I/O graphs and filters work on the fields"""
    capture = stage.add(captures + "/rxe/two_point_cm.A.pcap.gz")
    events = len(column(stage, capture, "-2", "-Y", "rdmapcap.retransmission"))
    out, _, _ = stage.tshark("-q", "-r", capture, "-z", "io,stat,0,COUNT(rdmapcap.retransmission)"
                             "rdmapcap.retransmission,MAX(rdmapcap.outstanding)"
                             "rdmapcap.outstanding,AVG(rdmapcap.rtt)rdmapcap.rtt")
    row = [cell.strip() for cell in out.splitlines()[-2].split("|")]
    expect("a graph counts what a filter finds", events > 0 and row[2] == str(events), row)
    expect("a graph has the most and the mean", int(row[3]) > 0 and float(row[4]) > 0, row)
    capture = stage.add(captures + "/sim/ecn_incast.pcap.gz")
    got = fields(stage, capture, ["rdmapcap.connection", "ip.addr"], "-2", "-Y",
                 "rdmapcap.connection == 3")
    expect("a filter on a connection finds its two ends only", len(got) > 2 and
           {x[0] for x in got} == {"3"} and len({tuple(sorted(x[1].split(","))) for x in got}) == 1,
           got[:2])


def test_conversations(stage, captures):
    capture = stage.add(captures + "/sim/xrc.pcap.gz")
    out, _, _ = stage.tshark("-q", "-r", capture, "-z", "conv,rdmapcap", "-z",
                             "endpoints,rdmapcap", "-z", "rdmapcap,tree")
    expect("queue pairs are in the tables", out.count("<->") >= 1, out)
    expect("verdicts and operations are in the tree", "XRC_SEND_FIRST" in out, out)


def test_filtered_statistics(stage, captures):
    capture = stage.add(captures + "/sim/ecn_incast.pcap.gz")
    out, _, _ = stage.tshark("-q", "-r", capture, "-z", "rdmapcap,flows,rdmapcap.dest_qpn == 0")
    expect("a filter limits a statistic", "\n   1  " not in out, out[:300])
    _, err, status = stage.tshark("-q", "-r", capture, "-z", "rdmapcap,flows,nonsense.field",
                                  check=False)
    expect("a wrong filter is refused", status != 0, (status, err))


def test_colours(stage, captures):
    profiles = os.path.join(stage.env["HOME"], ".config", "wireshark", "profiles")
    os.makedirs(profiles, exist_ok=True)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../plugin/profile/RDMA")
    target = os.path.join(profiles, "RDMA")
    os.makedirs(target, exist_ok=True)
    for name in os.listdir(source):
        with open(os.path.join(source, name), "rb") as f, \
                open(os.path.join(target, name), "wb") as g:
            g.write(f.read())
    for top, _, files in os.walk(os.path.join(stage.env["HOME"], ".config")):
        os.chmod(top, 0o777)
        for name in files:
            os.chmod(os.path.join(top, name), 0o666)
    capture = stage.add(captures + "/rxe/two_point_cm.A.pcap.gz")
    out, err, _ = stage.tshark("-C", "RDMA", "-r", capture, "-2", "--color", "-T", "fields", "-e",
                               "frame.coloring_rule.name")
    expect("no rule of the profile is dropped", "WARNING" not in err and "doesn't" not in err, err)
    expect("retransmissions have their colour", "RDMA: retransmission" in out)
    iwarp = stage.add(captures + "/siw/siw_loss1.A.pcap.gz")
    out, _, _ = stage.tshark("-C", "RDMA", "-r", iwarp, "--color", "-T", "fields", "-e",
                             "frame.coloring_rule.name", "-Y", "rdmapcap.tcp_retransmission")
    expect("those of iWARP too", set(out.splitlines()) == {"RDMA: retransmission"}, out[:200])
    line = column(stage, capture, "-C", "RDMA", "-2", "-Y", "rdmapcap.retransmission")[0]
    expect("the profile has its columns", " a_to_b " in line and " retransmission " in line, line)


def trees(answer):
    """The labels of the plugin's tree in an answer to "frame", with what is below"""
    found = []

    def walk(nodes, inside):
        for node in nodes:
            ours = inside or node.get("l", "").startswith("RDMA analysis")
            if ours:
                found.append(node.get("l"))
            walk(node.get("n", []), ours)

    walk(answer.get("result", {}).get("tree", []), False)
    return found


def test_icrc(stage, captures):
    """Checked in all four encapsulations: as it was sent, and with a byte of the payload changed"""
    for name, field in (("loss_sender_tap", 'rdmapcap.transport == "rocev2" && ip'),
                        ("ipv6", 'rdmapcap.transport == "rocev2" && ipv6'),
                        ("rocev1", 'rdmapcap.transport == "rocev1"'),
                        ("ib_erf", 'rdmapcap.transport == "ib"')):
        with gzip.open(f"{captures}/sim/{name}.pcap.gz") as f:
            good = f.read()
        order = "<" if good[0] in (0xd4, 0x4d) else ">"
        bad, at = bytearray(good), 24
        while at + 16 <= len(bad):
            captured = struct.unpack_from(order + "I", bad, at + 8)[0]
            if captured > 300:
                bad[at + 16 + captured - 30] ^= 1  # of the payload
            at += 16 + captured
        for data, verdict in ((good, "ok"), (bad, "bad")):
            path = os.path.join(stage.folder, f"{name}-{verdict}.pcap")
            with open(path, "wb") as out:
                out.write(data)
            os.chmod(path, 0o644)
            got = fields(stage, path, ["rdmapcap.icrc"], "-Y", f"({field}) && frame.len > 300 && "
                         "rdmapcap.icrc")
            expect(f"{name}: ICRCs are {verdict}", len(got) > 10 and
                   sum(row[0] == verdict for row in got) > 0.9 * len(got), got[:3])


def test_sessions(stage, captures):
    """Any order of frames, other files between, and changed preferences give the same answers"""
    if shutil.which("sharkd") is None:
        print("test_sessions: no sharkd: not tested")
        return
    one = stage.add(captures + "/rxe/two_point_cm.A.pcap.gz")
    two = stage.add(captures + "/sim/pfc_script.pcap.gz")
    frames = [331, 2, 538, 330, 331, 100, 1]

    def look(numbers):
        return [("frame", {"frame": n, "proto": True}) for n in numbers]

    plain = stage.sharkd([("load", {"file": one}), *look(frames)])
    expect("every request is answered", len(plain) == 1 + len(frames) and
           not any("error" in x for x in plain), plain)
    expect("retransmissions are shown", any("Retransmission of" in x for x in trees(plain[1])),
           trees(plain[1]))
    expect("a frame looks the same again", trees(plain[1]) == trees(plain[5]))
    mixed = stage.sharkd([("load", {"file": two}), *look([55, 1]),
                          ("setconf", {"name": "rdmapcap.link_rate", "value": "100"}), *look([55]),
                          ("load", {"file": one}), *look(frames)])
    expect("the first file's state is gone",
           [trees(x) for x in mixed[-len(frames):]] == [trees(x) for x in plain[1:]],
           mixed[-len(frames):])
    reloaded = stage.sharkd([("load", {"file": one}), *look(frames[:3]), ("load", {"file": one}),
                             ("frames", {"filter": "rdmapcap.retransmission", "limit": 5}),
                             *look(frames)])
    expect("reading it again, and a filter, change nothing",
           [trees(x) for x in reloaded[-len(frames):]] == [trees(x) for x in plain[1:]],
           reloaded[-len(frames):])
    resent = [line["num"] for line in reloaded[-len(frames) - 1]["result"]]
    expect("the filter finds them", 331 in resent, resent)
    backwards = stage.sharkd([("load", {"file": one}), *look(reversed(frames))])
    expect("the order of looking does not matter",
           [trees(x) for x in backwards[:0:-1]] == [trees(x) for x in plain[1:]])


def test_strict_memory(stage, captures):
    for name in ("sim/reorder.pcap.gz", "sim/cm.pcap.gz", "sim/pfc_storm.pcap.gz"):
        capture = stage.add(captures + "/" + name)
        plain, _, _ = stage.tshark("-r", capture, "-2", "-V")
        strict, _, _ = stage.tshark("-r", capture, "-2", "-V",
                                    env={"WIRESHARK_DEBUG_WMEM_OVERRIDE": "strict"})
        expect(f"{name}: the strict allocator changes nothing", plain == strict)


def main():
    plugin, captures = sys.argv[1:3]
    failed = False
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (len(sys.argv) > 3 and name not in sys.argv[3:]):
            continue
        with Stage(plugin) as stage:
            try:
                test(stage, captures)
            except AssertionError as error:
                failed = True
                print(f"{name}: {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
