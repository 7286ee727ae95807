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
 * Is a checked request to acquire.
 *
 * @param prefers whether the client's preference decides how long it waits
 */
record AcquireRequest(ResourceName resource, AcquireTerms terms, boolean prefers) {
    static final Set<String> FIELDS = Set.of("ttlMs", "minValidityMs", "waitMs", "token", "owner");
    /** Is the header that tells the client its preference counted. */
    static final String APPLIED = "Preference-Applied";

    /** @param preference the wait that the header Prefer asks for */
    static AcquireRequest read(
            ResourceName resource, RequestParameters parameters, Optional<Duration> preference, Limits limits) {
        return readKnown(resource, parameters.only(FIELDS), preference, limits);
    }

    /** Reads parameters whose names were checked before. */
    static AcquireRequest readKnown(
            ResourceName resource, RequestParameters fields, Optional<Duration> preference, Limits limits) {
        Duration ttl = fields.millis("ttlMs", limits.ttlDefault(), limits.ttlMin(), limits.ttlMax());
        Duration minValidity = fields.minValidity(ttl, limits);
        Optional<Duration> preferred = preference.filter(wish -> !fields.has("waitMs"));
        Duration wish = preferred.map(wait -> min(wait, limits.waitMax())).orElse(Duration.ZERO);
        Duration wait = fields.millis("waitMs", wish, Duration.ZERO, limits.waitMax());
        Optional<LeaseToken> token = fields.token();
        Optional<Owner> owner = fields.owner();
        fields.check();
        return new AcquireRequest(
                resource, new AcquireTerms(ttl, minValidity, wait, token, owner), preferred.isPresent());
    }

    /** Says how long is waited by the client's preference, if that decides. */
    Optional<String> preference() {
        return prefers ? Optional.of("wait=" + terms.patience().toSeconds()) : Optional.empty();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
