package io.quorumlock.http;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.Optional;
import java.util.Set;

/** Is a checked request to release. */
record ReleaseRequest(ResourceName resource, LeaseToken token) {
    private static final String FORCE = "force";
    private static final Set<String> FIELDS = Set.of("token", FORCE);

    static ReleaseRequest read(LockCall call) {
        Fields fields = call.fields(FIELDS);
        if (fields.has(FORCE)) {
            throw new Refusal(Problems.notYet(FORCE));
        }
        Optional<LeaseToken> token = fields.requiredToken();
        fields.check();
        return new ReleaseRequest(call.resource(), token.orElseThrow());
    }
}
