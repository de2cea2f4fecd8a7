#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mutate.py PROGRAM [--variants N] [--seed N] [--keep FOLDER] CAPTURE...: N damaged and garbled copies of
real captures, whole ones, each capture in turn; some of them as ERF or snoop, which libwiretap reads.

A variant has bytes flipped, is cut, has records cut, repeated, reordered or removed, or what lies between them
broken. Then every command must end with the exit status that it should, in a time bounded by the number
of packets, in bounded memory, and:
- damage of a pcap or pcapng file is named with its frame and byte, which a reader in containers.py finds too;
  everything else is read to its end;
- `dump` and `events` say of the packets before the first change what they say of them in the original;
- `stats`, `flows`, `events` and `check` say of a damaged file what they say of its undamaged part.
"""
import argparse
import collections
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

import containers
import mutations

MEMORY = 256 << 20  # bytes of resident memory, with the sanitizers
TIMEOUT = 60  # seconds of processor time for whatever is a hang
START, PER_PACKET = 1, 0.0005  # seconds of processor time that a run may take, with the sanitizers
DUMP, EVENTS = ["dump", "-f", "jsonl"], ["events", "-f", "jsonl"]
REPORTS = (["stats", "-f", "json"], ["flows", "-f", "json"], EVENTS, ["check", "-f", "json"])
OTHERS = (["stats"], ["stats", "--all"], ["flows", "-f", "csv"], ["check"], ["dump", "-v"])
# By kind of event. How long a sender waits, so which resends are of its timer, whether their originals come
# late, and whose a CNP is that came before its connection's packets, may show later on.
LATER = {"retransmission": ("trigger", "trigger_frame", "certain", "spurious"), "cnp": ("connection", "direction")}
NAME = "variant"
PLACE = re.compile(rb"^rdmapcap: variant: .*\(at frame (\d+), byte (\d+)\); only what comes before it was read$", re.M)
ERROR = re.compile(rb"^rdmapcap: (?!note: )", re.M)


class Wrong(Exception):
    pass


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Run:
    """One command on one file: exit status, output, messages. Raises Wrong where it died or took too much.

    libwiretap, which reads all but pcap and pcapng, loses what it made of an ERF record that it then refuses: no
    leaks are looked for there."""
    most_memory, most_seconds = 0, 0

    def __init__(self, program, args, data, packets, work, kind):
        env = os.environ if kind.startswith("pcap") else os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
        with open(os.path.join(work, NAME), "wb") as file:
            file.write(data)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen([program, *args, NAME], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       cwd=work, preexec_fn=limit, env=env)
            _, status, usage = os.wait4(process.pid, 0)
            self.status = process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read(), err.read()
        what = " ".join(args)
        Run.most_memory = max(Run.most_memory, usage.ru_maxrss * 1024)
        seconds = usage.ru_utime + usage.ru_stime
        Run.most_seconds = max(Run.most_seconds, seconds)
        if self.status not in ((0, 1, 3, 4) if args[0] == "check" else (0, 3)):
            raise Wrong(f"{what}: exit status {self.status}\n" + self.err.decode(errors="replace")[-3000:])
        if (self.status == 3) != bool(ERROR.search(self.err)):
            raise Wrong(f"{what}: exit status {self.status}, but says\n" + self.err.decode(errors="replace")[-3000:])
        if usage.ru_maxrss * 1024 > MEMORY:
            raise Wrong(f"{what}: {usage.ru_maxrss >> 10} MiB of memory")
        if seconds > START + packets * PER_PACKET:
            raise Wrong(f"{what}: {seconds:.1f} seconds for {packets} packets")


def report(args, run):
    """What a command says of the capture, without what it says of its damage"""
    if args[-1] != "json":
        return run.out
    said = json.loads(run.out)
    for part in (said, said.get("capture"), *said.get("captures", ())):
        for key in ("partial", "damage", "status", "exit_status"):
            if part:
                part.pop(key, None)
    return said


def decided(events, last):
    """The events of packets before the last, which may be of the end, without what only later ones tell"""
    found = [event for event in map(json.loads, events.splitlines())
             if event["frame"] is not None and event["frame"] < last and event["kind"] != "retry_exhausted"
             and not (event["kind"] == "hole_closed" and event["as"] == "open")]
    for event in found:
        for key in LATER.get(event["kind"], ()):
            event.pop(key, None)
    return found


def hashes(text):
    """Of its lines: what this process holds in memory counts as its children's"""
    return [hash(line) for line in text.splitlines()]


class Variant:
    """A capture after mutations, and what must hold of it"""

    def __init__(self, capture, original, rng):
        self.capture, self.original, self.rng = capture, original, rng
        self.mutations = rng.sample(mutations.ALL, rng.choice((1, 1, 2)))
        records = list(capture.records)
        same = len(records)  # records before the first change
        for mutation in self.mutations:
            same = min(same, mutation(rng, capture, records)) if records else 0
        self.packets, self.same = len(records), sum(capture.is_packet[:same])
        self.data = capture.header + b"".join(records)
        self.whole = None  # the part before damage
        if self.mutations == [mutations.cut_file]:
            self.whole = capture.header + b"".join(capture.records[:same])

    def run(self, program, args, work, data=None):
        return Run(program, args, self.data if data is None else data, self.packets, work, self.capture.kind)

    def check(self, program, work):
        """Raises Wrong"""
        dump = self.run(program, DUMP, work)
        self.check_damage(dump)
        lines = hashes(dump.out)
        if lines[:self.same] != self.original.dump[:self.same] and not self.not_recognised(dump):
            raise Wrong(f"dump: says something else of the {self.same} packets before the first change")
        if dump.status == 0:
            self.check_events(self.run(program, EVENTS, work))
        if self.whole is not None:
            for args in REPORTS:
                self.check_whole(program, args, work)
        self.run(program, self.rng.choice(OTHERS), work)

    def not_recognised(self, dump):
        """What libwiretap reads is believed by its first records: where they are damaged it is no capture"""
        return (self.capture.kind in ("erf", "snoop") and self.same < 20 and dump.status == 3 and not dump.out
                and re.search(rb" is (no capture of a known format|empty) ", dump.err) is not None)

    def check_damage(self, dump):
        """Is it named, with the place where a reader that keeps to the format must stop?"""
        named = [(int(frame), int(byte)) for frame, byte in PLACE.findall(dump.err)]
        sound = containers.sound_part(self.capture.kind, self.data)
        if sound is not None:
            packets, at = sound
            expected = [] if at == len(self.data) else [(packets + 1, at)]
            if named != expected:
                raise Wrong(f"names damage at {named} (frame, byte), which is at {expected}")
            lines = dump.out.splitlines()
            if len(lines) != packets:
                raise Wrong(f"dump: {len(lines)} packets, where {packets} can be read")
            if expected:
                self.whole = self.data[:at]
        elif self.not_recognised(dump):
            self.whole = None
        elif len(named) != (dump.status == 3):
            raise Wrong("does not name the place of damage: " + dump.err.decode(errors="replace"))
        elif self.whole is not None and dump.status == 3 and named[0][0] != self.same + 1:
            raise Wrong(f"names damage at {named}, which is behind {self.same} packets")

    def check_events(self, events):
        if decided(events.out, self.same) != decided(self.original.events, self.same):
            raise Wrong(f"events: says something else of the {self.same} packets before the first change")

    def check_whole(self, program, args, work):
        if report(args, self.run(program, args, work)) != report(args, self.run(program, args, work, self.whole)):
            raise Wrong(" ".join(args) + ": says something else of the part before the damage")


class Original:
    """What is said of a capture as it is"""

    def __init__(self, program, capture, work):
        data = capture.header + b"".join(capture.records)
        self.dump = hashes(Run(program, DUMP, data, len(capture.records), work, capture.kind).out)
        self.events = Run(program, EVENTS, data, len(capture.records), work, capture.kind).out


def choose_captures(paths, program):
    """All of the captures, as they are (None), and two of three of them in another format as well"""
    kinds = ["pcapng"]
    if b"libwiretap" in subprocess.run([program, "version"], capture_output=True, check=True).stdout:
        kinds += ["erf", "snoop"]
    found = [path for path in sorted(paths) if usable(containers.read(path))]
    others = [(path, kinds[k % len(kinds)]) for k, path in enumerate(found) if k % 9 < 6]
    return ([(path, None) for path in found]
            + [(path, kind) for path, kind in others if containers.converted(containers.read(path), kind)])


def usable(capture):
    return capture is not None and len(capture.records) > 1


def load(path, kind):
    return containers.converted(containers.read(path), kind) if kind else containers.read(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("captures", nargs="+")
    parser.add_argument("--variants", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".", help="folder for variants that fail")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    captures = choose_captures(options.captures, options.program)
    originals, kinds, seen, turn = {}, collections.Counter(), set(), []
    failed, compared, damaged = 0, 0, 0
    with tempfile.TemporaryDirectory() as work:
        for made in range(1, options.variants + 1):
            if not turn:
                turn = rng.sample(captures, len(captures))
            capture = load(*turn.pop())
            seen.add(capture.name)
            kinds[capture.kind] += 1
            if capture.name not in originals:
                originals[capture.name] = Original(options.program, capture, work)
            variant = Variant(capture, originals[capture.name], rng)
            try:
                variant.check(options.program, work)
            except Wrong as wrong:
                failed += 1
                kept = os.path.join(options.keep, f"variant-{options.seed}-{made}")
                with open(kept, "wb") as file:
                    file.write(variant.data)
                print(f"{capture.name}, seed {options.seed}, variant {made} "
                      f"({', '.join(m.__name__ for m in variant.mutations)}), kept as {kept}: {wrong}")
            compared += variant.same
            damaged += variant.whole is not None
    print(f"{options.variants} variants ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}) of {len(seen)} "
          f"captures, {damaged} of them damaged as files, {failed} failed; {compared} packets before changes compared; "
          f"at most {Run.most_memory >> 20} MiB and {Run.most_seconds:.1f} s a command")
    if len(seen) < len(captures):
        print(f"{len(captures) - len(seen)} captures were never used: more variants are needed")
    sys.exit(1 if failed or compared == 0 or damaged == 0 or len(seen) < len(captures) else 0)


main()
