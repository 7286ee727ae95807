package io.quorumlock.http;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Is a checked request to acquire. */
record AcquireRequest(ResourceName resource, AcquireTerms terms) {
    private static final Set<String> FIELDS = Set.of("ttlMs", "waitMs", "token", "owner");
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    static AcquireRequest read(LockCall call, Limits limits) {
        Fields fields = call.fields(FIELDS);
        Duration ttl = fields.millis("ttlMs", limits.ttlDefault(), limits.ttlMin(), limits.ttlMax());
        Duration wait = fields.millis("waitMs", Duration.ZERO, Duration.ZERO, LONGEST_WAIT);
        Optional<LeaseToken> token = fields.token();
        Optional<Owner> owner = fields.owner();
        fields.check();
        if (!wait.isZero()) {
            throw new Refusal(Problems.notYet("waitMs above 0"));
        }
        return new AcquireRequest(call.resource(), new AcquireTerms(ttl, token, owner));
    }
}
