// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.Optional;

/** The fields of a release, which needs the token, and of a forced release, which needs a reason instead. */
record ReleaseRequest(
        Optional<ResourceNames> names,
        Optional<LeaseToken> token,
        Optional<Long> keepMs,
        Optional<Boolean> force,
        Optional<Owner> owner,
        Optional<Long> fencingToken,
        Optional<ForceReason> reason)
        implements LockFields {

    @Override
    public void check(FieldErrors errors, Limits limits) {
        if (errors.has("force")) {
            // The rules of the other fields depend on it.
            return;
        }
        if (isForced()) {
            errors.require(token.isEmpty(), "token", "is not allowed with force=true");
            errors.require(names.isEmpty(), "names", "is not allowed with force=true");
            errors.require(keepMs.isEmpty(), "keepMs", "is not allowed with force=true");
            errors.range("fencingToken", fencingToken, 1, FencingToken.LARGEST);
            errors.require(reason.isPresent(), "reason", "is required with force=true");
        } else {
            errors.requireToken(token);
            errors.range("keepMs", keepMs, 0, limits.ttlMax().toMillis(), " (quorumlock.ttl.max of the service)");
            errors.require(reason.isEmpty(), "reason", "is allowed only with force=true");
            errors.require(owner.isEmpty(), "owner", "is allowed only with force=true");
            errors.require(fencingToken.isEmpty(), "fencingToken", "is allowed only with force=true");
        }
    }

    /** Returns how long the lock stays taken after its release. */
    Duration keep() {
        return Duration.ofMillis(keepMs.orElse(0L));
    }

    /** Returns which leases to break. */
    ForceTerms forceTerms() {
        return new ForceTerms(owner, fencingToken.map(FencingToken::new));
    }

    boolean isForced() {
        return force.orElse(false);
    }
}
