// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.http.TimeFormat;
import java.util.Locale;
import java.util.Optional;

/** A lock event as JSON. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record EventBody(
        String kind,
        String resource,
        Optional<String> owner,
        long fencingToken,
        long ttlMs,
        Optional<String> mode,
        Optional<Integer> slots,
        Optional<Integer> slot,
        String at) {

    static EventBody of(LockEvent change) {
        return new EventBody(
                change.kind().name().toLowerCase(Locale.ROOT),
                change.resource().text(),
                change.owner().map(Owner::label),
                change.fence().number(),
                change.left().toMillis(),
                change.lockKind().equals(LockKind.SHARED) ? Optional.of("shared") : Optional.empty(),
                Optional.of(change.lockKind().slots()).filter(slots -> slots > 0),
                change.slot(),
                TimeFormat.timestamp(change.at()));
    }

    /** The body of the event for a gap: a period in which events may be missing. */
    record GapBody(String kind, String since, String at) {
        static final String KIND = "gap";

        static GapBody of(LockWatch.Gap gap) {
            return new GapBody(KIND, TimeFormat.timestamp(gap.since()), TimeFormat.timestamp(gap.until()));
        }
    }
}
