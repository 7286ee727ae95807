package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.redis.FleetHistory.NodeHistory;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** R2, R9: the history of a replica after a misdirected connection has lasted for more than five attempts. */
class SharedIdTest {
    private static final int MISDIRECTED = 5;

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private final Server first = new Server("run-of-first");
    private final Server second = new Server("run-of-second");
    private final FleetHistory here = new FleetHistory(3, new Random(1));
    private final FleetHistory elsewhere = new FleetHistory(3, new Random(2));

    @BeforeEach
    void found() {
        first.connect(here, "node-1", "found");
        second.connect(here, "node-2", "found");
        first.connect(elsewhere, "node-1", "ask");
        second.connect(elsewhere, "node-2", "ask");
    }

    /** Node 2 is connected to its own server, and the address of node 1 leads there too. */
    @Test
    void oneServerNeverVotesAsTwoNodes() {
        for (int i = 0; i <= MISDIRECTED; i++) {
            second.connect(here, "node-1", "ask");
        }
        for (int beat = 0; beat < 30; beat++) {
            millis += 500;
            long asSecond = second.ask(here, "node-2", "check");
            millis += 500;
            long asFirst = second.ask(here, "node-1", "check");
            assertTrue(asFirst > 0 || asSecond > 0, "the server votes as node 1 and as node 2");
        }
    }

    /** Only the other replica was misdirected, and it stops afterwards. */
    @Test
    void bothServersVoteAgain() {
        for (int i = 0; i <= MISDIRECTED; i++) {
            second.connect(elsewhere, "node-1", "ask");
        }
        int together = 0;
        for (int beat = 0; beat < 120; beat++) {
            millis += 500;
            long left = first.ask(here, "node-1", "check");
            millis += 500;
            left += second.ask(here, "node-2", "check");
            together = left == 0 ? together + 1 : 0;
        }
        assertTrue(together > 0, "at least one of two is in quarantine after two minutes");
    }

    private final class Server {
        private final GuardScript guard =
                new GuardScript(() -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));
        private final String runId;

        Server(String runId) {
            this.runId = runId;
        }

        void connect(FleetHistory history, String alias, String occasion) {
            NodeHistory known = history(guard.admit(new String[] {"", "3", "0", "0", "0", "look", "", "0", "", ""}));
            if (history.misdirected(alias, known).isEmpty()) {
                history.introduce(alias, known);
                ask(history, alias, occasion);
            }
        }

        /** Returns the remaining quarantine in milliseconds. */
        long ask(FleetHistory history, String alias, String occasion) {
            FleetHistory.Expectation expected = history.expect(alias);
            Response answer = guard.admit(new String[] {
                runId,
                "3",
                "1",
                "2000",
                Long.toString(expected.longest().toMillis()),
                occasion,
                expected.id(),
                Long.toString(expected.age()),
                expected.newId(),
                expected.others()
            });
            assertEquals(1, answer.get(0).toInteger());
            history.admitted(alias, history(answer));
            return answer.get(1).toLong();
        }

        private NodeHistory history(Response answer) {
            return new NodeHistory(
                    answer.get(2).toString(),
                    answer.get(3).toLong(),
                    Duration.ofMillis(answer.get(4).toLong()),
                    NodeHistory.ages(answer.get(5).toString()));
        }
    }
}
