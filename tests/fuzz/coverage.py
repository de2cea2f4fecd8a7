#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""coverage.py [FOLDER]: what the fuzz corpora reach of dissector/ and analyzer/flow/.

Builds the replay programs for gcov in FOLDER (made and removed when none is given), replays every
corpus, and prints the lines covered by folder, and the functions with lines that no corpus reaches,
each with the reason that `uncovered` gives. Ends with 1 where it gives none, or not for so many lines,
and below 90 % of either folder's lines.
"""
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile

FOLDERS = ("dissector/", "analyzer/flow/")
LEAST = 90  # percent
here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))


def run(*args, **more):
    done = subprocess.run(args, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(args)} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def build_and_replay(folder):
    targets = sorted(name[:-2] for name in os.listdir(here) if name.endswith("_fuzz.c"))
    run("cmake", "-S", top, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_COMPILER=gcc",
        "-DCMAKE_C_FLAGS=--coverage -fprofile-abs-path -fprofile-update=atomic")
    run("cmake", "--build", folder, "--target", *targets)
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".gcda"):
                os.unlink(os.path.join(path, name))
    for target in targets:
        print(target, run(f"{folder}/fuzz/{target}", f"{here}/corpus/{target[:-5]}").strip())


def read_lines(folder):
    """{file: {line: (count, function)}}"""
    lines = collections.defaultdict(dict)
    with tempfile.TemporaryDirectory() as work:
        data = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names
                if name.endswith(".gcno") and ("/rdc.dir/" in path or "/rdmaflow.dir/" in path)]
        run("gcov", "--json-format", "--preserve-paths", *data, cwd=work)
        for name in os.listdir(work):
            with gzip.open(os.path.join(work, name)) as file:
                for part in json.load(file)["files"]:
                    path = os.path.relpath(part["file"], top)
                    if not path.startswith(FOLDERS):
                        continue
                    for line in part["lines"]:
                        number = line["line_number"]
                        before = lines[path].get(number, (0, None))
                        lines[path][number] = (before[0] + line["count"], line.get("function_name") or before[1])
    return lines


def read_reasons():
    """{(file, function): (how many lines, why)}"""
    reasons = {}
    with open(os.path.join(here, "uncovered")) as file:
        for row in file:
            if row.strip() and not row.startswith("#"):
                path, function, count, reason = row.strip().split(None, 3)
                reasons[path, function] = int(count), reason
    return reasons


def spans(numbers):
    out = []
    for n in sorted(numbers):
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else made
        build_and_replay(folder)
        lines = read_lines(folder)
    reasons = read_reasons()
    failed = False
    uncovered = collections.defaultdict(list)
    for path, all_of in lines.items():
        for number, (count, function) in all_of.items():
            if count == 0:
                uncovered[path, function or "-"].append(number)
    for at in sorted(uncovered):
        most, reason = reasons.pop(at, (0, None))
        if len(uncovered[at]) > most:
            reason = f"NO REASON GIVEN for {len(uncovered[at]) - most} of {len(uncovered[at])}"
            failed = True
        print(f"{at[0]}:{spans(uncovered[at])} {at[1]}(): {reason}")
    for path, function in reasons:
        print(f"{path} {function}(): is reached now: its row can go")
    for prefix in FOLDERS:
        counts = [c for path in lines if path.startswith(prefix) for c, _ in lines[path].values()]
        share = 100 * sum(c > 0 for c in counts) / len(counts)
        failed = failed or share < LEAST
        print(f"{prefix}: {share:.1f} % of {len(counts)} lines")
    sys.exit(failed)


main()
