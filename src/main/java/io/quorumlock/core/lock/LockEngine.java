// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The lock service: acquires, extends, releases and inspects leases.
 *
 * <p>Every call completes within a bounded time, with a value for every expected outcome; a failed future is a bug. If
 * the caller cancels its future, a lease that its call acquires afterwards is released at once (R11).
 */
public interface LockEngine {

    /**
     * Acquires all the resources or none. An engine makes one attempt; the wait queues in front of it make further ones
     * while the patience of the terms lasts.
     */
    CompletableFuture<Acquisition> acquire(ResourceNames resources, AcquireTerms terms);

    /** Extends the lease of all the resources to a new TTL from now. Never shortens it and never restores a lost one (R7). */
    CompletableFuture<Extension> extend(ResourceNames resources, LeaseToken token, Duration ttl);

    /**
     * Releases the lease of all the resources.
     *
     * @param keep how long nobody can acquire the resources, at most the longest TTL; zero if they are free at once
     */
    CompletableFuture<Release> release(ResourceNames resources, LeaseToken token, Duration keep);

    default CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms) {
        return acquire(ResourceNames.of(resource), terms);
    }

    default CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, Duration ttl) {
        return extend(ResourceNames.of(resource), token, ttl);
    }

    /** Releases the lease, and frees the resource at once. */
    default CompletableFuture<Release> release(ResourceName resource, LeaseToken token) {
        return release(ResourceNames.of(resource), token, Duration.ZERO);
    }

    /** Reads the holder of the resource. */
    CompletableFuture<Inspection> inspect(ResourceName resource);
}
