// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A validated request to acquire.
 *
 * @param prefers whether the header Prefer determines the wait
 */
record AcquireRequest(ResourceName resource, AcquireTerms terms, boolean prefers) {
    private static final Set<String> FIELDS = Set.of("ttlMs", "minValidityMs", "waitMs", "token", "owner");
    /** The response header with the applied preference (RFC 7240). */
    static final String APPLIED = "Preference-Applied";

    /** @param preference the wait in the header Prefer */
    static AcquireRequest read(
            ResourceName resource, RequestParameters fields, Optional<Duration> preference, Limits limits) {
        fields.only(FIELDS);
        Duration ttl = fields.millis("ttlMs", limits.ttlDefault(), limits.ttlMin(), limits.ttlMax());
        Duration minValidity = fields.minValidity(ttl, limits);
        Optional<Duration> preferred = preference.filter(given -> !fields.has("waitMs"));
        Duration fallback = preferred.map(given -> min(given, limits.waitMax())).orElse(Duration.ZERO);
        Duration wait = fields.millis("waitMs", fallback, Duration.ZERO, limits.waitMax());
        Optional<LeaseToken> token = fields.token();
        Optional<Owner> owner = fields.owner();
        fields.check();
        return new AcquireRequest(
                resource, new AcquireTerms(ttl, minValidity, wait, token, owner), preferred.isPresent());
    }

    /** Returns the value of the header Preference-Applied, if the header Prefer determines the wait. */
    Optional<String> preference() {
        return prefers ? Optional.of("wait=" + terms.patience().toSeconds()) : Optional.empty();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
