// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Redlock on five fake masters. */
public final class FleetFixture implements EngineFixture {
    private final FakeFleet fleet = new FakeFleet(5);
    private final LockEngine other = fleet.replica(2);

    @Override
    public LockEngine engine() {
        return fleet.engine;
    }

    @Override
    public LockEngine otherReplica() {
        return other;
    }

    @Override
    public LockDirectory directory() {
        return fleet.directory;
    }

    @Override
    public <T> T await(CompletableFuture<T> answer) {
        return fleet.await(answer);
    }

    @Override
    public void pass(Duration duration) {
        fleet.time.pass(duration);
    }

    @Override
    public void close() {
        // Nothing was started.
    }
}
