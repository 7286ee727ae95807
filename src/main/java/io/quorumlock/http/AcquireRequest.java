// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.Optional;

/** The fields of an acquire and of a session. */
public record AcquireRequest(
        Optional<ResourceNames> names,
        Optional<Long> ttlMs,
        Optional<Long> waitMs,
        Optional<LeaseToken> token,
        Optional<Owner> owner,
        Optional<LockKind> mode,
        Optional<Long> slots)
        implements LockFields {

    @Override
    public void check(FieldErrors errors, Limits limits) {
        errors.checkTtl(ttlMs, limits);
        errors.require(waitMs.orElse(0L) >= 0, "waitMs", "must not be negative");
        errors.range("slots", slots, 1, LockKind.MOST_SLOTS);
        errors.require(slots.isEmpty() || mode.isEmpty(), "slots", "is not allowed with mode");
        errors.require(names.isEmpty() || kind().isExclusive(), "names", "is not allowed with mode=shared or slots");
    }

    /** Returns the terms. A wait beyond the limit ends at the limit, as if the client had not waited longer. */
    public AcquireTerms terms(Limits limits) {
        return new AcquireTerms(
                ttlMs.map(Duration::ofMillis).orElse(limits.ttlDefault()),
                Duration.ofMillis(Math.min(waitMs.orElse(0L), limits.waitMax().toMillis())),
                token,
                owner,
                kind());
    }

    private LockKind kind() {
        return slots.map(number -> LockKind.ofSlots(number.intValue()))
                .or(() -> mode)
                .orElse(LockKind.EXCLUSIVE);
    }

    /** @throws IllegalArgumentException with a text for the client */
    static LockKind mode(String text) {
        return switch (text) {
            case "exclusive" -> LockKind.EXCLUSIVE;
            case "shared" -> LockKind.SHARED;
            default -> throw new IllegalArgumentException("must be exclusive or shared");
        };
    }
}
