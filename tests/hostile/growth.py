#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""growth.py PROGRAM ADVERSARY NAME COUNT: hostile capture NAME with COUNT rounds and with 8 times as
many. The larger one may cost at most LIMIT times as much for each round; work that is quadratic in the
rounds costs up to 8 times as much.

What is measured is processor time in the program, not the clock, and the best of several runs: others on
the machine can only make it longer. Below FLOOR seconds the smaller one counts as FLOOR: what is started
once and the clock's resolution would decide.
"""
import os
import subprocess
import sys
import tempfile

TIMES = 8
LIMIT = 3
FLOOR = 0.04
COMMANDS = (["check", "--threads", "1"], ["flows", "-f", "csv", "--threads", "1"])


def user_seconds(arguments):
    """Processor time in user mode of one run"""
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 4):
        sys.exit(f"{' '.join(arguments)}: exit status {child.returncode}")
    return usage.ru_utime


def write(adversary, name, count, folder):
    """Path of the capture"""
    path = os.path.join(folder, f"{name}.{count}")
    with open(path, "wb") as out:
        subprocess.run([adversary, name, str(count)], stdout=out, check=True)
    return path


def main():
    program, adversary, name, count = *sys.argv[1:4], int(sys.argv[4])
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        few = write(adversary, name, count, folder)
        many = write(adversary, name, TIMES * count, folder)
        for command in COMMANDS:
            base = max(FLOOR, min(user_seconds([program, *command, few]) for _ in range(2)))
            most = LIMIT * TIMES * base
            for _ in range(4):  # again only where it looks bad
                spent = user_seconds([program, *command, many])
                if spent <= most:
                    break
            print(f"{name}, {' '.join(command)}: {count} rounds {base:.2f} s, {TIMES} times as many "
                  f"{spent:.2f} s, at most {most:.2f} s")
            failed |= spent > most
    return failed


if __name__ == "__main__":
    sys.exit(main())
