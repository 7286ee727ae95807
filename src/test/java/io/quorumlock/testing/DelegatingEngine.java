// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A lock engine in front of another one. Subclasses change some calls. */
public abstract class DelegatingEngine implements LockEngine {
    protected final LockEngine engine;

    protected DelegatingEngine(LockEngine engine) {
        this.engine = engine;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms) {
        return engine.acquire(resources, terms);
    }

    @Override
    public CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl) {
        return engine.extend(resources, token, ttl);
    }

    @Override
    public CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep) {
        return engine.release(resources, token, keep);
    }

    @Override
    public CompletableFuture<Inspection> inspect(ResourceName resource) {
        return engine.inspect(resource);
    }
}
