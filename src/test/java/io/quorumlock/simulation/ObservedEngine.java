// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.testing.DelegatingEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** An engine that records the releases that reach it. */
final class ObservedEngine extends DelegatingEngine {
    private final CallLog calls;
    private final EventQueue events;

    ObservedEngine(LockEngine engine, CallLog calls, EventQueue events) {
        super(engine);
        this.calls = calls;
        this.events = events;
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        calls.released(token, events.now());
        return engine.release(resources, token, keep);
    }
}
