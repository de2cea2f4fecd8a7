#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""texts.py PROGRAM [--variants N] [--seed N] CAPTURE...: no text from outside does anything but be read.

Names of files, interfaces and applications, filters, arguments and policies made of what controls a
terminal, ends a string of JSON, opens an element of XML, a command of GitHub's or a formula; and
captures with bytes flipped. Each format that comes out is read by a parser of its own.
"""
import argparse
import csv
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

HOSTILE = (
    b"\x1b[31mred\x1b]0;title\x07\x1b[2J",
    b"line\n::error file=a::injected\r\n::stop-commands::x",
    b"%0A::error::injected,file=b:c%25",
    b"=cmd|' /C calc'!A0", b"+1", b"-1+1", b"@SUM(A1)", b"\t=1", b"\r=1", b" =1", "\uff1d1".encode(), "\uff0b1".encode(),
    "\uff0d1".encode(), "\uff201".encode(), b'"', b"',\"=1,\"\n=2", b'x";=1',
    b'</testcase><script>alert(1)</script>&amp;]]>', b"\xff\xfe\x80\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80",
    "\u202e\u2066\u200f\u200b\ufeff".encode(), "\u009b31m\u0085\u2028\u2029\x7f\x08".encode(), "\ufffe\uffff\U0001ffff".encode(),
    b"\\u0000\\", b"%s%n%x{}{0}$(id)`id`",
)
COLOR = re.compile("\x1b\\[[0-9;]*m")
failures = 0


def complain(what, why, text):
    global failures
    failures += 1
    print(f"{what}: {why}: {text[:200]!r}")


def is_harmless(c):
    """Printed as it is, whatever the terminal; a character that Python's tables do not know yet may be one."""
    return c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def check_text(what, data):
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        complain(what, "is no UTF-8", data[max(0, error.start - 40):error.end + 40])
        return ""
    bad = [c for c in text if not is_harmless(c)]
    if bad:
        at = text.index(bad[0])
        complain(what, f"has {bad[0]!r} in it", text[max(0, at - 60):at + 60])
    return text


def check_color(what, data):
    check_text(what, COLOR.sub("", data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"))


def check_json(what, data):
    text = check_text(what, data)
    try:
        json.loads(text, parse_constant=lambda name: complain(what, "has a number that is none", name))
    except ValueError as error:
        complain(what, f"is no JSON: {error}", text)


def check_jsonl(what, data):
    for line in data.split(b"\n")[:-1]:
        check_json(what, line)


def check_csv(what, data):
    rows = list(csv.reader(io.StringIO(check_text(what, data))))
    for row in rows:
        if len(row) != len(rows[0]):
            complain(what, "has a row of another length", repr(row))
        for cell in row:
            if cell.lstrip(" ")[:1] in tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20") and not re.fullmatch(r"-?[0-9.e+-]+", cell):
                complain(what, "has a formula", cell)


def check_xml(what, data):
    text = check_text(what, data)
    try:
        xml.etree.ElementTree.fromstring(text.encode())
    except xml.etree.ElementTree.ParseError as error:
        complain(what, f"is no XML: {error}", text)
    if "<script" in text or "injected\n" in text:
        complain(what, "has an element from outside", text)


def check_github(what, data):
    for line in check_text(what, data).splitlines():
        if re.match(r"::[a-z-]+ file=[^,:]*(,[a-zA-Z]+=[^,:]*)*::", line) or not line.startswith("::"):
            continue
        complain(what, "has a command from outside", line)


FORMATS = (
    (("stats",), check_text), (("stats", "--all", "--color", "always"), check_color), (("stats", "-f", "json"), check_json),
    (("flows",), check_text), (("flows", "-f", "json"), check_json), (("flows", "-f", "csv"), check_csv),
    (("flows", "-c", "1", "--color", "always"), check_color), (("events",), check_text),
    (("events", "-f", "jsonl"), check_jsonl), (("events", "-f", "csv"), check_csv), (("dump", "-v"), check_text),
    (("dump", "-f", "jsonl"), check_jsonl), (("dump", "-f", "csv"), check_csv), (("check",), check_text),
    (("check", "-f", "json"), check_json), (("check", "-f", "junit"), check_xml), (("check", "-f", "sarif"), check_json),
    (("check", "-f", "github"), check_github),
)


def run(program, args, paths, folder, check):
    done = subprocess.run([os.path.abspath(program), *args, "--", *paths], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True)
    what = " ".join([*args, ascii(paths[0])])
    if done.returncode not in (0, 1, 2, 3, 4):
        complain(what, f"exit status {done.returncode}", done.stderr.decode(errors="replace")[-2000:])
    check_text(what + ", messages", done.stderr)
    if done.returncode != 2 and done.stdout:
        check(what, done.stdout)
    return done


def block(kind, body):
    body += bytes(-len(body) % 4)
    size = (len(body) + 12).to_bytes(4, "little")
    return kind.to_bytes(4, "little") + size + body + size


def options(*pairs):
    out = b"".join(code.to_bytes(2, "little") + len(text).to_bytes(2, "little") + text + bytes(-len(text) % 4)
                   for code, text in pairs)
    return out + bytes(4)


def pcapng(text, records):
    """Section, interface and packets with `text` wherever there can be one: a comment in each block too."""
    section = block(0x0a0d0d0a, bytes.fromhex("4d3c2b1a01000000ffffffffffffffff") +
                    options((1, text), (2, text), (3, text), (4, text)))
    face = block(1, bytes.fromhex("0100000000000000") + options((1, text), (2, text), (3, text), (9, b"\x09"),
                                                               (11, b"\0" + text), (12, text), (15, text)))
    packets = b"".join(block(6, bytes(4) + (i * 1000 >> 32).to_bytes(4, "little") + (i * 1000).to_bytes(4, "little") +
                             2 * len(packet).to_bytes(4, "little") + packet + bytes(-len(packet) % 4) + options((1, text)))
                       for i, packet in enumerate(records))
    return section + face + packets + block(5, bytes(12) + options((1, text)))


def read_packets(path):
    """Packets of a pcap file of Ethernet, at most 300"""
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    if data[:4] not in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") or data[20] != 1:
        return None
    packets, at = [], 24
    while at + 16 <= len(data) and len(packets) < 300:
        size = int.from_bytes(data[at + 8:at + 12], "little")
        packets.append(data[at + 16:at + 16 + size])
        at += 16 + size
    return packets


def flip(rng, packet):
    changed = bytearray(packet)
    for _ in range(rng.choice((0, 1, 10))):
        if len(changed) > 14:
            changed[rng.randrange(14, len(changed))] = rng.randrange(256)
    return bytes(changed)


def names(program, packets, folder):
    for i, text in enumerate(HOSTILE):
        name = os.path.join(os.fsencode(folder), text.replace(b"/", b"\xe2\x88\x95").replace(b"\0", b""))
        with open(name, "wb") as file:
            file.write(pcapng(text, packets))
        name = os.path.basename(name)
        for args, check in FORMATS:
            run(program, args, [name], folder, check)
        # damage, what is no capture, what is not there
        with open(os.path.join(os.fsencode(folder), name), "ab") as file:
            file.write(b"\x06\0\0\0\x01")
        for args, check in FORMATS[i % 3::3]:
            run(program, args, [name, b"gone" + name], folder, check)
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(text * 9)
        run(program, ("dump",), [name], folder, check_text)


def arguments(program, capture, folder):
    for i, text in enumerate(HOSTILE):
        text = text.replace(b"\0", b"")
        for option in (b"--bpf=", b"--kind=", b"--sort=", b"--max=", b"--max=psn_gaps=", b"--expect-dscp=", b"--link-rate=",
                       b"--color=", b"--policy=", b"--format=", b"--"):
            run(program, (("flows", "check")[i % 2], os.fsdecode(option + text)), [capture], folder, check_text)
        for policy in (text, b"[" + text + b"]\na=1\n", b"[limits]\n" + text + b"=1\n", b"[limits]\npsn_gaps=" + text,
                       b"[expect]\ndscp=" + text):
            with open(os.path.join(folder, "policy"), "wb") as file:
                file.write(policy)
            run(program, ("check", "--policy", "policy", "-f", "json"), [capture], folder, check_json)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("captures", nargs="+")
    parser.add_argument("--variants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    captures = [packets for path in asked.captures if (packets := read_packets(path))]
    with tempfile.TemporaryDirectory() as folder:
        names(asked.program, rng.choice(captures)[:100], folder)
        capture = os.path.join(folder, "capture")
        with open(capture, "wb") as file:
            file.write(pcapng(b"eth0", captures[0][:40]))
        arguments(asked.program, capture, folder)
        for _ in range(asked.variants):
            packets = [flip(rng, packet) for some in rng.sample(captures, min(4, len(captures))) for packet in some[:100]]
            with open(capture, "wb") as file:
                file.write(pcapng(rng.choice(HOSTILE), packets))
            for args, check in rng.sample(FORMATS, 6):
                run(asked.program, args, [capture], folder, check)
    print(f"{len(HOSTILE)} texts, {asked.variants} variants of {len(captures)} captures, {failures} failures")
    sys.exit(failures > 0)


main()
