# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tshark with the plugin and nothing else of the user's: an empty home, a folder of its own
for the plugin. As root Wireshark ignores plugin folders of users, so there it runs as nobody."""
import json
import os
import shutil
import subprocess
import tempfile

NOBODY = 65534


class Stage:
    PATIENCE = 240  # seconds for one tshark

    def __init__(self, plugin):
        """plugin: .../VERSION/epan/rdmapcap.so; None: without"""
        self.folder = tempfile.mkdtemp(prefix="rdmapcap-plugin-")
        os.chmod(self.folder, 0o755)
        self.env = {"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C.UTF-8",
                    "HOME": os.path.join(self.folder, "home"),
                    "WIRESHARK_PLUGIN_DIR": os.path.join(self.folder, "plugins"),
                    # none: they are no matter of these tests, and a process with a sanitizer
                    # may hang when it starts others from a thread
                    "WIRESHARK_EXTCAP_DIR": os.path.join(self.folder, "home")}
        for name, value in (("LD_PRELOAD", "RDMAPCAP_PRELOAD"), ("ASAN_OPTIONS", "ASAN_OPTIONS")):
            if value in os.environ:
                self.env[name] = os.environ[value]
        os.mkdir(self.env["HOME"])
        os.chmod(self.env["HOME"], 0o777)
        if plugin:
            version = os.path.basename(os.path.dirname(os.path.dirname(plugin)))
            target = os.path.join(self.folder, "plugins", version, "epan")
            os.makedirs(target)
            shutil.copy(plugin, target)
        for top, _, files in os.walk(self.folder):
            if top != self.env["HOME"]:
                os.chmod(top, 0o755)
            for name in files:
                os.chmod(os.path.join(top, name), 0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, path):
        """A copy of the file that tshark can read"""
        copy = os.path.join(self.folder, os.path.basename(path))
        shutil.copyfile(path, copy)
        os.chmod(copy, 0o644)
        return copy

    def sharkd(self, requests):
        """What the server behind other user interfaces answers to (method, parameters)"""
        text = "".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": params})
                       + "\n" for i, (method, params) in enumerate(requests, 1))
        done = subprocess.run(self.as_user(["sharkd", "-"]), input=text.encode(), env=self.env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return [json.loads(line) for line in done.stdout.decode().splitlines()
                if line.startswith("{")]

    def command(self, arguments, wrapper=(), plain=False):
        return self.as_user([*wrapper, "tshark", *([] if plain else ["-n"]), *arguments])

    @staticmethod
    def as_user(command):
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                       *command]
        return command

    def tshark(self, *arguments, env=None, check=True, wrapper=(), plain=False):
        """Returns (stdout, stderr, status); with `check` a failure is the test's. `plain`: no -n,
        since -G has to be the first"""
        done = subprocess.run(self.command(arguments, wrapper, plain), env={**self.env, **(env or {})},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=self.PATIENCE)
        out, err = done.stdout.decode(), done.stderr.decode()
        if check and done.returncode != 0:
            raise SystemExit(f"tshark {' '.join(arguments)}: status {done.returncode}\n{err}")
        return out, err, done.returncode
