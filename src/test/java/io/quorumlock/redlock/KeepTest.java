// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Releases that keep the name taken for a while (promise K), on masters some of which fail. */
class KeepTest {
    private static final Duration KEEP = Duration.ofSeconds(2);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final FakeFleet fleet = new FakeFleet(5);

    /** A plain release would have succeeded: a majority no longer has the lease. */
    @Test
    void isUnconfirmedWithoutMajorityThatKeeps() {
        fleet.acquire(A);
        fleet.master(3).forget();
        fleet.setFault(Fault.DOWN, 4, 5);
        assertInstanceOf(Release.Unconfirmed.class, keep(KEEP));
    }

    @Test
    void waiterGetsKeptNameAtItsEnd() {
        fleet.masters.forEach(master -> master.answerAfter(MILLISECOND));
        WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(100, 100));
        fleet.await(queues.acquire(RESOURCE, terms(A)));
        AcquireTerms patient = new AcquireTerms(
                TTL, Duration.ZERO, Duration.ofSeconds(8), Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);
        CompletableFuture<Acquisition> waiting = queues.acquire(RESOURCE, patient);
        fleet.time.pass(Duration.ofMillis(100));
        fleet.await(queues.release(ResourceNames.of(RESOURCE), A, KEEP));
        fleet.time.pass(KEEP.minusMillis(10));
        assertFalse(waiting.isDone());
        fleet.time.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    private Release keep(Duration keep) {
        return fleet.await(fleet.engine.release(ResourceNames.of(RESOURCE), A, keep));
    }
}
