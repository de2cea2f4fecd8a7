#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""adversaries.py PROGRAM ADVERSARY NAME COUNT MIB: every command reads hostile capture NAME of COUNT rounds
within MIB of address space (0: any, for the sanitizers reserve more than there is) and SECONDS of processor
time, ends with the status that it should, and reports what is in the capture, as adversary.c made it: no
packet is left out without a word.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

SECONDS = 60
ALL_PARSED = 100 << 20  # bytes of JSON; of more only the start is looked at
INTERFACES_MAX, TEXTS_MAX = 1 << 20, 64  # MiB
TOLD_APART = 1 << 11  # interfaces with a sender each, by the engine
PFC_SOURCES_MAX = 4096
FOLLOWED_AT_LEAST = 400000  # connections
TIME_LAST_NS = 1 << 62
COMMANDS = ("stats", "stats -f json", "flows", "flows -f json", "events -f jsonl", "check", "dump -f csv",
            "dump -v --limit 2000")
UINT64_MAX, INT64_MAX = (1 << 64) - 1, (1 << 63) - 1


# Each returns what `stats -f json` must say, by path, and the exit status of `check` where it is not 0.

def new_qp(n):
    """Beyond the memory for the state of streams, what is not followed is counted"""
    if n <= FOLLOWED_AT_LEAST:
        return one_packet_each(n)
    return {"connections": lambda c: FOLLOWED_AT_LEAST < c < n, "transports.rocev2.packets": n,
            "capture.limits_reached": True, "capture.not_followed_packets": lambda p: 0 < p < n - FOLLOWED_AT_LEAST,
            "connections and packets not followed": n}, 4


def one_packet_each(n):
    return {"connections": n, "totals.packets": n, "totals.messages.SEND": n, "transports.rocev2.packets": n,
            "findings.one-way": n}, 0


def addresses(n):
    return {**one_packet_each(n)[0], "totals.ce_packets": n}, 0


def new_tcp(n):
    return {"connections": 0, "transports": {}, "other_protocols.TCP.packets": n}, 4


def setups(n):
    return {"connections": 0, "setup.cm_messages": n, "setup.requests": n, "setup.repeated_requests": 0,
            "setup.established": 0, "findings.cm-unanswered": 1}, 4


def open_messages(n):
    return {"connections": min(n, 50000), "totals.packets": n, "totals.messages.RDMA_READ": n // 2,
            "totals.messages.SEND": None}, 0


def encapsulations(n):
    """Those in VXLAN are a network each, the others one: every third of its PSNs went elsewhere"""
    tunnelled = sum(i % 3 == 1 for i in range(n))
    return {"connections": 1 + tunnelled, "totals.packets": n, "totals.messages.SEND": n,
            "totals.lost_before_tap": sum(i % 3 == 1 for i in range(n - 1)),
            "findings.priority-changes": sum(i % 3 != 1 and i > 0 for i in range(n))}, 1


def losses(n):
    return {"capture.packets": 3 * n, "connections": 1, "totals.packets": 3 * n, "totals.naks.sequence": n}, 1


def tcp_holes(n):
    """Nothing is acknowledged: that a packet is lost, or missed by the capture, can't be said"""
    return {"connections": 512, "totals.packets": n, "totals.holes_open": n - 512, "totals.payload_bytes": 0,
            "transports.iwarp.packets": n, "findings.missing-at-the-end": -(-n // 512) - 1,
            "findings.capture-incomplete": None, "findings.loss-before-tap": None}, 1


def tcp_backwards(n):
    return {"connections": 1, "totals.packets": n, "transports.iwarp.packets": n,
            "findings.reordering-with-resends": lambda late: 0 < late <= n,
            "findings.capture-incomplete": None}, 1


def nested(n):
    return {"connections": 0, "other_protocols.GRE.packets": n // 2, "other_protocols.other.packets": n // 2,
            "notes.too_deep": n}, 4


def times(n):
    years = (0, 4294967295, 1700000000, 1, 2147483648, 1700000001)
    seconds = [years[i % 6] for i in range(n)]
    return {"connections": 1, "totals.packets": n, "capture.odd_records": 0,
            "capture.time_runs_back": sum(a >= b for a, b in zip(seconds, seconds[1:])),
            "capture.last_time_ns": lambda ns: ns // 10**9 == max(years),
            "findings.time-disorder": lambda older: older >= n // 2}, 0


def sizes(n):
    nothing = sum(i % 3 == 0 for i in range(n))
    return {"connections": 1, "totals.packets": n - nothing, "other_protocols.other.packets": nothing,
            "capture.snaplen_truncated_packets": sum(i % 6 == 3 for i in range(n)),
            "notes.header_truncated": sum(i % 6 == 3 for i in range(n)),
            "capture.bytes": sum(((1 << 32) - 1) * (i % 2) if i % 3 == 0 else 262144 if i % 3 == 1 else 74
                                 for i in range(n)),
            "totals.lost_before_tap": sum(i % 3 == 0 for i in range(1, n))}, 1


def resolutions(n):
    ticks = (0, 1, UINT64_MAX, INT64_MAX, 1 << 63, 1000000000)
    late = 0
    for i in range(n):
        face = i % 256
        unit = 1 << (face & 0x7f) if face & 0x80 else 10 ** (face & 0x7f)
        late += ticks[i % 6] * 10**9 // unit > TIME_LAST_NS
    return {"connections": 1, "totals.packets": n, "capture.interfaces": 256, "capture.odd_records": late,
            "capture.last_time_ns": TIME_LAST_NS, "capture.warnings": 1}, 0


def pauses(n):
    """16 frames of one sender have the same state; of more senders than are told apart the rest is counted"""
    return {"connections": 1, "capture.packets": 2 * n, "transports.macctrl.packets": n,
            "capture.limits_reached": n > PFC_SOURCES_MAX,
            "pfc_frames_not_counted": n - PFC_SOURCES_MAX if n > PFC_SOURCES_MAX else 0}, 0


def interfaces(n):
    """Each has one packet, whose ICRC is wrong; of more interfaces than are told apart that means nothing"""
    read = min(n, INTERFACES_MAX)
    return {"connections": 1, "capture.packets": read, "totals.packets": read, "capture.interfaces": read}, int(n <= TOLD_APART)


def names(n):
    return {"capture.packets": lambda packets: 0 < packets < n}, None


EXPECTED = {f.__name__: f for f in (new_qp, addresses, new_tcp, setups, open_messages, encapsulations, losses, tcp_holes,
                                    tcp_backwards, nested, times, sizes, resolutions, pauses, interfaces, names)}
EXPECTED["collisions"] = one_packet_each


def damage_of(name, n):
    """What messages say where not all of the capture can be read"""
    if name == "interfaces" and n > INTERFACES_MAX:
        return f"is one more than the {INTERFACES_MAX} that are supported (at frame {INTERFACES_MAX + 1}, byte "
    return f"are more than {TEXTS_MAX} MiB (at frame " if name == "names" else None


def run(program, command, folder, mib):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if mib:
            resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))
    with open(os.path.join(folder, "out"), "wb") as out:
        return subprocess.run([program, *command.split(), "capture"], cwd=folder, stdout=out,
                              stderr=subprocess.PIPE, preexec_fn=limit, check=False)


def value_at(said, path):
    for key in path.split("."):
        if isinstance(said, list):  # findings: the first of an id; notes: packets of an id; interfaces: how many
            found = [entry for entry in said if entry["id"] == key]
            said = found[0].get("value", found[0].get("packets")) if found else None
        else:
            said = said.get(key) if said is not None else None
    return len(said) if isinstance(said, list) else said


def wrong_values(said, expected):
    for path, want in expected.items():
        got = value_at(said, path)
        if not (want(got) if callable(want) and got is not None else got == want):
            yield f"{path} is {got}" + ("" if callable(want) else f", not {want}")


def main():
    program, adversary = map(os.path.abspath, sys.argv[1:3])
    name, n, mib = sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    expected, check_status = EXPECTED[name](n)
    damage = damage_of(name, n)
    expected = {"capture.packets": n, "capture.partial": damage is not None, "capture.limits_reached": False,
                "capture.not_followed_packets": 0, **expected}
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "capture"), "wb") as out:
            subprocess.run([adversary, name, str(n)], stdout=out, check=True)
        for command in COMMANDS if n <= FOLLOWED_AT_LEAST or name != "new_qp" else ("stats -f json", "check"):
            done = run(program, command, folder, mib)
            stops = "--limit" in command  # before the damage
            status = 3 if damage and not stops else check_status if command == "check" else 0
            if done.returncode != status:
                wrong.append(f"{command}: exit status {done.returncode}, not {status}\n"
                             + done.stderr.decode(errors="replace")[-2000:])
            if damage and not stops and damage not in done.stderr.decode():
                wrong.append(f"{command}: does not say: {damage}")
            if command == "stats -f json" and os.path.getsize(os.path.join(folder, "out")) < ALL_PARSED:
                with open(os.path.join(folder, "out")) as file:
                    said = json.load(file)
                said["connections and packets not followed"] = (said["connections"]
                                                                + said["capture"]["not_followed_packets"])
                wrong += wrong_values(said, expected)
            elif command == "dump -f csv":
                with open(os.path.join(folder, "out"), "rb") as file:
                    rows = sum(1 for _ in file) - 1
                wanted = expected["capture.packets"]
                if not (wanted(rows) if callable(wanted) else rows == wanted):
                    wrong.append(f"dump: {rows} packets")
    print("\n".join(f"{name}, {n} rounds: {line}" for line in wrong) or f"{name}, {n} rounds: as it should be")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
