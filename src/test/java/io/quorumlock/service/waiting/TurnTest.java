// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The turn of a replica after announcements. */
class TurnTest {
    private final Turn turn = new Turn(3, new Random(1));

    @Test
    void ignoresLateAnnouncementsOfEndedLease() {
        assertFalse(turn.released(0, 100, 2));
        assertFalse(turn.released(1, 100, 2));
        assertTrue(turn.released(2, 100, 2));
        assertFalse(turn.released(3, 100, 2));
        assertFalse(turn.isPartlyAnnounced());
    }

    /** A repeated acquire gets its lease again while another slot of the semaphore becomes free. */
    @Test
    void keepsAnnouncementsAtGrant() {
        assertFalse(turn.released(2, 300, 2));
        assertFalse(turn.released(3, 300, 2));
        turn.granted(200);
        assertTrue(turn.released(4, 300, 2));
    }

    /** One master announces the end of a lease before a majority announced that of the lease before it. */
    @Test
    void noticesReleaseThatOneMasterAnnouncedEarly() {
        assertFalse(turn.released(0, 200, 2));
        assertFalse(turn.released(1, 100, 2));
        assertTrue(turn.released(2, 100, 2));
        turn.attemptStarted();
        assertFalse(turn.released(1, 200, 2));
        assertFalse(turn.released(2, 200, 2));
        assertTrue(turn.released(3, 200, 2));
    }
}
