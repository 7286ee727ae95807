// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The terms of the calls of a client for one lease. */
record RequestTerms(
        ResourceNames resources,
        LeaseToken token,
        Duration ttl,
        Duration extension,
        Duration patience,
        Duration keep,
        LockKind kind) {
    RequestTerms(ResourceNames resources, LeaseToken token, Duration ttl, LockKind kind) {
        this(resources, token, ttl, ttl, Duration.ZERO, Duration.ZERO, kind);
    }

    /** Creates the terms of a lease of one lock, which nobody else can hold. */
    static RequestTerms of(ResourceName resource, LeaseToken token, Duration ttl) {
        return new RequestTerms(ResourceNames.of(resource), token, ttl, LockKind.EXCLUSIVE);
    }

    RequestTerms waiting(Duration most) {
        return new RequestTerms(resources, token, ttl, extension, most, keep, kind);
    }

    RequestTerms extendingBy(Duration other) {
        return new RequestTerms(resources, token, ttl, other, patience, keep, kind);
    }

    RequestTerms keeping(Duration time) {
        return new RequestTerms(resources, token, ttl, extension, patience, time, kind);
    }

    /** Returns the longest time for which the client requests the locks. */
    Duration longest() {
        return Collections.max(List.of(ttl, extension, keep));
    }

    AcquireTerms acquireTerms() {
        return new AcquireTerms(ttl, patience, Optional.of(token), Optional.empty(), kind);
    }
}
