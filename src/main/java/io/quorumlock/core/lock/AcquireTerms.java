// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * The terms of an acquire.
 *
 * @param ttl lifetime of the lease unless it is extended, within {@link Limits}
 * @param patience maximum wait for a lock that another client holds; zero for one attempt
 * @param token chosen by the client to make retries safe; if empty, the engine generates one
 * @param owner a label that other clients see
 * @param kind exclusive for several resources
 * @param asksAgain the time within which the client asks again while it waits
 * @param overtaken names a client for several resources that others overtook, among those of its replica; empty for others
 */
public record AcquireTerms(
        Duration ttl,
        Duration patience,
        Optional<LeaseToken> token,
        Optional<Owner> owner,
        LockKind kind,
        Duration asksAgain,
        String overtaken) {

    /** The time within which the clients that wait on a replica ask again, unless they are very many. */
    public static final Duration USUAL_RESERVATION = Duration.ofSeconds(2);

    public AcquireTerms(
            Duration ttl, Duration patience, Optional<LeaseToken> token, Optional<Owner> owner, LockKind kind) {
        this(ttl, patience, token, owner, kind, USUAL_RESERVATION, "");
    }

    /** Returns the terms of a client that waits and asks again within this time. */
    public AcquireTerms ofWaiter(Duration time, String name) {
        return new AcquireTerms(ttl, patience, token, owner, kind, time, name);
    }

    /**
     * Returns how long a refused attempt keeps others out: until the next attempt of its replica, and no longer than it
     * waits. For one resource, it keeps them out of a shared lock. For several resources, it keeps nobody out at first,
     * because others may hold one of them for long. Once others overtook it, it keeps them out of those that are free.
     */
    public Duration reservation(ResourceNames resources) {
        if (resources.count() > 1 && overtaken.isEmpty() || !kind.isExclusive()) {
            return Duration.ZERO;
        }
        return patience.compareTo(asksAgain) < 0 ? patience : asksAgain;
    }

    /** Returns whether further attempts may follow a failed one. */
    public boolean mayBeTriedAgain() {
        return !patience.isZero();
    }
}
