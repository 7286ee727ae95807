# SPDX-License-Identifier: Apache-2.0
"""Client of Quorumlock, a distributed lock service.

    from quorumlock import Lock, LockHeld

    with Lock("http://localhost:8080", "orders/42", ttl=30, wait=10) as lease:
        store.write(order, lease.fencing_token)

    async with Lock(None, "orders/42") as lease:    # URLs from QUORUMLOCK_URL
        await store.write(order, lease.fencing_token)

    with Lock(None, ["accounts/1", "accounts/2"]) as lease:    # all or none, in one lease
        transfer(lease.fencing_token)

    client = Client("http://localhost:8080", timeout=2)    # one for the whole program

    @client.lock("reports/daily", wait=60)    # each call has a lease of its own
    def report(): ...

A daemon thread extends the lease and reports its loss before it ends. ``with`` then raises
LeaseLost at the end of the block; call ``lease.check()`` before each step that needs the lock.
``async with`` cancels the task in the block and raises LeaseLost. A lease alone does not protect
data: a process can be paused after any check. Let the store reject smaller fencing tokens. Before
Python 3.11, a cancellation by the caller right after that of a lost lease appears as LeaseLost.

The end of an ``async with`` block releases the lock, although a thread that the block began with
``asyncio.to_thread`` may still run: a cancellation does not end threads. Pass the lease to such
work, and let it call ``lease.check()`` before each step.

Signals: Python releases the lease on SIGINT (KeyboardInterrupt). SIGTERM ends the process without
leaving the block, unless the program installs a handler that raises SystemExit.

All durations are seconds, as int, float or timedelta. Python 3.9 or later, no dependencies. The
installed package has a py.typed; type checkers read a copied file as part of your own code.
"""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import functools
import http.client
import inspect
import io
import json
import logging
import math
import os
import random
import re
import secrets
import socket
import ssl
import sys
import threading
import time
import urllib.request
from datetime import timedelta
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple
from typing import Type, TypeVar, Union, cast
from urllib.parse import quote, unquote, urlsplit

__all__ = ["Client", "Lease", "LeaseLost", "Lock", "LockHeld", "QuorumlockError", "Refused",
           "Unavailable"]
__version__ = "0.1.0"

Duration = Union[int, float, timedelta]
Path = Union[str, "os.PathLike[str]"]
OnLost = Callable[["LeaseLost"], object]
Function = TypeVar("Function", bound=Callable[..., Any])

_ANSWER_LIMIT = 64 * 1024
_LONGEST_WAIT = 60  # seconds of one request
_ACQUIRING, _HELD, _LOST, _RELEASED = "acquiring", "held", "lost", "released"
_CONTROLS = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# CLOCK_BOOTTIME of Linux and CLOCK_MONOTONIC_RAW of macOS go on while the machine is suspended.
_CLOCK_NAME = "CLOCK_MONOTONIC_RAW" if sys.platform == "darwin" else "CLOCK_BOOTTIME"
_CLOCK = getattr(time, _CLOCK_NAME, None)
_OTHER_NAME = ("the lock of another name was granted: write the base URL of the service, and let proxies "
               "keep the path")
_NAMES = "a name must not be empty, and must not have an empty segment or the segments . and .."
# Answers after which a client with a wait tries again.
_BUSY = ((423, "/problems/locked"), (409, "/problems/other-slots"))
_log = logging.getLogger("quorumlock")
_log.addHandler(logging.NullHandler())


class QuorumlockError(Exception):
    """Base of all errors of this module."""


class LockHeld(QuorumlockError):
    """The lock is held, or kept after its release. ``remaining`` is in seconds.

    ``owner`` and ``remaining`` may be None. ``kept``: the holder has released the lock, and nobody
    gets it for the remaining time. ``names``: the name, or the held ones of several; the other
    values are those of the first.
    """

    def __init__(self, owner: Optional[str], remaining: Optional[float], kept: bool,
                 names: Tuple[str, ...], own: bool = False) -> None:
        super().__init__(owner, remaining, kept, names, own)
        self.owner, self.remaining, self.kept, self.names = owner, remaining, kept, names
        self._own = own

    def __str__(self) -> str:
        by = f"is held by {'another client' if self.owner is None else self.owner}"
        state = "was released and is kept" if self.kept else by
        more = f"; also held: {', '.join(self.names[1:])}" if self.names[1:] else ""
        own = "; this process holds it itself: locks are not re-entrant" if self._own else ""
        ms = round(1000 * (self.remaining or 0))
        return f"{self.names[0]} {state} for another {ms} ms{more}{own}"


class Unavailable(QuorumlockError):
    """No replica with a majority of the masters answered in time. ``cause`` is the last failure."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause

    def __str__(self) -> str:
        return f"unavailable: {self.cause}"


class Refused(QuorumlockError):
    """The service rejected the request, or the client did: then ``status`` is 0.

    ``type`` and ``detail`` are those of the problem document, or empty.
    """

    def __init__(self, status: int, type: str, detail: str) -> None:
        super().__init__(status, type, detail)
        self.status, self.type, self.detail = status, type, detail

    def __str__(self) -> str:
        return f"refused: status {self.status}, {self.detail}" if self.status else self.detail


class LeaseLost(QuorumlockError):
    """The lease ended, or is about to end, while the client held it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"lease lost: {self.reason}"


class _Stopped(Exception):
    """The lease was released or lost, or its acquire was cancelled, during a request."""


def _now() -> Tuple[float, ...]:
    if sys.platform != "win32" and _CLOCK is not None:
        return (time.clock_gettime(_CLOCK),)
    return (time.monotonic(), time.time())


class _Timer:
    """A duration from a start, measured by the fastest of the clocks."""

    def __init__(self, seconds: float, start: Optional[Tuple[float, ...]] = None) -> None:
        self._seconds, self._start = seconds, start or _now()

    def spent(self) -> float:
        return max(now - then for now, then in zip(_now(), self._start))

    def left(self) -> float:
        return self._seconds - self.spent()


class _Base(NamedTuple):
    """A base URL and the proxy for it."""

    url: str
    tls: bool
    host: str
    port: int
    authority: str
    path: str
    proxy: Optional[Tuple[str, int]]
    proxy_headers: str


class _Answer(NamedTuple):
    """An answer of the service. Status 0: there was none, or no complete one."""

    status: int
    cause: str
    sent: Optional[Tuple[float, ...]] = None  # None: no byte of the request was sent
    body: Optional[Dict[str, Any]] = None  # None: not a JSON object
    retry_after: Optional[float] = None

    def number(self, field: str) -> Optional[int]:
        value = (self.body or {}).get(field)
        return value if type(value) is int and 0 <= value < 2**53 else None

    def text(self, field: str) -> Optional[str]:
        value = (self.body or {}).get(field)
        return _CONTROLS.sub("", value)[:1000] if isinstance(value, str) else None

    def parts(self, field: str) -> List[_Answer]:
        """Returns the parts of an answer about several names, or the answer itself."""
        parts = (self.body or {}).get(field)
        found = [self._replace(body=part) for part in parts if isinstance(part, dict)] \
            if isinstance(parts, list) else []
        return found or [self]

    def held(self, lock: Lock) -> LockHeld:
        held = self.parts("held")
        names = tuple(filter(None, (part.text("name") for part in held))) or (lock.name,)
        remaining = held[0].number("remainingMs")
        own = any(lease.held and lease._lock._excludes(names[0], lock) for lease in list(_leases))
        return LockHeld(held[0].text("owner"), None if remaining is None else remaining / 1000,
                        (held[0].body or {}).get("kept") is True, names, own)

    def lease(self, token: str, ttl: float) -> Optional[Tuple[_Timer, int]]:
        """Returns the deadline and the fencing token, or None without a lease of this token."""
        validity, elapsed = self.number("validityMs"), self.number("elapsedMs")
        fencing = self.parts("leases")[0].number("fencingToken")
        if self.sent is None or validity is None or elapsed is None or fencing is None \
                or self.text("token") != token:
            return None
        trip = _Timer(0, self.sent).spent()
        return _Timer(min(elapsed / 1000, trip) + min(validity / 1000, ttl), self.sent), fencing

    def granted(self) -> Set[Any]:
        """Returns the names of a lease."""
        parts = [part.body or {} for part in self.parts("leases")]
        return {str(part.get("name", part.get("resource"))) for part in parts}

    def problem(self) -> str:
        """Returns the type of a problem document of the service. It is empty for other answers."""
        type = self.text("type") or ""
        return type if type.startswith("/problems/") else ""

    def busy(self) -> bool:
        """Returns whether the lock is held, perhaps with another number of slots."""
        return (self.status, self.problem()) in _BUSY

    def unclear(self) -> bool:
        """Returns whether the request may have had an effect, although there is no success."""
        refused = self.problem() and 400 <= self.status < 500
        return self.sent is not None and not refused

    def failure(self) -> str:
        return f"status {self.status}, {self.refusal().detail}" if self.status else self.cause

    def error(self) -> QuorumlockError:
        if self.status in (0, 408, 429) or self.status >= 500:
            return Unavailable(self.failure())
        return self.refusal()

    def refusal(self) -> Refused:
        problem = self.problem()
        detail = self.text("detail") or "" if problem else "an unexpected answer"
        if detail.startswith("ttlMs must be from"):
            detail += " The ttl of this client is in seconds."
        return Refused(self.status, problem, detail)


class _Reader(io.RawIOBase):
    """Reads from a socket within a total time and a total size."""

    def __init__(self, sock: socket.socket, limit: _Timer) -> None:
        self._sock, self._limit, self._budget = sock, limit, 2 * _ANSWER_LIMIT

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._budget <= 0:
            raise http.client.HTTPException
        self._sock.settimeout(max(self._limit.left(), 0.001))
        count = self._sock.recv_into(buffer, min(len(buffer), self._budget))
        self._budget -= count
        return count


class _Call:
    """One request on its own connection, in a thread, because name resolution has no timeout.

    After ``abort`` nothing more is sent, and a running request is cut off.
    """

    def __init__(self, client: Client, base: _Base, method: str, target: str, headers: str,
                 seconds: float) -> None:
        self._client, self._base, self._method, self._target = client, base, method, target
        self._headers, self._limit = headers, _Timer(seconds)
        # Unreachable URLs must leave time for the other ones within one `timeout`.
        self._connect_limit = min(seconds, client._timeout / (len(client._bases) + 1))
        self._connected, self._done = threading.Event(), threading.Event()
        self._guard = threading.Lock()
        self._sock: Optional[socket.socket] = None
        self._sent: Optional[Tuple[float, ...]] = None
        self._answer: Optional[_Answer] = None

    def run(self) -> _Answer:
        try:
            threading.Thread(target=self._work, daemon=True, name="quorumlock-request").start()
        except RuntimeError:  # no new threads while the interpreter exits
            self._work()
        if not self._connected.wait(self._connect_limit):
            self.abort("no connection in time")
        elif not self._done.wait(max(0, min(self._limit.left(), threading.TIMEOUT_MAX))):
            self.abort("no answer in time")
        answer = cast(_Answer, self._answer)
        if os.environ.get("QUORUMLOCK_DEBUG") == "1" and sys.stderr:
            path, ms = self._target.partition("?")[0], 1000 * self._limit.spent()
            sys.stderr.write(f"quorumlock: {self._method} {path} {answer.status} {ms:.0f} ms\n")
        return answer

    def abort(self, cause: str = "cancelled") -> None:
        self._finish(0, cause)
        with self._guard:  # also keeps the file descriptor from being closed and reused meanwhile
            if self._sock is not None:
                try:
                    # SSLSocket.shutdown would make the other thread continue in plain text.
                    socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
                except OSError:
                    pass

    def _finish(self, status: int, cause: str = "", **fields: Any) -> None:
        with self._guard:
            if self._answer is None:
                self._answer = _Answer(status, f"{self._base.url}: {cause}", self._sent, **fields)
        self._connected.set()
        self._done.set()

    def _adopt(self, sock: socket.socket) -> socket.socket:
        with self._guard:
            self._sock = sock
            if self._answer is not None:
                raise ConnectionAbortedError
        sock.settimeout(max(self._limit.left(), 0.001))
        return sock

    def _work(self) -> None:
        try:
            sock = self._connect()
            with self._guard:
                if self._answer is not None:
                    raise ConnectionAbortedError
                self._sent = _now()
            host = self._base.authority
            forwarded = self._base.proxy and not self._base.tls
            sock.sendall((
                f"{self._method} {f'http://{host}' if forwarded else ''}{self._target} HTTP/1.1\r\n"
                f"Host: {host}\r\nUser-Agent: quorumlock-python/{__version__}\r\n"
                f"Accept: application/json\r\nConnection: close\r\nContent-Length: 0\r\n"
                f"{self._base.proxy_headers if forwarded else ''}{self._headers}\r\n"
            ).encode("ascii"))
            response = self._response(sock, self._method)
            data = response.read(_ANSWER_LIMIT + 1)
            if response.length or len(data) > _ANSWER_LIMIT:
                raise http.client.HTTPException
            try:
                body = json.loads(data)
            except (ValueError, RecursionError):
                body = None
            after = response.getheader("Retry-After") or ""
            self._finish(response.status, body=body if isinstance(body, dict) else None,
                         retry_after=float(after) if re.fullmatch("[0-9]{1,6}", after) else None)
        except http.client.HTTPException:  # its text may be that of the answer
            self._finish(0, "the answer is incomplete, too large, or not HTTP")
        except Exception as error:
            cause = getattr(error, "verify_message", "") or getattr(error, "strerror", "")
            self._finish(0, _CONTROLS.sub(" ", str(cause or type(error).__name__)))
        finally:
            with self._guard:
                if self._sock is not None:
                    self._sock.close()
                    self._sock = None

    def _connect(self) -> socket.socket:
        base = self._base
        address = base.proxy or (base.host, base.port)
        sock = self._adopt(socket.create_connection(address, self._connect_limit))
        self._connected.set()
        if base.tls:
            if base.proxy:
                host = f"[{base.host}]" if ":" in base.host else base.host
                sock.sendall(f"CONNECT {host}:{base.port} HTTP/1.1\r\nHost: {host}:{base.port}\r\n"
                             f"{base.proxy_headers}\r\n".encode("ascii"))
                status = self._response(sock, "CONNECT").status
                if status != 200:
                    raise OSError(0, f"the proxy answered {status}")
            context = cast(ssl.SSLContext, self._client._tls)
            tls = self._adopt(context.wrap_socket(sock, server_hostname=base.host,
                                                  do_handshake_on_connect=False))
            cast(ssl.SSLSocket, tls).do_handshake()
            return tls
        return sock

    def _response(self, sock: socket.socket, method: str) -> http.client.HTTPResponse:
        reader = _Reader(sock, self._limit)
        response = http.client.HTTPResponse(cast(socket.socket, reader), method=method)
        response.begin()
        return response


class _Urls:
    """The order of base URLs and pauses."""

    def __init__(self, bases: Sequence[_Base], index: int) -> None:
        self._bases, self.index, self._pauses = bases, index, 0
        self._tried: Set[int] = set()  # since the last pause

    def take(self) -> _Base:
        self._tried.add(self.index)
        return self._bases[self.index]

    def next(self) -> None:
        self.index = (self.index + 1) % len(self._bases)

    def pause(self, retry_after: Optional[float]) -> float:
        """Returns the pause in seconds before the next try."""
        if self.index not in self._tried:
            return 0
        self._tried.clear()
        self._pauses = min(self._pauses + 1, 5)
        most = min(1, 0.1 * 2 ** (self._pauses - 1))
        return random.uniform(0, most) if retry_after is None else retry_after

    def succeed(self) -> None:
        self._tried.clear()
        self._pauses = 0


class Lease:
    """A lease on a lock, made by Lock. All methods may be called from any thread.

    After fork() the lease belongs to the parent: in the child it is not held, and nothing is sent.

    name: the name of the lock; several names with ", " between them.
    token: the secret that proves ownership. Do not log it.
    slot: the slot of a semaphore, from 0, which no other lease has at the same time. The fencing
        tokens of a semaphore order only the holders of one slot. None for other kinds of locks.
    """

    def __init__(self, lock: Lock) -> None:
        self.name = lock.name
        self.token = secrets.token_hex(16)
        self.slot: Optional[int] = None
        self._lock, self._client, self._pid = lock, lock._client, os.getpid()
        self._urls = _Urls(self._client._bases, self._client._last)
        self._guard = threading.RLock()  # for state, reason, deadline, fencing, callbacks, call
        self._state = _ACQUIRING
        self._reason: Optional[str] = None
        self._refusal: Optional[Refused] = None  # of the release
        self._trouble = ""
        self._deadline = self._ends = _Timer(0)
        self._fencing = 0
        self._callbacks: List[OnLost] = [lock._on_lost] if lock._on_lost else []
        self._call: Optional[_Call] = None
        self._wake, self._lost = threading.Event(), threading.Event()
        self._granted: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._finished: concurrent.futures.Future[None] = concurrent.futures.Future()
        for future in (self._granted, self._finished):
            future.set_running_or_notify_cancel()  # a cancelled asyncio future must not cancel it
        self._thread = threading.Thread(target=self._run, daemon=True, name="quorumlock-lease")

    def __repr__(self) -> str:
        state = "held" if self.held else "not held"
        return f"<Lease of {self.name}, fencing token {self._fencing}, {state}>"

    @property
    def fencing_token(self) -> int:
        """Grows from lease to lease. Send it with every write, so that the store can check it."""
        return self._fencing

    @property
    def remaining(self) -> float:
        """Seconds until the loss is reported unless the lease is extended; 0 if it is not held."""
        if os.getpid() != self._pid:
            return 0.0
        with self._guard:
            if self._state != _HELD:
                return 0.0
            left = self._deadline.left() - self._lock._margin
            if left <= 0:
                self._end(_LOST, f"it was not extended in time{self._trouble}")
            return max(left, 0.0)

    @property
    def held(self) -> bool:
        """Whether the lease is held now, by the clock."""
        return self.remaining > 0

    @property
    def lost(self) -> threading.Event:
        """An event that is set when the lease is lost, but not when it is released."""
        if os.getpid() == self._pid:
            return self._lost
        event = threading.Event()
        event.set()
        return event

    def check(self) -> None:
        """Raises LeaseLost if the lease is not held."""
        if not self.held:
            raise self._loss("it was released")

    def on_lost(self, callback: OnLost) -> None:
        """Calls `callback` once with a LeaseLost if the lease is lost, at once if it is already.

        The callback runs in another thread and delays the release. Exceptions are logged.
        """
        with self._guard:
            if not self._lost.is_set():
                self._callbacks.append(callback)
                return
        callback(self._loss())

    def release(self) -> bool:
        """Releases the lease. Returns False if it was lost before.

        Repeats the release until the service confirms it, or until the TTL has ended the lease. A
        lost lease is released in the background, for at most `timeout`. Further calls have no
        effect and return the same. Raises Refused if the service rejects the release, as it does
        if `keep` is too long: the TTL then ends the lease.
        """
        return self._release(math.inf)

    def _release(self, seconds: float) -> bool:
        """Releases the lease, for adapters.

        Raises Unavailable if that takes longer. The release then goes on in the background.
        """
        if os.getpid() != self._pid:
            return False
        own = threading.current_thread() is self._thread  # in a callback
        try:
            self._begin_release()
            _join(self._finished, 0 if own else seconds)
        except BaseException:  # KeyboardInterrupt; a second one ends the process at once
            self._begin_release()
            _join(self._finished, self._client._timeout)
            raise
        if not own and not self._finished.done():
            raise Unavailable("the lock is released in the background, or else by its TTL")
        return self._result()

    async def arelease(self) -> bool:
        """Like `release`, without blocking the event loop."""
        if os.getpid() != self._pid:
            return False
        self._begin_release()
        try:
            await asyncio.wrap_future(self._finished)
        except asyncio.CancelledError:
            await asyncio.wait([asyncio.wrap_future(self._finished)], timeout=self._client._timeout)
            raise
        return self._result()

    def _result(self) -> bool:
        """Returns whether the lease was held until its release."""
        if self._refusal is not None:
            raise self._refusal
        return self._reason is None

    def _loss(self, default: str = "") -> LeaseLost:
        forked = "it belongs to the parent process" if os.getpid() != self._pid else None
        return LeaseLost(forked or self._reason or default)

    def _begin_release(self) -> None:
        _ = self.remaining  # a loss before now counts
        self._end(_RELEASED)

    def _end(self, state: str, reason: Optional[str] = None) -> None:
        """Changes the state. Nothing is sent any more for the previous one."""
        with self._guard:
            if self._state == _RELEASED or state == _LOST and self._state != _HELD:
                return
            self._state = state
            self._reason = self._reason or reason
            if self._call:
                self._call.abort()
            self._wake.set()

    def _run(self) -> None:
        """Acquires, extends, reports the loss and releases, in the thread of the lease."""
        try:
            self._acquire()
            self._granted.set_result(None)
            try:
                self._keep()
            except _Stopped:
                pass
            except Exception as error:
                self._end(_LOST, f"{type(error).__name__} in the client")
            if self._reason is not None:
                self._report()
            self._wake.clear()
            while self._state == _LOST and self._ends.left() > 0:
                self._wake.wait(min(1.0, max(0.0, self._ends.left())))
            if self._state == _RELEASED:
                if self._reason is not None:  # the caller does not wait
                    self._ends = _Timer(min(self._ends.left(), self._client._timeout))
                    self._finished.set_result(None)
                self._delete()
        except Exception as error:
            if isinstance(error, _Stopped):
                self._granted.set_result(None)
            elif not self._granted.done():
                self._granted.set_exception(error)
        finally:
            _leases.discard(self)
            if not self._finished.done():
                self._finished.set_result(None)

    def _request(self, state: str, method: str, seconds: float, query: str = "") -> _Answer:
        """Sends a request to the current base URL, unless or until the lease leaves `state`.

        Sends it again after a 401 if the key file has another key now.
        """
        lock, client, base, limit = self._lock, self._client, self._urls.take(), _Timer(seconds)
        path = lock._extend_path if method == "PUT" else lock._path
        terms = "&".join(filter(None, (lock._names, query)))
        target = f"{base.path}{path}{'?' if terms else ''}{terms}"
        while True:
            key = client._key_header
            headers = f"Lock-Token: {self.token}\r\n{key}"
            call = _Call(client, base, method, target, headers, max(limit.left(), 0.001))
            with self._guard:
                if self._state != state:
                    raise _Stopped
                self._call = None if state == _RELEASED else call
            answer = call.run()
            with self._guard:
                self._call = None
                if self._state != state:
                    raise _Stopped
            if answer.status:
                client._last = self._urls.index
            if answer.status != 401 or not client._renew_key(key):
                return answer

    def _acquire(self) -> None:
        lock, end, unknown = self._lock, _Timer(self._lock._wait), False
        timeout = self._client._timeout
        failure: QuorumlockError
        try:
            while True:
                patience = min(max(0.0, end.left()), _LONGEST_WAIT)
                query = f"{lock._terms}&waitMs={int(patience * 1000)}"
                answer = self._request(_ACQUIRING, "POST", patience + timeout, query)
                status, retry_after = answer.status, answer.retry_after
                lease = answer.lease(self.token, lock._ttl)
                if status in (200, 201) and lease:
                    unknown = True
                    if answer.granted() != lock._all:
                        raise Refused(status, "", _OTHER_NAME)
                    if lease[0].left() > lock._margin:
                        with self._guard:
                            if self._state != _ACQUIRING:
                                raise _Stopped
                            self._deadline, self._fencing = lease
                            self.slot = answer.number("slot")
                            self._ends, self._state = self._deadline, _HELD
                            _leases.add(self)
                        self._urls.succeed()
                        return
                    failure = Unavailable("the lease was too short")
                elif answer.busy():
                    failure = answer.held(lock) if status == 423 else answer.refusal()
                    retry_after = None
                    if end.left() <= 0:
                        raise failure
                elif status in (0, 500, 502, 503, 504):
                    unknown = unknown or answer.sent is not None
                    failure = Unavailable(answer.failure())
                    self._urls.next()
                elif status == 408:
                    failure = Unavailable(answer.failure())
                elif status == 429:  # the limits are those of each replica
                    failure = answer.refusal()
                    self._urls.next()
                else:
                    unknown = unknown or not answer.problem()
                    raise answer.refusal()
                pause = self._urls.pause(retry_after)
                if pause > end.left() + timeout:
                    raise failure
                self._wake.wait(min(pause, max(0.0, end.left())) if answer.busy() else pause)
        except Exception as error:
            self._end(_RELEASED)
            for _ in self._client._bases if unknown or isinstance(error, _Stopped) else ():
                if self._request(_RELEASED, "DELETE", timeout).status in (204, 404):
                    break
                self._urls.next()
            raise

    def _keep(self) -> None:
        """Extends the lease until it is lost or released."""
        lock, extend_at = self._lock, self._extend_at()
        while self.held:
            if lock._holder is not None and not lock._holder.is_alive():
                extend_at = -math.inf
            early = self._deadline.left() - extend_at
            if early > 0:
                self._wake.wait(min(1.0, early))  # timers may be late after a suspension
                continue
            left = self.remaining
            seconds = min(self._client._timeout, max(0.25, left / 3), left)
            before, self._ends = self._ends, _Timer(seconds + lock._ttl)  # it may have an effect
            answer = self._request(_HELD, "PUT", seconds, f"ttlMs={lock._ttl_ms}")
            lease = answer.lease(self.token, lock._ttl) if answer.status == 200 else None
            if answer.sent is None:
                self._ends = before
            if lease:
                with self._guard:
                    if self.held:
                        self._deadline, fencing = lease
                        self._fencing = max(self._fencing, fencing)
                        self._ends, self._trouble = self._deadline, ""
                self._urls.succeed()
                extend_at = self._extend_at()
            elif answer.status in (404, 409):
                self._end(_LOST, f"the service did not extend it: {answer.failure()}")
            elif answer.problem() == "/problems/extensions-exhausted":  # that is final
                self._trouble = f": {answer.failure()}"
                extend_at = -math.inf
            elif self.held:  # else a last try without the time for an answer would hide the cause
                self._trouble = f": {answer.failure()}"
                self._urls.next()
                self._wake.wait(min(self._urls.pause(answer.retry_after), self.remaining / 3))

    def _extend_at(self) -> float:
        """Returns how long before the deadline the next extension starts, in seconds."""
        ttl, margin, left = self._lock._ttl, self._lock._margin, self.remaining
        start = max(ttl * 2 / 3, (ttl + margin) / 2) + random.uniform(0, ttl / 10)
        return min(start, margin + 0.9 * left)  # no endless requests if the service grants less

    def _report(self) -> None:
        with self._guard:
            self._lost.set()
        for callback in self._callbacks:
            try:
                callback(self._loss())
            except BaseException:  # SystemExit, too, must not keep the others from running
                _log.exception("on_lost callback failed")

    def _delete(self) -> None:
        """Releases the lease, as long as the service may have it."""
        lost, unclear = self._reason is not None, False  # an earlier try may have released it
        while self._ends.left() > 0:
            seconds = min(self._client._timeout, max(0.25, self._ends.left() / 3))
            answer = self._request(_RELEASED, "DELETE", seconds, "" if lost else self._lock._keep)
            if answer.status in (404, 409) and not unclear:
                self._reason = self._reason or f"it was over at its release: {answer.failure()}"
            if answer.status == 400 and not lost:
                self._refusal = answer.refusal()
            if answer.status in (204, 400, 404, 409):
                return
            unclear = unclear or answer.unclear()
            self._urls.next()
            pause = self._urls.pause(answer.retry_after)
            time.sleep(min(pause, max(0.0, self._ends.left() / 3)))

    def _take(self) -> None:
        """Acquires the lease, for adapters, and leaves it to its TTL or another process."""
        self._acquire()
        _leases.discard(self)

    def _start(self) -> Lease:
        self._thread.start()
        _join(self._granted)
        self._granted.result()
        return self

    def _abandon(self) -> None:
        self._end(_RELEASED)
        if self._thread.is_alive():
            _join(self._finished, self._client._timeout)


_leases: Set[Lease] = set()  # those of this process that were granted and did not end


class _Block:
    """An open block of a Lock. For ``async with`` it cancels the task when the lease is lost."""

    def __init__(self, lease: Lease, key: object) -> None:
        self.lease, self.key = lease, key
        self._open, self._cancelled = True, False

    def watch(self) -> None:
        self._task = cast("asyncio.Task[Any]", self.key)
        self._loop = asyncio.get_running_loop()
        if sys.version_info >= (3, 11):
            self._cancelling = self._task.cancelling()
        self.lease.on_lost(self._notify)

    def _notify(self, error: LeaseLost) -> None:
        try:
            self._loop.call_soon_threadsafe(self._cancel)
        except RuntimeError:  # the loop is closed
            pass

    def _cancel(self) -> None:
        if self._open:
            self._cancelled = True
            self._task.cancel(self)

    def close(self, error: Optional[BaseException]) -> bool:
        """Returns whether `error` is the cancellation by this block, and none by the caller."""
        self._open = False
        if not self._cancelled:
            return False
        if sys.version_info >= (3, 11):
            alone = self._task.uncancel() <= self._cancelling
            return alone and isinstance(error, asyncio.CancelledError)
        cause: Optional[BaseException] = error  # earlier versions put the message into a context
        while isinstance(cause, asyncio.CancelledError) and not cause.args:
            cause = cause.__context__
        return isinstance(cause, asyncio.CancelledError) and cause.args[0] is self


class Client:
    """The settings of the service. Makes locks; may be used by several threads and tasks.

    urls: base URLs of the replicas, as a list or separated by commas. None: QUORUMLOCK_URL.
    timeout: longest time for an answer, beside the wait for a lock.
    key: API key. None: QUORUMLOCK_KEY, or the content of the file QUORUMLOCK_KEY_FILE, which is
        read again after a 401.
    ca_file, cert_file, cert_key_file: PEM files. None: QUORUMLOCK_CA_FILE and so on.

    Raises Refused with status 0 for invalid values.
    """

    def __init__(
        self,
        urls: Union[str, Sequence[str], None] = None,
        *,
        timeout: Duration = 3,
        key: Optional[str] = None,
        ca_file: Optional[Path] = None,
        cert_file: Optional[Path] = None,
        cert_key_file: Optional[Path] = None,
    ) -> None:
        env = os.environ.get
        self._timeout = _seconds("timeout", timeout, least=0.001)
        urls = urls or env("QUORUMLOCK_URL") or "http://localhost:8080"
        self._bases = [_base(url) for url in (urls.split(",") if isinstance(urls, str) else urls)]
        self._last = 0  # the index of the base URL that answered last
        if not isinstance(key, (str, type(None))):
            raise Refused(0, "", "key must be text")  # without the value, which is secret
        try:
            key = key or env("QUORUMLOCK_KEY")
            self._key_file = None if key else env("QUORUMLOCK_KEY_FILE")
            self._key_header = _key_header(key, self._key_file)
            self._tls: Optional[ssl.SSLContext] = None
            if any(base.tls for base in self._bases):
                ca_file = ca_file or env("QUORUMLOCK_CA_FILE") or None
                cert_file = cert_file or env("QUORUMLOCK_CERT_FILE")
                cert_key_file = cert_key_file or env("QUORUMLOCK_CERT_KEY_FILE") or None
                self._tls = ssl.create_default_context(cafile=ca_file)
                if cert_file:
                    self._tls.load_cert_chain(cert_file, cert_key_file)
        except (OSError, ValueError) as error:
            raise Refused(0, "", f"cannot read key or certificates: {error}") from error

    def lock(
        self,
        name: Union[str, Sequence[str]],
        *,
        ttl: Duration = 30,
        wait: Duration = 0,
        keep: Duration = 0,
        shared: bool = False,
        slots: Optional[int] = None,
        owner: Optional[str] = None,
        margin: Optional[Duration] = None,
        on_lost: Optional[OnLost] = None,
    ) -> Lock:
        """Returns a lock; Lock explains the options. It is a decorator, too."""
        return Lock(self, name, ttl=ttl, wait=wait, keep=keep, shared=shared, slots=slots,
                    owner=owner, margin=margin, on_lost=on_lost)

    def _ask(self, method: str, target: str, token: str = "") -> _Answer:
        """Sends a request without a lease, for adapters. Tries each base URL until one answers."""
        urls, left = _Urls(self._bases, self._last), len(self._bases)
        while True:
            base, key = urls.take(), self._key_header
            headers = f"Lock-Token: {token}\r\n{key}" if token else key
            call = _Call(self, base, method, f"{base.path}{target}", headers, self._timeout)
            answer = call.run()
            if answer.status == 401 and self._renew_key(key):
                continue
            left -= 1
            if 0 < answer.status < 500 and answer.status != 429 or not left:
                return answer
            urls.next()

    def _renew_key(self, used: str) -> bool:
        """Reads the key file again. Returns whether it has another key than was used."""
        try:
            header = _key_header(None, self._key_file)
        except (OSError, ValueError):
            return False
        if header in ("", used):
            return False
        self._key_header = header
        return True


class Lock:
    """A lock by its name, or several. Makes leases; may be used again, by several threads and tasks.

    A lock decorates functions and coroutine functions: each call has a lease of its own.

    client: a Client, or the base URLs for a client of this lock alone.
    name: the name of the lock, such as "orders/42", or a list of up to 32 names: a lease has
        all of them or none, and loses all if it loses one.
    ttl: duration of the lease unless it is extended.
    wait: longest wait for a held lock.
    shared: whether other clients may share the lock, of one name; a client that does not holds it
        alone.
    slots: number of clients, 1 to 64, that may hold the lock, of one name. All give the same.
    keep: time for which nobody gets the lock after the release of a lease that was not lost. The
        service limits it; the release raises Refused if it is longer.
    owner: label that is shown to other clients. None: the name of the host.
    margin: time between the report of a loss and the end of the lease. None: a sixth of `ttl`.
    on_lost: called with LeaseLost, in another thread, when a lease is lost.
    timeout, key, ca_file, cert_file, cert_key_file: as of Client, and not together with one.

    Raises Refused with status 0 for invalid values.
    """

    def __init__(
        self,
        client: Union[Client, str, Sequence[str], None],
        name: Union[str, Sequence[str]],
        *,
        ttl: Duration = 30,
        wait: Duration = 0,
        keep: Duration = 0,
        shared: bool = False,
        slots: Optional[int] = None,
        owner: Optional[str] = None,
        margin: Optional[Duration] = None,
        timeout: Duration = 3,
        key: Optional[str] = None,
        ca_file: Optional[Path] = None,
        cert_file: Optional[Path] = None,
        cert_key_file: Optional[Path] = None,
        on_lost: Optional[OnLost] = None,
    ) -> None:
        if not isinstance(client, Client):
            client = Client(client, timeout=timeout, key=key, ca_file=ca_file, cert_file=cert_file,
                            cert_key_file=cert_key_file)
        elif (timeout, key, ca_file, cert_file, cert_key_file) != (3, None, None, None, None):
            raise Refused(0, "", "timeout, key and files are settings of the client")
        self._client = client
        single = isinstance(name, str) or not isinstance(name, Iterable)
        names = [cast(str, name)] if single else list(name)
        if not names:
            raise Refused(0, "", "there must be a name")
        for one in names:
            _check("a name", one, isinstance(one, str), "text")
            if {"", ".", ".."} & set(one.split("/")):
                raise Refused(0, "", _NAMES)
            if f"/{one}".endswith(("/extend", "/fence")):
                raise Refused(0, "", "the last segment of a name must not be extend or fence")
        self.name = ", ".join(names)
        self._all = frozenset(names)
        self._holder: Optional[threading.Thread] = None  # of an adapter, extended while it lives
        self._ttl, self._wait = _seconds("ttl", ttl, least=0.001), _seconds("wait", wait)
        self._margin = self._ttl / 6 if margin is None else _seconds("margin", margin)
        if self._margin >= self._ttl:
            raise Refused(0, "", f"margin ({1000 * self._margin:.0f} ms) must be less than ttl "
                                 f"({1000 * self._ttl:.0f} ms)")
        self._ttl_ms = round(self._ttl * 1000)
        kept = _seconds("keep", keep)
        _check("shared", shared, isinstance(shared, bool), "True or False")
        _check("slots", slots, slots is None or type(slots) is int and 1 <= slots <= 64,
               "a whole number from 1 to 64")
        if shared and slots is not None:
            raise Refused(0, "", "slots is not allowed with shared")
        self._slots = slots
        _check("owner", owner, owner is None or isinstance(owner, str), "text")
        _check("on_lost", on_lost, on_lost is None or callable(on_lost), "a function")
        self._keep = f"keepMs={round(kept * 1000)}" if kept else ""
        label = socket.gethostname()[:128] if owner is None else owner
        try:
            several = [f"names={quote(one, safe='')}" for one in names] if len(names) > 1 else []
            self._names = "&".join(several)
            self._path = "/locks" if several else f"/locks/{quote(names[0])}"
            self._extend_path = f"{self._path}/extend"
            self._terms = f"ttlMs={self._ttl_ms}&owner={quote(label, safe='')}"
            self._terms += "&mode=shared" if shared else ""
            self._terms += "" if slots is None else f"&slots={slots}"
        except UnicodeEncodeError:
            raise Refused(0, "", "name and owner must be valid Unicode") from None
        self._on_lost = on_lost
        self._guard = threading.Lock()
        self._blocks: List[_Block] = []

    def acquire(self) -> Lease:
        """Acquires a lease. The caller must release it.

        Raises LockHeld, Unavailable or Refused. Whatever it raises, nothing stays locked.
        """
        lease = Lease(self)
        try:
            return lease._start()
        except BaseException:
            lease._abandon()
            raise

    async def aacquire(self) -> Lease:
        """Like `acquire`, without blocking the event loop. Release it with `arelease`.

        Cancellation ends the request and releases what it may have acquired.
        """
        lease = Lease(self)
        try:
            lease._thread.start()
            await asyncio.wrap_future(lease._granted)
            return lease
        except BaseException:
            lease._end(_RELEASED)
            if lease._thread.is_alive():
                limit = self._client._timeout
                await asyncio.wait([asyncio.wrap_future(lease._finished)], timeout=limit)
            raise

    def __enter__(self) -> Lease:
        lease = Lease(self)
        try:
            lease._start()
            self._blocks.append(_Block(lease, threading.get_ident()))
            return lease
        except BaseException:
            lease._abandon()
            raise

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        lease = self._pop(threading.get_ident()).lease
        try:
            if not lease.release() and error is None:
                raise lease._loss()
        except Refused:
            if error is None:
                raise

    async def __aenter__(self) -> Lease:
        lease = await self.aacquire()
        block = _Block(lease, asyncio.current_task())
        self._blocks.append(block)
        block.watch()
        return lease

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                        traceback: Optional[TracebackType]) -> None:
        block = self._pop(asyncio.current_task())
        ours = block.close(error)
        try:
            if not await block.lease.arelease() and (error is None or ours):
                raise block.lease._loss() from error
        except Refused:
            if error is None:
                raise

    def __call__(self, function: Function) -> Function:
        """Decorates a function or a coroutine function, whose end raises LeaseLost after a loss."""
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise Refused(0, "", "a lock cannot decorate a generator; write `with` inside of it")

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        @functools.wraps(function)
        async def acall(*args: Any, **kwargs: Any) -> Any:
            async with self:
                return await function(*args, **kwargs)

        return cast(Function, acall if inspect.iscoroutinefunction(function) else call)

    def _excludes(self, name: str, other: Lock) -> bool:
        """Returns whether a lease of this lock keeps the other one from the name."""
        same = set(self._client._bases) & set(other._client._bases)
        return bool(same) and name in self._all and self._slots is None

    def _pop(self, key: object) -> _Block:
        """Returns the latest block of this thread or task, or of any: generators may move."""
        with self._guard:
            block = ([block for block in self._blocks if block.key == key] or self._blocks)[-1]
            self._blocks.remove(block)
            return block


def _key_header(key: Optional[str], file: Optional[str]) -> str:
    if file:
        with open(file) as content:
            key = content.read().strip()
    if not re.fullmatch("[!-~]*", key or ""):
        raise ValueError("the key must be visible ASCII characters")
    return f"Authorization: Bearer {key}\r\n" if key else ""


def _check(field: str, value: object, valid: bool, expected: str) -> None:
    if not valid:
        shown = _CONTROLS.sub(" ", repr(value))[:100]
        raise Refused(0, "", f"{field} must be {expected}, not {shown}")


def _seconds(field: str, value: Duration, least: float = 0) -> float:
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    _check(field, value, number and not math.isnan(seconds), "a number of seconds or a timedelta")
    if seconds < least:
        raise Refused(0, "", f"{field} must {'be at least 1 ms' if least else 'not be negative'}")
    return float(min(seconds, 1e9))


def _base(url: str) -> _Base:
    try:
        url = url.strip()
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except (AttributeError, ValueError):
        host = None
    if isinstance(url, str) and url and "@" not in url and "://" not in url:
        raise Refused(0, "", f"the URL {url} has no http:// or https://; write http://{url}")
    if (not host or parts.scheme not in ("http", "https") or "@" in parts.netloc
            or not re.fullmatch(r"[!\"$-;=A-\[\]-~]+", url)):  # visible ASCII without # < > ? \
        raise Refused(0, "", "a base URL must be http[s]://host[:port][/path], "
                             "without user, query and fragment")
    if parts.path.rstrip("/").endswith("/locks"):
        raise Refused(0, "", "a base URL must not end in /locks: write that of the service, such as "
                             "http://localhost:8080")
    tls = parts.scheme == "https"
    proxy_url = urllib.request.getproxies().get(parts.scheme)
    proxy, proxy_headers = None, ""
    if proxy_url and not urllib.request.proxy_bypass(parts.netloc):
        via = urlsplit(proxy_url if "://" in proxy_url else f"http://{proxy_url}")
        if via.scheme != "http" or not via.hostname:
            raise Refused(0, "", f"the proxy for {parts.scheme} must be http://[user:password@]host[:port]")
        proxy = (via.hostname, via.port or 80)
        if via.username is not None:
            user = f"{unquote(via.username)}:{unquote(via.password or '')}".encode()
            proxy_headers = f"Proxy-Authorization: Basic {base64.b64encode(user).decode()}\r\n"
    return _Base(f"{parts.scheme}://{parts.netloc}", tls, host, port or (443 if tls else 80),
                 parts.netloc, parts.path.rstrip("/"), proxy, proxy_headers)


def _join(future: concurrent.futures.Future[None], seconds: float = math.inf) -> None:
    """Waits for a future in short steps, because Windows handles Ctrl-C only between them."""
    limit = _Timer(seconds)
    while not future.done() and limit.left() > 0:
        concurrent.futures.wait([future], min(1.0, limit.left()))
