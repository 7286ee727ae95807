package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** R9: what one node forgot, the replica and the other nodes remember. */
class FleetHistoryTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FleetHistory memory = new FleetHistory(3, new Random(1));
    private final List<String> informed = new ArrayList<>();

    @Test
    void isInformedByAMajorityAndThenRunsTheLatestTaskOfEachNode() {
        memory.whenInformed("node-1", () -> informed.add("before the reconnect"));
        memory.whenInformed("node-1", () -> informed.add("after"));
        memory.introduce("node-1", past("a", 10));
        assertEquals(List.of(), informed);
        memory.introduce("node-2", past("b", 10));
        assertEquals(List.of("after"), informed);
        memory.whenInformed("node-3", () -> informed.add("at once"));
        assertEquals(List.of("after", "at once"), informed);
    }

    @Test
    void expectsTheLargestAgeThatAnybodyRemembers() {
        memory.introduce("node-1", past("a", 10));
        memory.introduce("node-2", new NodeHistory("b", 20, MINUTE, Map.of("a", 30L)));
        assertEquals("a", memory.expect("node-1").id());
        assertEquals(30, memory.expect("node-1").age());
        memory.admitted("node-1", past("a", 40));
        assertEquals(40, memory.expect("node-1").age());
        assertEquals("a=40", memory.expect("node-2").others());
    }

    @Test
    void believesANodeWhoseIdWasRenewedOnceItIsAdmitted() {
        memory.introduce("node-1", past("a", 10));
        memory.introduce("node-1", past("other", 10));
        assertEquals("a", memory.expect("node-1").id());
        memory.admitted("node-1", past("other", 11));
        assertEquals("other", memory.expect("node-1").id());
    }

    @Test
    void expectsNewIdsOfTwoNodesWithTheSame() {
        memory.introduce("node-1", past("a", 10));
        memory.introduce("node-2", past("a", 10));
        assertNotEquals("a", memory.expect("node-1").id());
        assertNotEquals("a", memory.expect("node-2").id());
        assertNotEquals(memory.expect("node-1").id(), memory.expect("node-2").id());
    }

    @Test
    void remembersTheLongestQuarantineOfAnyNode() {
        memory.introduce("node-1", new NodeHistory("a", 10, MINUTE, Map.of()));
        memory.introduce("node-2", new NodeHistory("b", 10, Duration.ZERO, Map.of()));
        assertEquals(MINUTE, memory.expect("node-2").longest());
        memory.admitted("node-1", new NodeHistory("a", 11, Duration.ofSeconds(2), Map.of()));
        assertEquals(Duration.ofSeconds(2), memory.expect("node-2").longest());
    }

    private static NodeHistory past(String id, long age) {
        return new NodeHistory(id, age, Duration.ZERO, Map.of());
    }
}
