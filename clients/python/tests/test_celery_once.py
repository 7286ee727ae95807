# SPDX-License-Identifier: Apache-2.0
"""The cases of celery-once's own tests of backends, and faults."""

import tempfile
import threading
import unittest
import uuid

from celery import Celery
from celery_once import AlreadyQueued, QueueOnce

from quorumlock import Refused, Unavailable
from quorumlock.celery_once import Quorumlock
from support import NOWHERE, SERVICE, Program, Replica, break_lock, request, silent, until

app = Celery(set_as_current=False)
app.conf.task_always_eager = True
app.conf.ONCE = {
    "backend": "quorumlock.celery_once.Quorumlock",
    "settings": {"url": SERVICE, "default_timeout": 30, "secret": "of these tests"},
}
backend = Quorumlock(app.conf.ONCE["settings"])
held = []  # whether the lock of each task was held while the task ran


def is_held(key):
    return request("GET", f"/locks/celery-once/{key}") == 200


@app.task(name="example", base=QueueOnce)
def example(a):
    held.append(is_held(f"qo_example_a-{a}"))


@app.task(name="early", base=QueueOnce, once={"unlock_before_run": True})
def early(a):
    held.append(is_held(f"qo_early_a-{a}"))


@app.task(name="failing", base=QueueOnce)
def failing(a):
    raise ValueError(a)


@app.task(name="again", base=QueueOnce, once={"keys": ["a"]}, bind=True, default_retry_delay=0)
def again(self, a, left=1):
    held.append(is_held(f"qo_again_a-{a}"))
    if left:
        self.request.called_directly = False
        self.retry(kwargs={"a": a, "left": 0})


class TaskTest(unittest.TestCase):
    def setUp(self):
        held.clear()
        self.a = uuid.uuid4().hex
        self.key = f"qo_example_a-{self.a}"

    def test_lock_is_held_until_the_end_of_the_task(self):
        example.delay(self.a)
        self.assertEqual([True], held)
        self.assertFalse(is_held(self.key))

    def test_task_is_queued_again_after_its_end(self):
        example.delay(self.a)
        example.apply_async(args=(self.a,))
        self.assertEqual([True, True], held)

    def test_queued_task_is_not_queued_again(self):
        backend.raise_or_lock(self.key, 30)
        with self.assertRaises(AlreadyQueued) as caught:
            example.delay(self.a)
        self.assertTrue(20 < caught.exception.countdown <= 30, caught.exception.countdown)
        self.assertRaises(AlreadyQueued, example.apply_async, args=(self.a,))
        self.assertEqual([], held)

    def test_graceful_rejection(self):
        backend.raise_or_lock(self.key, 30)
        result = example.apply_async(args=(self.a,), once={"graceful": True})
        self.assertEqual((None, "REJECTED"), (result.result, result.state))

    def test_tasks_with_other_arguments_are_queued(self):
        backend.raise_or_lock(self.key, 30)
        example.delay(self.a + "b")
        self.assertEqual([True], held)

    def test_unlock_before_run(self):
        early.delay(self.a)
        self.assertEqual([False], held)

    def test_failed_task_is_unlocked(self):
        failing.delay(self.a)
        self.assertFalse(is_held(f"qo_failing_a-{self.a}"))

    def test_retried_task_is_unlocked_at_its_end(self):
        again.delay(self.a)
        self.assertEqual(2, len(held))
        self.assertFalse(is_held(f"qo_again_a-{self.a}"))

    def test_timeout_of_a_call(self):
        backend.raise_or_lock(self.key, 1)
        with self.assertRaises(AlreadyQueued):
            example.delay(self.a)
        until(lambda: not is_held(self.key))
        example.apply_async(args=(self.a,), once={"timeout": 5})
        self.assertEqual([True], held)


class WorkerTest(unittest.TestCase):
    """A worker in a process of its own. The broker is a folder."""

    def test_task_is_not_queued_again_until_the_worker_has_run_it(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        script = f"""
from celery import Celery
from celery_once import QueueOnce
app = Celery(broker="filesystem://", set_as_current=False)
app.conf.broker_transport_options = dict.fromkeys(["data_folder_in", "data_folder_out", "control_folder"], {folder.name!r})
app.conf.worker_redirect_stdouts = False
app.conf.ONCE = {app.conf.ONCE!r}
@app.task(name="example", base=QueueOnce)
def example(a):
    print("begun", flush=True)
    input()
"""
        names = {}
        exec(script, names)
        queued, a = names["example"], uuid.uuid4().hex
        queued.delay(a)
        with self.assertRaises(AlreadyQueued) as caught:
            queued.delay(a)
        self.assertTrue(20 < caught.exception.countdown <= 30)  # default_timeout
        worker = Program(script + 'app.worker_main(["--quiet", "worker", "--pool=solo", "--loglevel=ERROR"])')
        self.addCleanup(worker.kill)
        self.assertEqual("begun", worker.first)
        self.assertRaises(AlreadyQueued, queued.delay, a)
        worker.go_on()
        until(lambda: not is_held(f"qo_example_a-{a}"))
        queued.delay(a)
        self.assertEqual("begun", worker.line())


class BackendTest(unittest.TestCase):
    def setUp(self):
        self.key = uuid.uuid4().hex

    def test_worker_in_another_process_releases(self):
        queuing = Program(f"""
from quorumlock.celery_once import Quorumlock
Quorumlock({app.conf.ONCE["settings"]!r}).raise_or_lock({self.key!r}, 30)
print("queued")
""")
        queuing.finish()
        self.assertTrue(is_held(self.key))
        backend.clear_lock(self.key)
        self.assertFalse(is_held(self.key))

    def test_process_killed_before_the_task_ends(self):
        queuing = Program(f"""
from quorumlock.celery_once import Quorumlock
Quorumlock({app.conf.ONCE["settings"]!r}).raise_or_lock({self.key!r}, 2)
print("queued", flush=True)
input()
""")
        self.assertEqual("queued", queuing.first)
        queuing.kill()
        self.assertRaises(AlreadyQueued, backend.raise_or_lock, self.key, 30)
        until(lambda: not is_held(self.key))
        backend.raise_or_lock(self.key, 30)

    def test_worker_suspended_past_the_timeout(self):
        a = uuid.uuid4().hex
        key = f"qo_example_a-{a}"
        worker = Program(f"""
from celery import Celery
from celery_once import QueueOnce
app = Celery()
app.conf.task_always_eager = True
app.conf.ONCE = {app.conf.ONCE!r}
@app.task(name="example", base=QueueOnce, once={{"timeout": 2}})
def example(a):
    print("begun", flush=True)
    input()
    print("ended", flush=True)
example.delay({a!r})
""")
        self.assertEqual("begun", worker.first)
        worker.suspend()
        until(lambda: not is_held(key))
        backend.raise_or_lock(key, 30)  # the task is queued a second time
        worker.resume()
        self.assertEqual("ended", worker.finish())  # the task is not told
        self.assertFalse(is_held(key))  # its end has released the lock of the second one

    def test_clear_without_a_lock(self):
        backend.clear_lock(self.key)

    def test_another_secret_does_not_release(self):
        backend.raise_or_lock(self.key, 30)
        Quorumlock({"url": SERVICE, "secret": "another"}).clear_lock(self.key)
        self.assertTrue(is_held(self.key))

    def test_locks_of_other_programs_stay(self):
        self.assertEqual(201, request("POST", f"/locks/celery-once/{self.key}?owner=another"))
        backend.clear_lock(self.key)
        self.assertTrue(is_held(self.key))

    def test_lease_lost_during_the_work(self):
        backend.raise_or_lock(self.key, 30)
        break_lock(f"celery-once/{self.key}")
        backend.raise_or_lock(self.key, 30)  # the task is queued a second time
        backend.clear_lock(self.key)  # at the end of the first one, for both
        self.assertFalse(is_held(self.key))
        backend.clear_lock(self.key)

    def test_service_away(self):
        away = Quorumlock({"url": f"http://{NOWHERE}", "timeout": 1})
        self.assertRaises(Unavailable, away.raise_or_lock, self.key, 30)
        self.assertRaises(Unavailable, away.clear_lock, self.key)

    def test_service_that_does_not_answer(self):
        listener, address = silent()
        with listener:
            away = Quorumlock({"url": f"http://{address}", "timeout": 1})
            self.assertRaises(Unavailable, away.raise_or_lock, self.key, 30)
            self.assertRaises(Unavailable, away.clear_lock, self.key)

    def test_service_that_restarts(self):
        replica = Replica()
        through = Quorumlock({**app.conf.ONCE["settings"], "url": f"http://{replica.host}", "timeout": 1})
        through.raise_or_lock(self.key, 30)
        replica.stop()
        self.assertRaises(Unavailable, through.clear_lock, self.key)
        replica.start()
        self.assertRaises(AlreadyQueued, through.raise_or_lock, self.key, 30)
        through.clear_lock(self.key)
        self.assertFalse(is_held(self.key))

    def test_list_of_urls(self):
        several = Quorumlock({**app.conf.ONCE["settings"], "url": [f"http://{NOWHERE}", SERVICE]})
        several.raise_or_lock(self.key, 30)
        several.clear_lock(self.key)
        self.assertFalse(is_held(self.key))

    def test_timeout_above_the_maximum(self):
        with self.assertRaisesRegex(Refused, "ttlMs") as caught:
            backend.raise_or_lock(self.key, 1_000_000)
        self.assertEqual(400, caught.exception.status)

    def test_any_key(self):
        for key in ("a/b", "a//b", "extend", "qo_example_a-\u00e4 \n%2F", "\ud800", "x" * 1000):
            with self.subTest(key):
                backend.raise_or_lock(key + self.key, 30)
                self.assertRaises(AlreadyQueued, backend.raise_or_lock, key + self.key, 30)
                backend.clear_lock(key + self.key)
                backend.raise_or_lock(key + self.key, 30)
                backend.clear_lock(key + self.key)

    def test_two_threads_with_one_object(self):
        outcomes, start = [], threading.Barrier(4)

        def queue():
            start.wait()
            try:
                backend.raise_or_lock(self.key, 30)
                outcomes.append("queued")
            except AlreadyQueued:
                outcomes.append("already queued")

        threads = [threading.Thread(target=queue) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(["already queued"] * 3 + ["queued"], sorted(outcomes))


if __name__ == "__main__":
    unittest.main()
