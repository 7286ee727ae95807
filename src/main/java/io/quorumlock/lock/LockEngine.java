// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.util.concurrent.CompletableFuture;

/**
 * The lock service: acquires, extends, releases and inspects leases.
 *
 * <p>Every call completes within a bounded time, with a value for every expected outcome; a failed future is a bug. If
 * the caller cancels its future, a lease that its call acquires afterwards is released at once (R11).
 */
public interface LockEngine {

    /** Makes one attempt to acquire. */
    CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms);

    /** Extends the lease to a new TTL from now. Never shortens it and never restores a lost one (R7). */
    CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms);

    /** Releases the lease. */
    CompletableFuture<Release> release(ResourceName resource, LeaseToken token);

    /** Reads the holder of the resource. */
    CompletableFuture<Inspection> inspect(ResourceName resource);
}
