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

    static AcquireRequest read(LockCall call, Limits limits) {
        return read(call.fields(FIELDS), call, limits);
    }

    /** Reads it from fields of which there may be more. */
    static AcquireRequest read(Fields fields, LockCall call, Limits limits) {
        Duration ttl = fields.millis("ttlMs", limits.ttlDefault(), limits.ttlMin(), limits.ttlMax());
        Duration minValidity = fields.minValidity(ttl, limits);
        Optional<Duration> preferred = call.preferredWait().filter(wish -> !fields.has("waitMs"));
        Duration wish = preferred.map(wait -> min(wait, limits.waitMax())).orElse(Duration.ZERO);
        Duration wait = fields.millis("waitMs", wish, Duration.ZERO, limits.waitMax());
        Optional<LeaseToken> token = fields.token();
        Optional<Owner> owner = fields.owner();
        fields.check();
        return new AcquireRequest(
                call.resource(), new AcquireTerms(ttl, minValidity, wait, token, owner), preferred.isPresent());
    }

    /** Says how long is waited by the client's preference, if that decides. */
    Optional<String> preference() {
        return prefers ? Optional.of("wait=" + terms.patience().toSeconds()) : Optional.empty();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
