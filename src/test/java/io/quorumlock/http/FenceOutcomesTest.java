// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The answers to checks of a fencing token. */
class FenceOutcomesTest extends OutcomeAnswers {
    @Test
    void fenceOfAHolderIsValidUntilItsRelease() {
        assertEquals(204, fenceChecked(heldWith(7, false), "7").status());
        assertEquals(403, fenceChecked(heldWith(7, false), "6").status());
        assertEquals(403, fenceChecked(heldWith(7, true), "7").status());
        assertEquals(403, fenceChecked(new Inspection.Free(), "7").status());
        assertNoQuorum(fenceChecked(new Inspection.NoQuorum(new NoQuorumReason(2, 3, 5, Effect.NONE)), "7"), "none");
    }

    /** A holder that no majority shows may have any token. */
    @Test
    void fenceIsUnknownWhileAHolderIsNotConfirmed() {
        NoQuorumReason why = new NoQuorumReason(2, 3, 5, Effect.NONE);
        List<HolderState> holders = List.of(holder(7, false, Optional.empty()), holder(8, false, Optional.of(why)));
        Inspection.Held shared = Inspection.Held.of(holders, LockKind.SHARED, VOTES);
        assertEquals(204, fenceChecked(shared, "7").status());
        assertNoQuorum(fenceChecked(shared, "8"), "none");
        assertNoQuorum(fenceChecked(shared, "6"), "none");
        assertEquals(
                "true", inspected(shared).json().at("/holders/1/unconfirmed").asText());
        assertFalse(inspected(shared).json().has("unconfirmed"));
    }

    private static Inspection heldWith(long fence, boolean kept) {
        return Inspection.Held.of(List.of(holder(fence, kept, Optional.empty())), LockKind.EXCLUSIVE, VOTES);
    }

    private static HolderState holder(long fence, boolean kept, Optional<NoQuorumReason> unconfirmed) {
        return new HolderState(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0,
                Duration.ofMillis(2),
                Optional.of(new FencingToken(fence)),
                kept,
                unconfirmed,
                List.of());
    }
}
