# SPDX-License-Identifier: GPL-2.0-or-later
"""golden.py PLUGIN CAPTURES EXPECTED [--update]: what tshark prints of chosen frames, word by word.

Each case is run with one pass and with two."""
import os
import re
import sys

from stage import Stage

CASES = [
    # name, capture, what to print
    ("retransmission", "rxe/two_point_cm.A.pcap.gz",
     ["-Y", "frame.number in {311, 329, 330, 338, 340, 360}", "-T", "json", "-j", "rdmapcap",
      "--no-duplicate-keys"]),
    ("columns", "sim/loss_sender_tap.pcap.gz", ["-Y", "rdmapcap.verdict"]),
    ("tree-rnr", "sim/rnr_send.pcap.gz", ["-Y", "frame.number in {39, 40, 41}", "-O", "rdmapcap"]),
    ("tree-xrc", "sim/xrc.pcap.gz", ["-Y", "frame.number in {1, 2, 3, 4}", "-O", "rdmapcap"]),
    ("fields-congestion", "sim/ecn_incast.pcap.gz",
     ["-Y", "rdmapcap.cnp || rdmapcap.ce", "-c", "120", "-T", "fields", "-E", "header=y",
      "-e", "frame.number", "-e", "rdmapcap.stream", "-e", "rdmapcap.connection",
      "-e", "rdmapcap.direction", "-e", "rdmapcap.verdict", "-e", "rdmapcap.cnp.throttles"]),
    ("fields-pause", "sim/pfc_script.pcap.gz",
     ["-o", "rdmapcap.link_rate:100", "-Y", "rdmapcap.pause", "-T", "fields", "-E", "header=y",
      "-e", "frame.number", "-e", "rdmapcap.pause.source", "-e", "rdmapcap.pause.priority",
      "-e", "rdmapcap.pause.quanta", "-e", "rdmapcap.pause.time"]),
    ("fields-operations", "sim/all_ops.pcap.gz",
     ["-T", "fields", "-E", "header=y", "-c", "60", "-e", "frame.number", "-e",
      "rdmapcap.opcode_name", "-e", "rdmapcap.message", "-e", "rdmapcap.acked_in", "-e",
      "rdmapcap.response_in", "-e", "rdmapcap.request_in", "-e", "rdmapcap.acks_frame", "-e",
      "rdmapcap.rtt", "-e", "rdmapcap.outstanding", "-e", "rdmapcap.outstanding_bytes"]),
]


def main():
    plugin, captures, expected = sys.argv[1:4]
    update = "--update" in sys.argv[4:]
    failed = False
    with Stage(plugin) as stage:
        for name, capture, arguments in CASES:
            copy = stage.add(os.path.join(captures, capture))
            for passes in ([], ["-2"]):
                out, _, _ = stage.tshark("-r", copy, *passes, *arguments)
                out = re.sub(r'.*"_index".*\n', "", out)  # a date
                path = os.path.join(expected, f"{name}{'.two' if passes else '.one'}.txt")
                if update:
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(out)
                    continue
                with open(path, encoding="utf-8") as f:
                    want = f.read()
                if out != want:
                    failed = True
                    print(f"{path}: differs; if it should: python3 {' '.join(sys.argv)} --update")
                    for a, b in zip(want.splitlines() + [""], out.splitlines() + [""]):
                        if a != b:
                            print(f"  expected: {a}\n  printed:  {b}")
                            break
    return failed


if __name__ == "__main__":
    sys.exit(main())
