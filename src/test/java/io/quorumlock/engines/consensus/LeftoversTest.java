// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** N: the client is gone, and nobody else wants the lock. */
class LeftoversTest {
    private final FakeConsensus fixture = new FakeConsensus();

    @BeforeEach
    void acquire() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
    }

    @Test
    void deletesLeftoversOfVanishedHolders() {
        fixture.pass(TTL.plus(Leftovers.PERIOD).plusSeconds(1));
        assertEquals(0, fixture.store.size());
    }

    /** All replicas were started after the write. */
    @Test
    void deletesLeftoversThatNobodyRead() {
        List.of(fixture.connection, fixture.otherConnection).forEach(replica -> {
            replica.setFault(Fault.SILENT);
            replica.setFault(Fault.NONE);
        });
        fixture.pass(TTL.plus(Leftovers.PERIOD.multipliedBy(3)).plusSeconds(1));
        assertEquals(0, fixture.store.size());
    }

    /** Each turn searches some of them. */
    @Test
    void findsLeftoverAfterManyLocksThatLast() {
        AcquireTerms longer = new AcquireTerms(
                FakeConsensus.TTL_MAX, Duration.ZERO, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE);
        for (int i = 0; i < KnownVersions.SLICE_SIZE; i++) {
            fixture.engine.acquire(ResourceNames.of(new ResourceName("before-" + i)), longer);
        }
        fixture.pass(TTL.plus(Leftovers.PERIOD).plusSeconds(1));
        assertEquals(KnownVersions.SLICE_SIZE, fixture.store.size());
    }
}
