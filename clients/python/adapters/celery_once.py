# SPDX-License-Identifier: Apache-2.0
"""Locks of Quorumlock for celery-once: a task is queued once at a time.

    app.conf.ONCE = {
        "backend": "quorumlock.celery_once.Quorumlock",
        "settings": {"url": "http://localhost:8080", "default_timeout": 60, "secret": "…"},
    }

The settings `url` (one, or a list), `key` and `timeout` (of a request) are those of Client;
`prefix` is the first segment of the names (`celery-once`). A lease ends after the timeout of the
task, which must not be longer than `quorumlock.ttl.max` of the service. Nothing extends it.

The program that queues a task acquires the lock, and the worker releases it. Both compute the
token of the lease from its owner, a random label that every client may see, and `secret`, which
they share. Without a secret, every client can compute the token.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import secrets
from typing import Any, Dict, Optional

from celery_once import AlreadyQueued  # type: ignore[import-untyped]

from quorumlock import Client, Lease, Lock, LockHeld
from quorumlock._names import segment

__all__ = ["Quorumlock"]

_LABEL = "celery-once "


@functools.lru_cache(maxsize=None)  # celery-once makes a backend for each call
def _client(url: Optional[str], key: Optional[str], timeout: float) -> Client:
    return Client(url, key=key, timeout=timeout)


class Quorumlock:
    """A backend of celery-once. May be used by several threads."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        get, url = settings.get, settings.get("url")
        urls = ",".join(url) if isinstance(url, (list, tuple)) else url  # the cache needs a text
        self._client = _client(urls, get("key"), get("timeout", 3))
        self._secret = str(get("secret", "")).encode()
        self._prefix = get("prefix", "celery-once")

    def raise_or_lock(self, key: str, timeout: float) -> None:
        """Acquires the lock of a task for `timeout` seconds.

        Raises AlreadyQueued, Unavailable, or Refused, for example if the timeout is too long.
        """
        label = _LABEL + secrets.token_hex(16)
        lock = self._lock(key, ttl=timeout, owner=label)
        lease = Lease(lock)
        lease.token = self._token(lock, label)
        try:
            lease._take()
        except LockHeld as held:
            raise AlreadyQueued(held.remaining or 0) from None

    def clear_lock(self, key: str) -> None:
        """Releases the lock of a task, if it is held. Raises Unavailable or Refused."""
        lock = self._lock(key)
        answer = self._client._ask("GET", lock._path)
        label = answer.text("owner") or ""
        if answer.status == 200 and label.startswith(_LABEL):
            answer = self._client._ask("DELETE", lock._path, self._token(lock, label))
        # 409: the next task was queued meanwhile. 404: the timeout has released it.
        if answer.status not in (200, 204, 404, 409):
            raise answer.error()

    def _lock(self, key: str, **options: Any) -> Lock:
        return self._client.lock(f"{self._prefix}/{segment(key)}", **options)

    def _token(self, lock: Lock, label: str) -> str:
        text = f"{lock.name} {label}".encode()
        return hmac.new(self._secret, text, hashlib.sha256).hexdigest()[:32]
