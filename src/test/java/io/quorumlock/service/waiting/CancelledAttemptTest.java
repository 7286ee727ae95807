// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.service.waiting.WaitQueues.WaitListener;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The state of a queue belongs to the event loop, also if its caller cancels on another thread as the attempt ends. */
@Proves("R11")
class CancelledAttemptTest {
    private final VirtualTime time = new VirtualTime();
    private final CompletableFuture<Acquisition> attempt = new CompletableFuture<>();
    private final Set<Thread> threads = new HashSet<>();
    private final WaitQueues queues = new WaitQueues(
            new OneAttempt(attempt),
            3,
            0.01,
            (resource, listener) -> () -> {},
            new WaitingLimits(10, 10),
            time.engineContext(1),
            new WaitListener() {
                @Override
                public void acquired(LockKind.Type kind, Acquisition outcome) {}

                @Override
                public void waited(Acquisition outcome, Duration elapsed) {
                    threads.add(Thread.currentThread());
                }

                @Override
                public void rejected() {}
            });

    /**
     * The loop has completed the attempt, and is interrupted before it runs the actions that depend on it. CompletableFuture.cancel
     * then runs them on the thread of the caller, although it changes nothing.
     */
    @Test
    void endsAttemptOnTheLoop() {
        CompletableFuture<Acquisition> answer = queues.acquire(
                RESOURCE,
                new AcquireTerms(
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Optional.empty(),
                        Optional.empty(),
                        LockKind.EXCLUSIVE));
        time.pass(Duration.ZERO);
        attempt.whenComplete((outcome, bug) -> elsewhere(() -> answer.cancel(false)));
        attempt.complete(new Acquisition.TokenInUse());
        time.pass(Duration.ofSeconds(6));
        assertEquals(0, queues.all());
        assertEquals(Set.of(Thread.currentThread()), threads);
    }

    private static void elsewhere(Runnable task) {
        Thread thread = new Thread(task, "http");
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private record OneAttempt(CompletableFuture<Acquisition> attempt) implements LockEngine {
        @Override
        public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
            return attempt;
        }

        @Override
        public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Inspection> inspect(ResourceName resource) {
            throw new UnsupportedOperationException();
        }
    }
}
