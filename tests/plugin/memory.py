# SPDX-License-Identifier: GPL-2.0-or-later
"""memory.py PLUGIN CAPTURE...: valgrind says nothing about the plugin: no error and no leak with
the plugin in its stack. Wireshark's own reports don't count; `-z rdmapcap,tree` is left out, since
tshark frees no stats tree, of whatever protocol."""
import sys

from stage import Stage


def main():
    failed = False
    with Stage(sys.argv[1]) as stage:
        for capture in sys.argv[2:]:
            copy = stage.add(capture)
            _, err, status = stage.tshark(
                "-r", copy, "-2", "-V", "-z", "rdmapcap,stats", "-z", "rdmapcap,flows",
                env={"WIRESHARK_DEBUG_WMEM_OVERRIDE": "simple", "G_SLICE": "always-malloc"},
                check=False, wrapper=["valgrind", "--leak-check=full", "--num-callers=40",
                                      "--show-leak-kinds=definite,indirect",
                                      "--keep-debuginfo=yes"])
            if status != 0 or "LEAK SUMMARY" not in err:
                print(f"{capture}: status {status}\n{err[-800:]}")
                failed = True
            blocks = err.replace("\r", "").split("== \n")
            ours = [block for block in blocks if "rdmapcap.so" in block]
            if ours:
                print(f"{capture}: {len(ours)} reports\n{ours[0]}")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
