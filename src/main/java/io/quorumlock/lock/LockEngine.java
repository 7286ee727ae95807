package io.quorumlock.lock;

import java.util.concurrent.CompletableFuture;

/**
 * Takes, extends, releases and inspects leases.
 *
 * <p>Every call answers within a bounded time, with a value for every expected outcome; a failed future is a bug. A
 * caller that leaves cancels its future: what its call acquires afterwards is released at once (R11).
 */
public interface LockEngine {

    /** Tries once to acquire. */
    CompletableFuture<Acquisition> acquire(ResourceName resource, AcquireTerms terms);

    /**
     * Tries once to acquire, for the benefit of those who wait here as well: the release of this lease, through whatever
     * replica, is announced as passed on to them.
     */
    default CompletableFuture<Acquisition> acquireInTurn(ResourceName resource, AcquireTerms terms) {
        return acquire(resource, terms);
    }

    /** Gives the lease a new TTL from now. Never shortens it, never brings a lost one back (R7). */
    CompletableFuture<Extension> extend(ResourceName resource, LeaseToken token, ExtendTerms terms);

    /** Ends the lease. */
    CompletableFuture<Release> release(ResourceName resource, LeaseToken token);

    /** Ends the lease in favour of somebody who waits here: others who wait are told that they need not hurry. */
    default CompletableFuture<Release> passOn(ResourceName resource, LeaseToken token) {
        return release(resource, token);
    }

    /** Reads who holds the resource. */
    CompletableFuture<Inspection> inspect(ResourceName resource);
}
