// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.Optional;
import java.util.Set;

/** A validated request to release. */
record ReleaseRequest(ResourceName resource, LeaseToken token) {
    /** The parameters of a release and of a forced release, which are the same HTTP method. */
    static final Set<String> FIELDS = Set.of("token", ForceRequest.FORCE, ForceRequest.REASON);

    static ReleaseRequest read(ResourceName resource, RequestParameters fields) {
        if (fields.has(ForceRequest.REASON)) {
            fields.reject(ForceRequest.REASON, "is allowed only with force=true");
        }
        Optional<LeaseToken> token = fields.requiredToken();
        fields.check();
        return new ReleaseRequest(resource, token.orElseThrow());
    }
}
