// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R9: the admission of new nodes. They are a new fleet only if all of them are new. */
class FleetBootstrapTest {
    private final VirtualTime time = new VirtualTime();
    private final FleetBootstrap bootstrap = new FleetBootstrap(3, time);
    private final List<String> decided = new ArrayList<>();

    @Test
    void acceptsFleetOfNewNodes() {
        join("node-1");
        join("node-2");
        assertEquals(List.of(), decided);
        join("node-3");
        assertEquals(List.of("node-1 FOUND", "node-2 FOUND", "node-3 FOUND"), sorted());
    }

    @Test
    void quarantinesNewNodesBesideNodeWithHistory() {
        join("node-1");
        bootstrap.hasHistory();
        join("node-2");
        assertEquals(List.of("node-1 DOUBT", "node-2 DOUBT"), sorted());
    }

    @Test
    void quarantinesNewNodesAfterTimeout() {
        join("node-1");
        join("node-2");
        time.pass(Duration.ofSeconds(20));
        assertEquals(List.of("node-1 DOUBT", "node-2 DOUBT"), sorted());
    }

    @Test
    void doesNotCountDisconnectedNode() {
        join("node-1");
        bootstrap.leave("node-1");
        join("node-2");
        join("node-3");
        assertEquals(List.of(), decided);
        join("node-1");
        assertEquals(3, decided.size());
    }

    private void join(String alias) {
        bootstrap.join(alias, occasion -> decided.add(alias + " " + occasion));
    }

    private List<String> sorted() {
        return decided.stream().sorted().toList();
    }
}
