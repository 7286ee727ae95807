package io.quorumlock.http;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Is a checked request to extend. */
record ExtendRequest(ResourceName resource, LeaseToken token, Duration ttl) {
    private static final Set<String> FIELDS = Set.of("ttlMs", "token");

    static ExtendRequest read(LockCall call, Limits limits) {
        Fields fields = call.fields(FIELDS);
        Optional<LeaseToken> token = fields.requiredToken();
        Duration ttl = fields.millis("ttlMs", limits.ttlDefault(), limits.ttlMin(), limits.ttlMax());
        fields.check();
        return new ExtendRequest(call.resource(), token.orElseThrow(), ttl);
    }
}
