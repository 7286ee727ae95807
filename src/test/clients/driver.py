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
            value = command[field + "Ms"]
            settings[field] = value if isinstance(value, str) else value / 1000
    settings.update({field: command[field] for field in ("shared", "slots", "owner") if field in command})
    try:
        lease = block.enter_context(quorumlock.Lock(None, command.get("names", command.get("name")), **settings))
        say(lease=True, fencingToken=lease.fencing_token, slot=lease.slot)
        return lease
    except quorumlock.LockHeld as error:
        held = {} if error.owner is None else {"owner": error.owner}
        held.update(remainingMs=round((error.remaining or 0) * 1000), kept=error.kept, names=error.names)
        say(error="held", message=str(error), **held)
    except quorumlock.Unavailable as error:
        say(error="unavailable", message=str(error))
    except quorumlock.Refused as error:
        say(error="refused", status=error.status, message=str(error))
    return None


def main():
    lease = None
    with contextlib.suppress(quorumlock.LeaseLost, quorumlock.Refused), contextlib.ExitStack() as block:
        for line in sys.stdin:
            command = json.loads(line)
            if command["do"] == "acquire":
                lease = acquire(block, command) or lease
            elif command["do"] == "held":
                say(held=lease is not None and lease.held, slot=lease and lease.slot, text=str(lease))
            elif command["do"] == "release":
                try:
                    say(released=True, lost=lease is not None and not lease.release())
                except quorumlock.Refused as error:
                    say(error="refused", status=error.status, message=str(error))


main()
