# SPDX-License-Identifier: GPL-2.0-or-later
"""equal.py RDMAPCAP PLUGIN [--window US] CAPTURE...: Wireshark's fields say what the command says.

With two passes every event of every frame is the same, with all its values. With one pass what is
said is the same, but what only later packets settle may be missing: for all fields that the plugin
has, those too that the command does not print."""
import difflib
import json
import re
import subprocess
import sys
from fractions import Fraction

from stage import Stage

FIELDS = ["connection", "direction", "verdict", "gap.first_psn", "gap.count", "retransmission.of",
          "retransmission.trigger", "retransmission.trigger_frame", "retransmission.round",
          "retransmission.spurious", "retransmission.certain", "out_of_order.packets",
          "out_of_order.time", "duplicate.of", "hole_closed", "hole_closed.first_psn",
          "hole_closed.count", "nak", "rnr_nak", "pause.source", "pause.priority", "pause.quanta",
          "cm", "retry_exhausted", "retry_exhausted.tries", "opcode_name", "psn", "dest_qpn",
          "icrc", "payload_bytes", "tcp_retransmission.of", "tcp_gap", "zero_window", "mpa",
          "mpa.markers", "mpa.crc", "mpa.reject", "mpa.revision", "mpa.private_bytes", "mpa.ird",
          "mpa.ord", "framing", "msn_gap", "msn_gap.count", "terminate", "terminate.layer", "fpdu",
          "fpdu.tcp_seq", "fpdu.length", "fpdu.crc", "fpdu.markers", "fpdu.payload_bytes",
          "rdmap.opcode", "ddp.tagged", "ddp.last", "ddp.stag", "ddp.to", "ddp.qn", "ddp.msn",
          "ddp.mo"]
TIMES = {"out_of_order.time", "rnr_nak", "zero_window"}
FLAGS = {"retransmission.spurious", "retransmission.certain", "mpa.markers", "mpa.crc",
         "mpa.reject", "ddp.tagged", "ddp.last"}
SETTLED_LATE = {"hole_closed", "retry_exhausted", "teardown", "icrc_bad"}


def seconds(ns):
    return Fraction(ns, 10**9)


def expect(event, into):
    """Adds the values of an event, as Wireshark's fields would hold them"""
    def put(field, value):
        if value is not None:
            into.setdefault(field, []).append(value)

    kind = event["kind"]
    put("verdict", kind)
    if kind == "gap":
        put("gap.first_psn", event["first_psn"])
        put("gap.count", event["count"])
    elif kind == "retransmission":
        put("retransmission.of", event["original_frame"])
        for name in ("trigger", "trigger_frame", "round", "spurious", "certain"):
            put("retransmission." + name, event[name])
    elif kind == "out_of_order":
        put("out_of_order.packets", event["late_by_packets"])
        if event["late_by_ns"] is not None:
            put("out_of_order.time", seconds(event["late_by_ns"]))
    elif kind == "duplicate":
        put("duplicate.of", event["original_frame"])
    elif kind == "hole_closed":
        put("hole_closed", event["as"])
        put("hole_closed.first_psn", event["first_psn"])
        put("hole_closed.count", event["count"])
    elif kind == "nak":
        put("nak", event["code"])
    elif kind == "rnr_nak":
        put("rnr_nak", seconds(event["timer_ns"]))
    elif kind == "pause":
        put("pause.source", event["source"])
        quanta = event["quanta"]
        for priority in event["priorities"] or []:
            put("pause.priority", priority)
            put("pause.quanta", quanta[priority])
        if event["priorities"] is None:
            put("pause.quanta", quanta)
    elif kind == "cm":
        put("cm", event["message"])
    elif kind == "tcp_retransmission":
        put("tcp_retransmission.of", event["original_frame"])
    elif kind == "tcp_gap":
        put("tcp_gap", event["bytes"])
    elif kind == "zero_window":
        put("zero_window", seconds(event["stalled_ns"]))
    elif kind == "mpa":
        put("mpa", event["frame_type"])
        for name in ("markers", "crc", "reject", "revision", "private_bytes", "ird", "ord"):
            put("mpa." + name, event.get(name))
    elif kind == "framing":
        put("framing", event["as"])
    elif kind == "msn_gap":
        put("msn_gap", event["first_msn"])
        put("msn_gap.count", event["count"])
    elif kind == "terminate":
        put("terminate", event.get("code_text", "unknown"))
        put("terminate.layer", event.get("layer_name"))
    elif kind == "retry_exhausted":
        put("retry_exhausted", event["reason"])
        put("retry_exhausted.tries", event["tries"])


def parse(field, text):
    if field in TIMES:
        return Fraction(text)
    if field in FLAGS:
        return {"1": True, "0": False, "True": True, "False": False}[text]
    if text.startswith("0x"):
        return int(text, 16)
    return int(text) if text.isdigit() else text


def lines(rdmapcap, command, capture):
    done = subprocess.run([*rdmapcap(command), "--format", "jsonl", "--quiet", capture],
                          stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"rdmapcap {command}: status {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def expect_fpdus(packet, into):
    def put(field, value):
        if value is not None:
            into.setdefault(field, []).append(value)

    for fpdu in packet.get("fpdus", []):
        put("fpdu", fpdu.get("rdmap_name", "unknown"))
        put("fpdu.tcp_seq", fpdu["tcp_seq"])
        put("fpdu.length", fpdu["length"])
        put("fpdu.crc", fpdu["crc"])
        put("fpdu.markers", fpdu["markers"])
        put("fpdu.payload_bytes", fpdu.get("payload_bytes"))
        put("rdmap.opcode", fpdu["rdmap_opcode"])
        for name, value in (fpdu["ddp"] or {}).items():
            if name in ("tagged", "last", "qn", "msn", "mo"):
                put("ddp." + name, value)
            elif name in ("stag", "to"):
                put("ddp." + name, int(value, 16))


def wanted(rdmapcap, capture):
    frames = {}
    for event in lines(rdmapcap, "events", capture):
        frame = frames.setdefault(event["frame"], {"uncertain": False})
        expect(event, frame)
        if event["connection"] is not None:
            frame["connection"] = [event["connection"]]
            if event["kind"] != "hole_closed":  # an acknowledgement closes a hole of the other side
                frame["direction"] = [event["direction"]]
        frame["uncertain"] |= event.get("certain") is False
    for packet in lines(rdmapcap, "dump", capture):
        if packet.get("fpdus"):
            expect_fpdus(packet, frames.setdefault(packet["frame"], {"uncertain": False}))
        if packet.get("opcode") is None:
            continue
        frame = frames.setdefault(packet["frame"], {"uncertain": False})
        for field, key in (("opcode_name", "opcode_name"), ("psn", "psn"),
                           ("dest_qpn", "dest_qpn"), ("payload_bytes", "payload_bytes"),
                           ("icrc", "icrc")):
            if packet.get(key) is not None:
                frame[field] = [packet[key]]
    return frames


def shown(stage, capture, *passes):
    arguments = ["-r", capture, *passes, "-T", "fields", "-E", "occurrence=a", "-E",
                 "aggregator=,", "-e", "frame.number"]
    for field in FIELDS:
        arguments += ["-e", "rdmapcap." + field]
    out, _, _ = stage.tshark(*arguments)
    frames = {}
    for line in out.splitlines():
        cells = line.split("\t")
        values = {field: [parse(field, text) for text in cell.split(",")]
                  for field, cell in zip(FIELDS, cells[1:]) if cell}
        if values:
            frames[int(cells[0])] = values
    return frames


def same(field, want, got):
    if field == "icrc":
        return want == got or want == []
    if field == "fpdu.crc":  # why it is not checked stands in words
        return want == [crc for crc in got if not crc.startswith("not checked")]
    return want == got


def part_of(want, got):
    """got, with some left out of want"""
    rest = iter(want)
    return all(any(value == other for other in rest) for value in got)


def compare(want, got, one_pass):
    wrong = []
    for frame in sorted(want.keys() | got.keys()):
        w, g = want.get(frame, {}), got.get(frame, {})
        for field in FIELDS:
            a, b = w.get(field, []), g.get(field, [])
            if field in ("connection", "direction") and not a:
                continue  # no event tells
            if same(field, a, b):
                continue
            if one_pass and w.get("uncertain"):
                continue
            if one_pass and part_of(a, b):
                if field != "verdict" or set(a) - set(b) <= SETTLED_LATE:
                    continue
            wrong.append(f"  frame {frame}: {field}: the command says {a}, Wireshark {b}")
    return wrong


def every_field(stage):
    out, _, _ = stage.tshark("-G", "fields", plain=True)
    names = [line.split("\t")[2] for line in out.splitlines() if line.startswith("F\t")
             and line.split("\t")[2].startswith("rdmapcap.")]
    return [name for name in names if not name.startswith("rdmapcap.expert")]


def all_values(stage, capture, names, *arguments):
    args = ["-r", capture, *arguments, "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"]
    for name in ["frame.number", *names]:
        args += ["-e", name]
    out, _, _ = stage.tshark(*args)
    rows = (line.split("\t") for line in out.splitlines())
    return {int(row[0]): row[1:] for row in rows}


def compare_passes(stage, capture, want, options):
    """What one pass shows is a part of what two show"""
    names = every_field(stage)
    one = all_values(stage, capture, names, *options)
    two = all_values(stage, capture, names, "-2", *options)
    wrong = []
    for frame, values in one.items():
        if want.get(frame, {}).get("uncertain"):
            continue
        for name, early, late in zip(names, values, two[frame]):
            if early and not part_of(late.split(","), early.split(",")):
                wrong.append(f"  frame {frame}: {name}: one pass says {early}, two {late}")
    return wrong if len(names) > 100 else [f"  {len(names)} fields"]


def body(text):
    """Without what only the file tells, not its packets"""
    text = re.sub(r"^  (yes|likely|unknown)( +(?:Both directions|No connection here)[^\n]*\n(?:   [^\n]*\n)*)",
                  lambda m: m.group(2).split("forward")[0] + "\n", text, flags=re.M)
    sections = re.split(r"\n(?=\S)", text)
    return "\n".join(section for section in sections
                     if not section.startswith(("Capture\n", "Interfaces\n", "Where to look"))).splitlines()


def report(rdmapcap, command, capture):
    done = subprocess.run([*rdmapcap(command), "--all", capture], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return body(done.stdout.decode())


def named_interfaces(rdmapcap, capture):
    done = subprocess.run([*rdmapcap("stats"), "--format", "json", capture],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [[i["name"], i["link_type"]] for i in json.loads(done.stdout)["capture"]["interfaces"]
            if i["name"] is not None]


def shown_interfaces(text):
    table = re.search(r"^Interfaces\n.*\n((?:  .*\n)+)", text, re.M)
    rows = table.group(1).splitlines() if table else []
    rows = [re.split(r"\s{2,}", row.strip())[:3:2] for row in rows]
    return [row for row in rows if "(ERF Interface" not in row[0]]  # Wireshark's own words


def compare_reports(rdmapcap, stage, capture, options):
    """The statistics are the command's own"""
    wrong = []
    for command in ("stats", "flows"):
        out, _, _ = stage.tshark(*options, "-q", "-r", capture, "-z", "rdmapcap," + command)
        got = body(out)
        if command == "stats" and shown_interfaces(out) != named_interfaces(rdmapcap, capture):
            wrong.append(f"  interfaces: {shown_interfaces(out)}")
        want = report(rdmapcap, command, capture)
        if got != want:
            wrong.append(f"  -z rdmapcap,{command} differs from rdmapcap {command}:")
            wrong += ["    " + line for line in difflib.unified_diff(want, got, lineterm="")]
    return wrong


def main():
    program, plugin, *captures = sys.argv[1:]
    failed = False
    own, options = [], []
    if captures[0] == "--window":
        own, options = ["--reorder-window", captures[1] + "us"], ["-o", "rdmapcap.reorder_window:"
                                                                  + captures[1]]
        captures = captures[2:]

    def rdmapcap(command):
        return [program, command, *own]

    with Stage(plugin) as stage:
        for capture in captures:
            copy = stage.add(capture)
            want = wanted(rdmapcap, capture)
            for one_pass in (False, True):
                got = shown(stage, copy, *options, *([] if one_pass else ["-2"]))
                wrong = compare(want, got, one_pass)
                if wrong or not got:
                    failed = True
                    print(f"{capture}, {'one pass' if one_pass else 'two passes'}: "
                          f"{len(wrong)} differences in {len(want)} frames")
                    print("\n".join(wrong[:8]))
            wrong = compare_passes(stage, copy, want, options)
            if wrong:
                failed = True
                print(f"{capture}: {len(wrong)} contradictions", *wrong[:8], sep="\n")
            wrong = compare_reports(rdmapcap, stage, copy, options)
            if wrong:
                failed = True
                print(f"{capture}:", *wrong[:20], sep="\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
