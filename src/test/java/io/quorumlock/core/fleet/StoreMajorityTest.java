// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.StoreMajority.Identity;
import io.quorumlock.testing.Proves;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@Proves({"R1", "R2"})
class StoreMajorityTest {
    private final StoreMajority majority = new StoreMajority(3);

    @Test
    void choosesStoreOfMajorityForEver() {
        majority.told("a", new Identity("red", "1"));
        assertFalse(majority.chosen().isDone());
        majority.told("b", new Identity("blue", "1"));
        majority.told("c", new Identity("red", "2"));
        assertEquals("red", majority.chosen().join());
        assertEquals(Optional.of("belongs to the store blue, but this replica uses red"), majority.refusal("b"));
        assertEquals(Optional.empty(), majority.refusal("a"));
        majority.told("a", new Identity("blue", "3"));
        assertEquals("red", majority.chosen().join());
        assertEquals(Optional.of("belongs to the store blue, but this replica uses red"), majority.otherStore("a"));
        majority.told("b", new Identity("red", "3"));
        assertEquals(Optional.empty(), majority.refusal("b"));
    }

    @Test
    void saysWhichServersDisagree() {
        assertEquals("needs 2 of 3 servers in one store, but none answered", majority.problem());
        majority.told("a", new Identity("red", "1"));
        assertEquals(Optional.empty(), majority.refusal("a"));
        majority.told("b", new Identity("blue", "1"));
        String problem = "needs 2 of 3 servers in one store, but a is in red, b is in blue";
        assertEquals(Optional.of(problem), majority.refusal("a"));
        assertEquals(Optional.of(problem), majority.refusal("b"));
        assertEquals(Optional.empty(), majority.refusal("c"));
    }

    /** Two clusters of one member, with the defaults of etcd, have the same ids. */
    @Test
    void countsServerOnce() {
        majority.told("a", new Identity("red", "1"));
        majority.told("b", new Identity("red", "1"));
        assertFalse(majority.chosen().isDone());
        assertEquals(Optional.empty(), majority.refusal("a"));
        assertTrue(majority.refusal("b").orElseThrow().startsWith("has the id 1, as a has: "));
        majority.told("c", new Identity("red", "2"));
        assertEquals("red", majority.chosen().join());
    }
}
