# SPDX-License-Identifier: Apache-2.0
"""Locks of Quorumlock for tooz.

    coordinator = tooz.coordination.get_coordinator("quorumlock://localhost:8080", b"worker-1")
    coordinator.start()
    with coordinator.get_lock(b"orders/42"):
        work()

The URL has the replicas, separated by commas, and perhaps a path. `quorumlock+https://` uses TLS.
Options, as parameters of the URL or keywords of `get_coordinator`: `lock_timeout` (TTL, 30 s),
`timeout` (of a request, 3 s), `namespace` (first segment of the names, `tooz`) and, as a keyword
only, `key` (API key). The driver extends the leases: the coordinator needs no heartbeat. It has
locks, exclusive and shared, but no groups.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any, Iterator, List, Optional, Set, Tuple, Union

import tooz
from tooz import coordination, locking, utils

from quorumlock import Client, Lease, LockHeld, QuorumlockError, Unavailable
from quorumlock._names import segment

__all__ = ["QuorumlockDriver", "QuorumlockLock"]


class QuorumlockLock(locking.Lock):
    """A lock of the service. Each acquire has a lease, which any thread may release.

    `release` and `is_still_owner` are about the latest lease of their thread, or else of any. The
    driver extends a lease until its release, or until the thread that acquired it has ended.
    """

    def __init__(self, driver: QuorumlockDriver, name: Union[str, bytes]) -> None:
        super().__init__(name)  # type: ignore[arg-type]
        self._driver = driver
        self._resource = f"{driver.namespace}/{segment(name)}"
        # With the thread that acquired it. Python uses the number of a thread again after its end.
        self._leases: List[Tuple[threading.Thread, Lease]] = []

    def acquire(self, blocking: Union[bool, float] = True, shared: bool = False,
                timeout: Optional[float] = None) -> bool:
        """Returns whether the lock was acquired.

        An acquire without a timeout waits for the holder for any time, and for the service for the
        TTL of a lease. It then raises ToozConnectionError.
        """
        blocking, timeout = utils.convert_blocking(blocking, timeout)
        ttl = self._driver.lock_timeout
        wait = 0.0 if not blocking else ttl if timeout is None else timeout
        with _translated_errors():
            lock = self._driver.client.lock(self._resource, ttl=ttl, wait=wait, shared=shared,
                                            owner=self._driver.owner)
            thread = lock._holder = threading.current_thread()
        while True:
            try:
                with _translated_errors():
                    lease = lock.acquire()
            except LockHeld:
                if blocking and timeout is None:
                    continue
                return False
            self._leases.append((thread, lease))
            self._driver.leases.add(lease)
            lease.on_lost(lambda _: None if thread.is_alive() else self._forget((thread, lease)))
            return True

    def _forget(self, one: Tuple[threading.Thread, Lease]) -> None:
        with contextlib.suppress(ValueError):  # another thread releases it, too
            self._leases.remove(one)
        self._driver.leases.discard(one[1])

    def release(self) -> bool:
        """Returns whether a lease was held until now. It is False if the lease was lost.

        Raises ToozConnectionError after the timeout of a request. Until the TTL is over, the driver
        tries to release the lock in the background.
        """
        latest = self._latest()
        if latest is None:
            return False
        self._forget(latest)
        with _translated_errors():
            return latest[1]._release(self._driver.timeout)

    @property
    def acquired(self) -> bool:
        """Whether a lease is held now, by the clock."""
        return any(lease.held for _, lease in list(self._leases))

    def is_still_owner(self) -> bool:
        latest = self._latest()
        return latest is not None and latest[1].held

    def break_(self) -> bool:
        """Needs an API key with the verb `force`. The service logs it."""
        with _translated_errors():
            path = self._driver.client.lock(self._resource)._path
            answer = self._driver.client._ask("DELETE", f"{path}?force=true&reason=tooz")
            if answer.status not in (204, 404):
                raise answer.error()
        return answer.status == 204

    def _latest(self) -> Optional[Tuple[threading.Thread, Lease]]:
        leases, thread = list(self._leases), threading.current_thread()
        latest = [one for one in leases if one[0] is thread] or leases
        return latest[-1] if latest else None


class QuorumlockDriver(coordination.CoordinationDriver):
    """The locks of one member."""

    CHARACTERISTICS = (
        coordination.Characteristics.DISTRIBUTED_ACROSS_THREADS,
        coordination.Characteristics.DISTRIBUTED_ACROSS_PROCESSES,
        coordination.Characteristics.DISTRIBUTED_ACROSS_HOSTS,
    )

    def __init__(self, member_id: Union[str, bytes], parsed_url: Any, options: Any) -> None:
        super().__init__(member_id, parsed_url, options)  # type: ignore[arg-type]
        options = utils.collapse(options)
        scheme = "https" if parsed_url.scheme.endswith("+https") else "http"
        hosts = parsed_url.netloc.split(",")
        self.lock_timeout = float(options.get("lock_timeout", 30))
        self.timeout = float(options.get("timeout", 3))
        self.namespace = str(options.get("namespace", "tooz"))
        self.owner = segment(member_id)[:128]
        self.leases: Set[Lease] = set()
        with _translated_errors():
            self.client = Client([f"{scheme}://{host}{parsed_url.path}" for host in hosts],
                                 timeout=self.timeout, key=options.get("key"))

    def _start(self) -> None:
        """Checks that a replica answers, whatever the answer."""
        answer = self.client._ask("GET", "/q/health/ready")
        with _translated_errors():
            if not answer.status:
                raise answer.error()

    def _stop(self) -> None:
        """Releases the leases that the member still has, for at most the timeout of a request."""
        leases, self.leases = self.leases, set()
        end = time.monotonic() + self.timeout
        for begin in (True, False):
            for lease in leases:
                with contextlib.suppress(QuorumlockError):
                    lease._release(0 if begin else end - time.monotonic())

    def get_lock(self, name: Union[str, bytes]) -> QuorumlockLock:
        return QuorumlockLock(self, name)

    def _watch(self, *_: Any, **__: Any) -> None:
        raise tooz.NotImplemented("the driver has no groups")

    watch_join_group = watch_leave_group = watch_elected_as_leader = _watch


@contextlib.contextmanager
def _translated_errors() -> Iterator[None]:
    """Raises errors of the client as those of tooz, except LockHeld."""
    try:
        yield
    except LockHeld:
        raise
    except Unavailable as error:
        raise coordination.ToozConnectionError(str(error), cause=error) from error
    except QuorumlockError as error:
        raise tooz.ToozError(str(error), cause=error) from error
