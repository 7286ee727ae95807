# SPDX-License-Identifier: Apache-2.0
"""Helpers of the tests of the adapters, which need the service at QUORUMLOCK_URL, without API keys."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

SERVICE = os.environ["QUORUMLOCK_URL"]
ADDRESS = urllib.parse.urlsplit(SERVICE)
NOWHERE = "localhost:1"


def request(method, path):
    """Returns the status of an answer of the service."""
    try:
        with urllib.request.urlopen(urllib.request.Request(SERVICE + path, method=method)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def break_lock(path):
    """Ends a lease as an operator does. Its holder does not know."""
    status = request("DELETE", f"/locks/{path}?force=true&reason=test")
    if status != 204:
        raise AssertionError(f"{path}: {status}")


def until(condition, seconds=30):
    """Waits until the condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("not in time")
        time.sleep(0.05)


def silent():
    """Returns the socket of a service that accepts connections, but never answers, and its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, f"127.0.0.1:{listener.getsockname()[1]}"


class Program:
    """A Python process that runs a script, which prints a line when it has begun."""

    def __init__(self, script):
        self.process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.first = self.line()

    def line(self):
        """Returns the next line of the output."""
        return self.process.stdout.readline().strip()

    def go_on(self):
        """Ends an `input()` of the script."""
        print(file=self.process.stdin, flush=True)

    def suspend(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def finish(self):
        """Returns the rest of the output."""
        return self.process.communicate("\n", timeout=60)[0].strip()

    def kill(self):
        self.process.kill()
        self.process.communicate()


class Replica:
    """A way to the service that can be closed and opened again, as a replica that restarts."""

    def __init__(self):
        self._listener = None
        self._open = []
        self.start(0)

    def start(self, port=None):
        self._listener = socket.create_server(("127.0.0.1", self.port if port is None else port))
        self.port = self._listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def stop(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()
        self._open = []

    def _accept(self, listener):
        while True:
            try:
                client = listener.accept()[0]
            except OSError:
                return
            service = socket.create_connection((ADDRESS.hostname, ADDRESS.port))
            self._open += [client, service]
            for source, target in ((client, service), (service, client)):
                threading.Thread(target=self._copy, args=(source, target), daemon=True).start()

    @staticmethod
    def _copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
