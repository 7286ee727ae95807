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

    @Test
    void ignoresReleasesThroughReplicaWithoutMajority() {
        abandonRelease();
        builder.calls.ended("e", Operation.ACQUIRE, 100, 190, Outcome.NO_QUORUM);
        refuse("b", 710);
        refuse("c", 760);
        refuse("d", 850);
        expect();
        refuse("g", 300);
        expect(Promise.L);
    }

    /** Nobody asked the replica for this lock right after the release. */
    @Test
    void ignoresReleasesThroughReplicaWithoutMajorityForOtherLocks() {
        abandonRelease();
        builder.calls.of("other").ended("e", Operation.ACQUIRE, 100, 190, Outcome.NO_QUORUM);
        builder.calls.of("orders/1");
        refuse("b", 710);
        refuse("c", 760);
        refuse("d", 850);
        expect();
        builder.calls.of("other").ended("g", Operation.ACQUIRE, 300, 310, Outcome.HELD);
        expect(Promise.L);
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
        builder.calls
                .acquired("z", 0, 2, 1)
                .released("z", 3, 4)
                .acquired("a", 5, 7, 2)
                .ended("a", Operation.RELEASE, 10, 11, Outcome.LEFT);
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
