// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.Optional;

/** The fields of an extension. */
record ExtendRequest(Optional<ResourceNames> names, Optional<Long> ttlMs, Optional<LeaseToken> token)
        implements LockFields {

    @Override
    public void check(FieldErrors errors, Limits limits) {
        errors.checkTtl(ttlMs, limits);
        errors.requireToken(token);
    }

    Duration ttl(Limits limits) {
        return ttlMs.map(Duration::ofMillis).orElse(limits.ttlDefault());
    }
}
