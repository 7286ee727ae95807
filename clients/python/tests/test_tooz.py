# SPDX-License-Identifier: Apache-2.0
"""Faults, and names that the service refuses: tooz's own tests do not cover them."""

import threading
import time
import unittest
import uuid

import tooz
from tooz import coordination

from support import ADDRESS, NOWHERE, Program, Replica, break_lock, request, silent, until

URL = f"quorumlock://{ADDRESS.netloc}"
HOLDER = f"""
import sys
from tooz import coordination
coordinator = coordination.get_coordinator("{URL}?lock_timeout=2", b"holder")
coordinator.start()
lock = coordinator.get_lock(%r)
lock.acquire()
print("held", flush=True)
sys.stdin.readline()
print(lock.is_still_owner(), lock.release())
"""


class ToozTest(unittest.TestCase):
    def setUp(self):
        self.name = str(uuid.uuid4())
        self.coordinator = self.started(URL)

    def started(self, url, **options):
        coordinator = coordination.get_coordinator(url, b"test", **options)
        coordinator.start()
        self.addCleanup(lambda: coordinator.is_started and coordinator.stop())
        return coordinator

    def lock(self, coordinator=None):
        return (coordinator or self.coordinator).get_lock(self.name)

    def test_service_away_at_the_start(self):
        coordinator = coordination.get_coordinator(f"quorumlock://{NOWHERE}", b"test")
        self.assertRaises(coordination.ToozConnectionError, coordinator.start)

    def test_service_that_does_not_answer(self):
        listener, address = silent()
        with listener:
            coordinator = coordination.get_coordinator(f"quorumlock://{address}?timeout=1&lock_timeout=1", b"test")
            self.assertRaises(coordination.ToozConnectionError, coordinator.start)
            self.assertRaises(coordination.ToozConnectionError, self.lock(coordinator).acquire)

    def test_service_away_later(self):
        replica = Replica()
        lock = self.lock(self.started(f"quorumlock://{replica.host}?timeout=1&lock_timeout=2"))
        replica.stop()
        for options in ({"blocking": False}, {"timeout": 1}, {"blocking": True}):
            with self.subTest(options):
                self.assertRaises(coordination.ToozConnectionError, lock.acquire, **options)

    def test_release_without_the_service_takes_a_timeout(self):
        replica = Replica()
        coordinator = self.started(f"quorumlock://{replica.host}?timeout=1&lock_timeout=10")
        locks = [coordinator.get_lock(f"{self.name}-{i}") for i in range(3)]
        for lock in locks:
            self.assertTrue(lock.acquire())
        self.assertEqual(200, request("GET", f"/locks/tooz/{self.name}-2"))
        replica.stop()
        begun = time.monotonic()
        self.assertRaises(coordination.ToozConnectionError, locks[0].release)
        self.assertFalse(locks[0].acquired)
        self.assertFalse(locks[0].release())
        coordinator.stop()
        self.assertLess(time.monotonic() - begun, 5)
        replica.start()
        for i in range(3):  # in the background, before the TTL
            until(lambda: request("GET", f"/locks/tooz/{self.name}-{i}") == 404, 4)

    def test_service_that_restarts(self):
        replica = Replica()
        lock = self.lock(self.started(f"quorumlock://{replica.host}?timeout=1&lock_timeout=6"))
        self.assertTrue(lock.acquire())
        lease = lock._leases[0][1]
        replica.stop()
        until(lambda: lease.remaining < 2)  # extensions begin when 3 s remain
        replica.start()
        until(lambda: lease.remaining > 4)
        self.assertTrue(lock.is_still_owner())
        self.assertTrue(lock.release())

    def test_another_replica(self):
        self.assertTrue(self.lock(self.started(f"quorumlock://{NOWHERE},{ADDRESS.netloc}")).acquire())

    def test_held_lock(self):
        self.assertTrue(self.lock().acquire())
        self.assertFalse(self.lock().acquire(blocking=False))
        self.assertFalse(self.lock().acquire(timeout=0.5))
        self.assertFalse(self.lock().acquire(0.5))
        self.assertRaises(coordination.LockAcquireFailed, self.lock()(False).__enter__)

    def test_release_wakes_a_waiter_that_waits_for_longer_than_a_ttl(self):
        lock = self.lock()
        self.assertTrue(lock.acquire())
        waiter = self.lock(self.started(f"{URL}?lock_timeout=1"))
        acquired = []
        thread = threading.Thread(target=lambda: acquired.append(waiter.acquire()))
        thread.start()
        thread.join(2.5)
        self.assertTrue(thread.is_alive())
        self.assertTrue(lock.release())
        thread.join(30)
        self.assertEqual([True], acquired)

    def test_lock_of_a_thread_that_ended_ends(self):
        lock = self.lock(self.started(f"{URL}?lock_timeout=2"))
        thread = threading.Thread(target=lock.acquire)
        thread.start()
        thread.join()
        self.assertTrue(self.lock().acquire(timeout=30))
        until(lambda: not lock._leases)
        self.assertFalse(lock.release())

    def test_lease_lost_during_the_work(self):
        lock = self.lock(self.started(f"{URL}?lock_timeout=2"))
        with lock:
            break_lock(f"tooz/{self.name}")
            until(lambda: not lock.is_still_owner())
            other = self.lock()
            self.assertTrue(other.acquire(blocking=False))
        self.assertFalse(lock.release())
        self.assertTrue(other.is_still_owner())

    def test_process_suspended_past_its_lease(self):
        holder = Program(HOLDER % self.name)
        holder.suspend()
        other = self.lock()
        self.assertTrue(other.acquire(timeout=30))
        holder.resume()
        self.assertEqual("False False", holder.finish())
        self.assertTrue(other.release())

    def test_process_killed(self):
        holder = Program(HOLDER % self.name)
        self.assertEqual("held", holder.first)
        holder.kill()
        self.assertFalse(self.lock().acquire(blocking=False))
        self.assertTrue(self.lock().acquire(timeout=30))

    def test_ttl_above_the_maximum(self):
        lock = self.lock(self.started(f"{URL}?lock_timeout=1000000"))
        self.assertRaisesRegex(tooz.ToozError, "ttlMs", lock.acquire)

    def test_settings_that_the_client_refuses(self):
        for options, message in ({"lock_timeout": 0}, "ttl must be"), ({"namespace": "a//b"}, "a name must not"):
            lock = self.lock(self.started(URL, **options))
            with self.subTest(options):
                self.assertRaisesRegex(tooz.ToozError, message, lock.acquire)
        self.assertRaisesRegex(tooz.ToozError, "a name must not", lock.break_)

    def test_any_name(self):
        names = ["a/b", "a//b", ".", "..", "extend", "a/extend", "ä \n%2F", b"\xff", "x" * 1000, "x" * 1001]
        locks = [self.coordinator.get_lock(name) for name in names]
        for lock in locks:
            with self.subTest(lock.name):
                self.assertTrue(lock.acquire(blocking=False))
        for lock in locks:
            self.assertTrue(lock.release())
        self.assertRaises(ValueError, self.coordinator.get_lock, "")

    def test_two_threads_with_one_object(self):
        lock, inside, most = self.lock(), [], []

        def work():
            for _ in range(3):
                with lock:
                    inside.append(1)
                    self.coordinator.get_lock(self.name + "/other").acquire(blocking=False)
                    most.append(len(inside))
                    inside.pop()

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual([1] * 6, most)

    def test_threads_release_their_own_leases(self):
        lock = self.lock()
        self.assertTrue(lock.acquire(shared=True))
        other = threading.Thread(target=lock.acquire, kwargs={"shared": True})
        other.start()
        other.join(60)
        own, others = [lease for _, lease in lock._leases]
        self.assertTrue(lock.release())
        self.assertEqual((False, True), (own.held, others.held))
        self.assertTrue(lock.is_still_owner())  # of the lease of any thread
        self.assertTrue(lock.release())
        self.assertFalse(others.held)

    def test_thread_with_a_lost_lease_is_no_owner(self):
        lock = self.lock(self.started(f"{URL}?lock_timeout=2"))
        self.assertTrue(lock.acquire())
        break_lock(f"tooz/{self.name}")
        end = threading.Event()
        other = threading.Thread(target=lambda: lock.acquire() and end.wait(60))
        other.start()
        until(lambda: len(lock._leases) == 2)
        until(lambda: not lock.is_still_owner())
        self.assertFalse(lock.release())
        self.assertTrue(lock.acquired)
        self.assertTrue(lock.release())
        end.set()

    def test_stop_releases_the_locks(self):
        coordinator = self.started(URL)
        self.assertTrue(self.lock(coordinator).acquire())
        coordinator.stop()
        self.assertEqual(404, request("GET", f"/locks/tooz/{self.name}"))

    def test_namespace(self):
        lock = self.lock(self.started(URL, namespace="cinder"))
        self.assertTrue(lock.acquire())
        self.assertEqual(200, request("GET", f"/locks/cinder/{self.name}"))


if __name__ == "__main__":
    unittest.main()
