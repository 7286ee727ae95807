// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reservations of shared locks for a writer that waits. */
@Proves("R12")
class ReservationsTest {
    private static final int READERS = 64;
    private static final Duration BETWEEN_RELEASES = Duration.ofMillis(20);

    private final FakeConsensus fixture = new FakeConsensus();
    private final WaitQueues queues = new WaitQueues(
            fixture.engine,
            1,
            0.01,
            fixture.engine.signal(),
            new WaitingLimits(10, 10),
            fixture.time.engineContext(5),
            fixture.events);

    /** Each release of a reader wakes the writer, whose reservation lasts for two seconds. */
    @Test
    void areNotWrittenForEachAttempt() {
        for (int i = 0; i < READERS; i++) {
            fixture.await(fixture.other.acquire(
                    ResourceNames.of(RESOURCE), terms(Duration.ZERO, Optional.of(reader(i)), LockKind.SHARED)));
        }
        CompletableFuture<Acquisition> writer =
                queues.acquire(ResourceNames.of(RESOURCE), terms(TTL, Optional.empty(), LockKind.EXCLUSIVE));
        long before = revision("before");
        for (int i = 0; i < READERS; i++) {
            fixture.await(fixture.other.release(ResourceNames.of(RESOURCE), reader(i), Duration.ZERO));
            fixture.pass(BETWEEN_RELEASES);
        }
        assertInstanceOf(Acquisition.Acquired.class, writer.getNow(null));
        long writes = revision("after") - before;
        assertTrue(writes <= READERS + 6, () -> writes + " writes");
    }

    private static LeaseToken reader(int number) {
        return new LeaseToken("token-of-reader-" + number);
    }

    /** Returns the number of writes to the store. */
    private long revision(String name) {
        return fixture.await(fixture.other.acquire(
                        ResourceNames.of(new ResourceName(name)),
                        terms(Duration.ZERO, Optional.empty(), LockKind.EXCLUSIVE)))
                .granted()
                .orElseThrow()
                .fence()
                .number();
    }

    private static AcquireTerms terms(Duration patience, Optional<LeaseToken> token, LockKind kind) {
        return new AcquireTerms(TTL, patience, token, Optional.empty(), kind);
    }
}
