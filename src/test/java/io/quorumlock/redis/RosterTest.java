package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R2: one server has one vote, behind whichever address it is. */
class RosterTest {
    private final Roster roster = new Roster();

    @Test
    void refusesAServerThatIsConnectedAsAnotherNode() {
        roster.enter("node-1", "server X");
        assertEquals(Optional.of("node-1"), roster.enter("node-2", "server X").sameAs());
    }

    @Test
    void letsServersSwapTheirAddresses() {
        roster.enter("node-1", "server X");
        roster.enter("node-2", "server Y");
        roster.leave("node-1");
        roster.leave("node-2");
        assertEquals(new Roster.Entry(Optional.empty(), true), roster.enter("node-1", "server Y"));
        assertEquals(new Roster.Entry(Optional.empty(), true), roster.enter("node-2", "server X"));
    }

    @Test
    void noticesARestartAlsoAfterTheConnectionWasLost() {
        roster.enter("node-1", "server X");
        roster.leave("node-1");
        assertTrue(roster.enter("node-1", "server X again").restarted());
    }
}
