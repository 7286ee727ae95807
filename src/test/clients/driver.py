# SPDX-License-Identifier: Apache-2.0
"""Driver of the Python client for the conformance suite: JSON lines in, JSON lines out."""

import contextlib
import json
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "clients" / "python"))
import quorumlock  # noqa: E402

output = threading.Lock()


def say(**line):
    with output:
        print(json.dumps(line), flush=True)


def acquire(block, command):
    settings = {"on_lost": lambda error: say(event="lost", reason=error.reason)}
    for field in ("ttl", "wait", "margin", "keep"):
        if field + "Ms" in command:
            settings[field] = command[field + "Ms"] / 1000
    settings.update(shared=command.get("shared", False), slots=command.get("slots"))
    if "owner" in command:
        settings["owner"] = command["owner"]
    try:
        lease = block.enter_context(quorumlock.Lock(None, command.get("names") or command["name"], **settings))
        say(lease=True, fencingToken=lease.fencing_token, slot=lease.slot)
        return lease
    except quorumlock.LockHeld as error:
        held = {} if error.owner is None else {"owner": error.owner}
        say(error="held", **held, remainingMs=round((error.remaining or 0) * 1000), kept=error.kept, names=error.names)
    except quorumlock.Unavailable as error:
        say(error="unavailable", message=str(error))
    except quorumlock.Refused as error:
        say(error="refused", status=error.status, message=str(error))
    return None


def main():
    lease = None
    with contextlib.suppress(quorumlock.LeaseLost), contextlib.ExitStack() as block:
        for line in sys.stdin:
            command = json.loads(line)
            if command["do"] == "acquire":
                lease = acquire(block, command) or lease
            elif command["do"] == "held":
                say(held=lease is not None and lease.held, slot=lease and lease.slot)
            elif command["do"] == "release":
                say(released=True, lost=lease is not None and not lease.release())


main()
