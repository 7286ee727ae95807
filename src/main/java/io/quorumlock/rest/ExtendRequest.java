// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A validated request to extend. */
record ExtendRequest(ResourceName resource, LeaseToken token, ExtendTerms terms) {
    private static final Set<String> FIELDS = Set.of("ttlMs", "minValidityMs", "token");

    static ExtendRequest read(ResourceName resource, RequestParameters fields, Limits limits) {
        fields.only(FIELDS);
        Optional<LeaseToken> token = fields.requiredToken();
        Duration ttl = fields.millis("ttlMs", limits.ttlDefault(), limits.ttlMin(), limits.ttlMax());
        Duration minValidity = fields.minValidity(ttl, limits);
        fields.check();
        return new ExtendRequest(resource, token.orElseThrow(), new ExtendTerms(ttl, minValidity));
    }
}
