// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;

/** The terms of the calls of a client for one lease. */
record RequestTerms(
        ResourceName resource,
        LeaseToken token,
        Duration ttl,
        Duration extension,
        Duration minValidity,
        Duration patience,
        Duration keep,
        LockKind kind) {
    RequestTerms(ResourceName resource, LeaseToken token, Duration ttl, LockKind kind) {
        this(resource, token, ttl, ttl, Duration.ZERO, Duration.ZERO, Duration.ZERO, kind);
    }

    RequestTerms needing(Duration other) {
        return new RequestTerms(resource, token, ttl, extension, other, patience, keep, kind);
    }

    RequestTerms waiting(Duration most) {
        return new RequestTerms(resource, token, ttl, extension, minValidity, most, keep, kind);
    }

    RequestTerms extendingBy(Duration other) {
        return new RequestTerms(resource, token, ttl, other, minValidity, patience, keep, kind);
    }

    RequestTerms keeping(Duration time) {
        return new RequestTerms(resource, token, ttl, extension, minValidity, patience, time, kind);
    }

    /** Returns the longest TTL that the client requests. */
    Duration longest() {
        return ttl.compareTo(extension) > 0 ? ttl : extension;
    }

    AcquireTerms acquireTerms() {
        return new AcquireTerms(ttl, minValidity, patience, Optional.of(token), Optional.empty(), kind);
    }

    ExtendTerms extendTerms() {
        return new ExtendTerms(extension, minValidity);
    }
}
