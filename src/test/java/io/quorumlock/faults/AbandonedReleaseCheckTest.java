// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

class AbandonedReleaseCheckTest {
    private final RunBuilder builder = new RunBuilder();

    @Test
    void detectsIncompleteRelease() {
        abandonRelease();
        refuse("b", 710);
        refuse("c", 760);
        expect();
        refuse("d", 850);
        expect(Promise.L);
    }

    @Test
    void ignoresReleasesWhileTwoMastersHang() {
        abandonRelease();
        refuse("b", 710);
        refuse("c", 760);
        refuse("d", 850);
        builder.stepped(300, 500);
        expect();
    }

    /** The replica repeats the clean-up later. Several locks may only have changed too fast. */
    @Test
    void ignoresReleasesThroughReplicaWithoutMajority() {
        abandonRelease();
        builder.calls.of("other", "another").ended("e", Operation.ACQUIRE, 100, 190, Outcome.NO_QUORUM);
        builder.calls.of("orders/1");
        refuse("b", 710);
        refuse("c", 760);
        refuse("d", 850);
        expect(Promise.L);
        builder.calls.of("other").ended("f", Operation.ACQUIRE, 600, 690, Outcome.NO_QUORUM);
        expect();
    }

    /** The suspended member executes the acquire when it continues, and no client knows of that lease. */
    @Test
    void ignoresReleasesBeforeLateAcquire() {
        builder.calls.ended("l", Operation.ACQUIRE, 10, 20, Outcome.UNCONFIRMED);
        abandonReleaseAt(1_110);
        refuse("b", 1_810);
        refuse("c", 1_850);
        refuse("d", 1_950);
        expect(Promise.L);
        builder.suspended(15, 1_200);
        expect();
    }

    /** A replica that the machine did not run reads the acquire later, although its client has left. */
    @Test
    void ignoresReleasesBeforeAcquireAtStalledReplica() {
        builder.calls.ended("l", Operation.ACQUIRE, 10, 20, Outcome.LEFT);
        abandonReleaseAt(1_110);
        refuse("b", 1_810);
        refuse("c", 1_850);
        refuse("d", 1_950);
        builder.stalled("client-1", 15, 1_200);
        expect(Promise.L);
        builder.stalled("replica-2", 15, 1_200);
        expect();
    }

    /** It keeps others out of a lock that is free, while it waits for several, and for a while after that. */
    @Test
    void acceptsRefusalsBecauseOfClientThatWaits() {
        abandonRelease();
        refuse("b", 710);
        refuse("c", 760);
        refuse("d", 850);
        expect(Promise.L);
        builder.calls.heldAfterWait("w", 50, 400);
        expect();
    }

    @Test
    void acceptsRefusalsBecauseOfNextHolder() {
        abandonRelease();
        builder.calls.acquired("e", 20, 25, 3);
        refuse("b", 710);
        refuse("c", 760);
        refuse("d", 850);
        expect();
    }

    private void abandonRelease() {
        abandonReleaseAt(10);
    }

    private void abandonReleaseAt(int sent) {
        builder.calls
                .acquired("z", 0, 2, 1)
                .released("z", 3, 4)
                .acquired("a", sent - 5, sent - 3, 2)
                .ended("a", Operation.RELEASE, sent, sent + 1, Outcome.LEFT);
    }

    private void refuse(String token, int sent) {
        builder.calls.ended(token, Operation.ACQUIRE, sent, sent + 5, Outcome.HELD);
    }

    private void expect(Promise... promises) {
        assertEquals(
                List.of(promises),
                builder.run().violations().stream().map(Violation::promise).toList());
    }
}
