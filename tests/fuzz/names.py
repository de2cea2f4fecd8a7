#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""names.py BUILD TARGET FOLDER: name what fuzzing found for why it is kept.

Inputs in FOLDER (a corpus) whose names are hashes, as libFuzzer leaves them, become `reaches-FUNCTION`, those
that are `[KIND-]found-NUMBER` become `[KIND-]reaches-FUNCTION`: the function of the branch that the fewest of FOLDER take. BUILD holds
the replay programs, built by clang with -fsanitize=address -fsanitize-coverage=trace-pc-guard. To add what
libFuzzer found to a corpus: TARGET_fuzz -merge=1 -use_counters=0 CORPUS FOUND, then this.
"""
import collections
import os
import re
import struct
import subprocess
import sys
import tempfile

build, target, folder = sys.argv[1:]
program = os.path.join(build, "fuzz", target + "_fuzz")
NAMELESS = re.compile(r"[0-9a-f]{40}|(.*-)?found-\d+")


def branches(path):
    with tempfile.TemporaryDirectory() as work:
        env = dict(os.environ, ASAN_OPTIONS=f"coverage=1:coverage_dir={work}:detect_leaks=0")
        subprocess.run([program, path], env=env, capture_output=True, timeout=120)
        for name in os.listdir(work):
            if name.startswith(target):
                data = open(os.path.join(work, name), "rb").read()
                return {pc for pc, in struct.iter_unpack("<Q", data[8:])}
    return set()


def functions(pcs):
    lines = subprocess.run(["llvm-symbolizer", "--obj=" + program, "--inlining=true", "--functions=linkage"],
                           input="\n".join(hex(pc) for pc in pcs), capture_output=True, text=True).stdout
    blocks = [block.split("\n") for block in lines.strip().split("\n\n")]
    return {pc: (block[0], block[1]) for pc, block in zip(pcs, blocks)}


def main():
    names = sorted(os.listdir(folder))
    taken = {name: branches(os.path.join(folder, name)) for name in names}
    counts = collections.Counter(pc for pcs in taken.values() for pc in pcs)
    pcs = sorted(counts)
    where = functions(pcs)
    ours = {pc for pc in pcs if re.search(r"/(dissector|analyzer)/", where[pc][1])}
    used = {name for name in names if not NAMELESS.fullmatch(name)}
    for name in names:
        if name in used:
            continue
        rarest = min(taken[name] & ours, key=lambda pc: (counts[pc], -len(where[pc][0]), pc), default=None)
        why = NAMELESS.fullmatch(name)[1] or ""
        why += "reaches-" + where[rarest][0].replace("_", "-") if rarest else "reaches-nothing"
        new, n = why, 1
        while new in used:
            n += 1
            new = f"{why}-{n}"
        used.add(new)
        os.rename(os.path.join(folder, name), os.path.join(folder, new))
    print(f"{target}: {len(names)} inputs, {len(used & set(os.listdir(folder)))} names")


main()
