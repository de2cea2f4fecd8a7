# SPDX-License-Identifier: GPL-2.0-or-later
"""install.py SOURCE BUILD PLUGIN: installed as docs/wireshark.md says, the plugin is where Wireshark
looks: for one user, for all; and without Wireshark's headers the rest still configures. Each
function below is a test."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from stage import Stage


def run(arguments, **more):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          **more)
    return done.returncode, done.stdout.decode()


def folder_of(stage, title):
    out, _, _ = stage.tshark("-G", "folders", plain=True)
    return re.search(title + r":\s+(\S+)", out).group(1)


def test_all_users(source, build, plugin, work):
    """cmake --install, with no prefix named"""
    status, out = run(["cmake", "--install", build], env={**os.environ, "DESTDIR": work})
    assert status == 0, out
    with Stage(None) as stage:
        del stage.env["WIRESHARK_PLUGIN_DIR"]
        wanted = folder_of(stage, "Global Plugins")
        data = folder_of(stage, "Global configuration")
    version = os.path.basename(os.path.dirname(os.path.dirname(plugin)))
    wanted = wanted if wanted.endswith(version) else os.path.join(wanted, version)
    assert os.path.exists(work + os.path.join(wanted, "epan", "rdmapcap.so")), (wanted, out)
    assert os.path.exists(work + os.path.join(data, "profiles", "RDMA", "colorfilters")), (data, out)


def test_one_user(source, build, plugin, work):
    """The commands of docs/wireshark.md, in an empty home"""
    with open(os.path.join(source, "docs", "wireshark.md"), encoding="utf-8") as f:
        commands = re.findall(r"^\| (?:one user|the profile, for one user) \| `([^`]+)`", f.read(), re.M)
    assert len(commands) == 2, commands
    version = os.path.basename(os.path.dirname(os.path.dirname(plugin)))
    top = os.path.dirname(os.path.dirname(os.path.dirname(plugin)))
    with Stage(None) as stage:
        del stage.env["WIRESHARK_PLUGIN_DIR"]
        shutil.copytree(os.path.join(source, "plugin"), os.path.join(stage.folder, "plugin"))
        shutil.copytree(top, os.path.join(stage.folder, "build/release/wireshark"))
        for command in commands:
            command = command.replace("/4.0/", f"/{version}/")
            status, out = run(stage.as_user(["bash", "-c", command]), env=stage.env,
                              cwd=stage.folder)
            assert status == 0, out
        out, _, _ = stage.tshark("-G", "plugins", plain=True)
        assert "rdmapcap.so" in out, out
        capture = stage.add(os.path.join(source, "captures/sim/reorder.pcap.gz"))
        out, _, _ = stage.tshark("-C", "RDMA", "-r", capture, "-2", "-Y", "rdmapcap.out_of_order")
        assert " out_of_order,hole_closed " in out, out


def test_without_headers(source, build, plugin, work):
    status, out = run(["cmake", "-S", source, "-B", work, "-G", "Ninja",
                       "-DCMAKE_DISABLE_FIND_PACKAGE_Wireshark=ON"])
    assert status == 0, out
    assert "the Wireshark plugin is left out" in out, out
    _, out = run(["ninja", "-C", work, "-t", "targets", "all"])
    assert "rdmapcap: " in out and "rdmapcap.so" not in out, "targets"


def main():
    failed = False
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        work = tempfile.mkdtemp(prefix="rdmapcap-install-")
        try:
            test(*sys.argv[1:4], work)
        except AssertionError as error:
            failed = True
            print(f"{name}: {error}")
        finally:
            shutil.rmtree(work)
    return failed


if __name__ == "__main__":
    sys.exit(main())
