// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.quorumlock.redis.FleetHistory.NodeHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** R9: the memory of the replica and of the other nodes about data that one node lost. */
class FleetHistoryTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FleetHistory history = new FleetHistory(3, new Random(1));
    private final List<String> informed = new ArrayList<>();

    @Test
    void runsLatestTaskOfEachNodeAfterMajority() {
        history.whenInformed("node-1", () -> informed.add("before the reconnect"));
        history.whenInformed("node-1", () -> informed.add("after"));
        history.introduce("node-1", history("a", 10));
        assertEquals(List.of(), informed);
        history.introduce("node-2", history("b", 10));
        assertEquals(List.of("after"), informed);
        history.whenInformed("node-3", () -> informed.add("at once"));
        assertEquals(List.of("after", "at once"), informed);
    }

    @Test
    void expectsLargestKnownAge() {
        history.introduce("node-1", history("a", 10));
        history.introduce("node-2", new NodeHistory("b", 20, MINUTE, Map.of("a", 30L)));
        assertEquals("a", history.expect("node-1").id());
        assertEquals(30, history.expect("node-1").age());
        history.admitted("node-1", history("a", 40));
        assertEquals(40, history.expect("node-1").age());
        assertEquals("a=40", history.expect("node-2").others());
    }

    @Test
    void acceptsNewIdAfterAdmission() {
        history.introduce("node-1", history("a", 10));
        history.introduce("node-1", history("other", 10));
        assertEquals("a", history.expect("node-1").id());
        history.admitted("node-1", history("other", 11));
        assertEquals("other", history.expect("node-1").id());
    }

    /** The connections of two nodes lead to the server of the other one for a moment. */
    @Test
    void recognizesServerOfAnotherNode() {
        history.introduce("node-1", history("a", 10));
        history.introduce("node-2", history("b", 10));
        assertEquals(Optional.of("node-2"), history.misdirected("node-1", history("b", 10)));
        assertEquals(Optional.of("node-1"), history.misdirected("node-2", history("a", 10)));
        assertEquals(Optional.empty(), history.misdirected("node-1", history("a", 10)));
        assertEquals(Optional.empty(), history.misdirected("node-1", history("", 0)));
        assertEquals(Optional.empty(), history.misdirected("node-1", history("unknown", 10)));
        assertEquals(Optional.empty(), history.misdirected("node-3", history("a", 10)), "a node without a known id");
    }

    @Test
    void treatsServerOfAnotherNodeAsCopyAfterSeveralConnections() {
        history.introduce("node-1", history("a", 10));
        history.introduce("node-2", history("b", 10));
        for (int connection = 0; connection < 5; connection++) {
            assertEquals(Optional.of("node-2"), history.misdirected("node-1", history("b", 10)));
        }
        assertEquals(Optional.empty(), history.misdirected("node-1", history("b", 10)));
        assertEquals(Optional.empty(), history.misdirected("node-1", history("a", 10)));
        assertEquals(Optional.of("node-2"), history.misdirected("node-1", history("b", 10)), "counted anew");
    }

    @Test
    void expectsNewIdsOfDuplicates() {
        history.introduce("node-1", history("a", 10));
        history.introduce("node-2", history("a", 10));
        assertNotEquals("a", history.expect("node-1").id());
        assertNotEquals("a", history.expect("node-2").id());
        assertNotEquals(history.expect("node-1").id(), history.expect("node-2").id());
    }

    @Test
    void keepsLongestQuarantineOfAnyNode() {
        history.introduce("node-1", new NodeHistory("a", 10, MINUTE, Map.of()));
        history.introduce("node-2", new NodeHistory("b", 10, Duration.ZERO, Map.of()));
        assertEquals(MINUTE, history.expect("node-2").longest());
        history.admitted("node-1", new NodeHistory("a", 11, Duration.ofSeconds(2), Map.of()));
        assertEquals(Duration.ofSeconds(2), history.expect("node-2").longest());
    }

    private static NodeHistory history(String id, long age) {
        return new NodeHistory(id, age, Duration.ZERO, Map.of());
    }
}
