// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Proves;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R2: identities of servers. One server has one vote, whatever its address. */
@Proves("R2")
class ServerIdentitiesTest {
    private final ServerIdentities identities = new ServerIdentities();

    @Test
    void refusesServerConnectedAsAnotherMaster() {
        identities.enter("node-1", "server X");
        assertEquals(
                Optional.of("node-1"), identities.enter("node-2", "server X").sameAs());
    }

    @Test
    void allowsServersToSwapAddresses() {
        identities.enter("node-1", "server X");
        identities.enter("node-2", "server Y");
        identities.leave("node-1");
        identities.leave("node-2");
        assertEquals(new ServerIdentities.Entry(Optional.empty(), true), identities.enter("node-1", "server Y"));
        assertEquals(new ServerIdentities.Entry(Optional.empty(), true), identities.enter("node-2", "server X"));
    }

    @Test
    void detectsRestartAfterLostConnection() {
        identities.enter("node-1", "server X");
        identities.leave("node-1");
        assertTrue(identities.enter("node-1", "server X again").restarted());
    }

    /** Master 1 was misdirected to the server of master 2 for a moment, and returns to its own server. */
    @Test
    void remembersServerThatWasAlsoReachedAsAnotherMaster() {
        identities.enter("node-1", "server Y");
        identities.leave("node-1");
        identities.enter("node-2", "server Y");
        identities.enter("node-1", "server X");
        identities.leave("node-1");
        assertEquals(
                Optional.of("node-2"), identities.enter("node-1", "server Y").sameAs());
    }
}
