// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.lock.Inspection;
import java.util.Optional;

/** The JSON fields of a lock that several clients may hold. An exclusive lock has none of them. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record KindBody(Optional<String> mode, Optional<Integer> slots, Optional<Integer> holders) {
    static KindBody of(Inspection.Held lock) {
        return switch (lock.lockKind().type()) {
            case EXCLUSIVE -> new KindBody(Optional.empty(), Optional.empty(), Optional.empty());
            case SHARED -> new KindBody(Optional.of("shared"), Optional.empty(), Optional.of(lock.holders()));
            case SLOTS -> new KindBody(
                    Optional.empty(), Optional.of(lock.lockKind().slots()), Optional.of(lock.holders()));
        };
    }
}
