// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.LeaseToken;
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
        Duration keep) {
    RequestTerms(ResourceName resource, LeaseToken token, Duration ttl) {
        this(resource, token, ttl, ttl, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    RequestTerms needing(Duration other) {
        return new RequestTerms(resource, token, ttl, extension, other, patience, keep);
    }

    RequestTerms waiting(Duration most) {
        return new RequestTerms(resource, token, ttl, extension, minValidity, most, keep);
    }

    RequestTerms extendingBy(Duration other) {
        return new RequestTerms(resource, token, ttl, other, minValidity, patience, keep);
    }

    RequestTerms keeping(Duration time) {
        return new RequestTerms(resource, token, ttl, extension, minValidity, patience, time);
    }

    /** Returns the longest TTL that the client requests. */
    Duration longest() {
        return ttl.compareTo(extension) > 0 ? ttl : extension;
    }

    AcquireTerms acquireTerms() {
        return new AcquireTerms(ttl, minValidity, patience, Optional.of(token), Optional.empty());
    }

    ExtendTerms extendTerms() {
        return new ExtendTerms(extension, minValidity);
    }
}
