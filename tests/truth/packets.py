#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `rdmapcap dump` with the truth of a simulated capture, packet by packet.

    packets.py RDMAPCAP NAME.truth.json[.gz]

Exit status: 0 all equal, 1 differences (printed), 2 usage, 77 the truth has no packets.
"""
import os
import sys

from compare import Row, ask, load_json, beside

TRANSPORTS = {"rocev2": "rocev2", "rocev1": "rocev1", "ib": "ib"}
SYNDROMES = {"ack": "ack", "rnr": "rnr_nak", "nak_seq": "nak", "nak_access": "nak", "nak_invalid": "nak", "nak_operational": "nak"}


def expected(row, connections):
    """What the packet must look like: {key: right value}; nested keys with a dot."""
    if row.kind in ("pfc", "pause"):
        return {"frame": row.n, "transport": "macctrl", "pause.kind": row.kind}
    if row.kind == "ibfc":
        return {"frame": row.n, "transport": "ib"}
    c = connections.get(row.conn)
    want = {"frame": row.n, "opcode": row.opcode}
    if c is not None:
        want["transport"] = TRANSPORTS[c["encap"].split("/")[0].split("+")[0]]
    if row.psn is not None:
        want["psn"] = row.psn
    if row.kind in ("data", "read_resp", "ud"):
        want["payload_bytes"] = row.payload
    if row.kind in ("data", "read_req", "atomic_req") and c is not None and c["transport"] in ("RC", "UC"):
        want["dest_qpn"] = c["b" if row.dir == "a2b" else "a"]["qpn"]
    if row.kind in SYNDROMES:
        want["aeth.kind"] = SYNDROMES[row.kind]
    if "trunc" not in row.flags:
        want["icrc"] = "bad" if "bad_icrc" in row.flags else "ok"
    if "ce" in row.flags and want.get("transport") == "rocev2":
        want["ecn"] = 3
    return want


def value(packet, key):
    for part in key.split("."):
        packet = packet.get(part) if isinstance(packet, dict) else None
    return packet


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    doc = load_json(sys.argv[2])
    if "frames" not in doc:
        return 77
    packets = ask(sys.argv[1], "dump", "jsonl", beside(sys.argv[2], doc["file"]))
    connections = {c["id"]: c for c in doc["connections"]}
    faults = []
    if len(packets) != len(doc["frames"]):
        faults.append("%d packets, should be %d" % (len(packets), len(doc["frames"])))
    for packet, row in zip(packets, map(Row, doc["frames"])):
        for key, right in expected(row, connections).items():
            if value(packet, key) != right:
                faults.append("frame %d: %s is %r, should be %r" % (row.n, key, value(packet, key), right))
    print("%s: %d packets, %d differences" % (os.path.basename(doc["file"]), len(packets), len(faults)))
    for fault in faults[:40]:
        print("  " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
