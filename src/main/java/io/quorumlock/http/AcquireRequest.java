package io.quorumlock.http;

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
    private static final Set<String> FIELDS = Set.of("ttlMs", "minValidityMs", "waitMs", "token", "owner");

    static AcquireRequest read(LockCall call, Limits limits) {
        Fields fields = call.fields(FIELDS);
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

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
