package io.quorumlock.redis;

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

/** R9, L3: two masters have exchanged their addresses, and two replicas know them by each other's id. */
class SwappedIdsTest {
    private static final int MISDIRECTED = 5;

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private final Server first = new Server("run-of-first");
    private final Server second = new Server("run-of-second");
    private final FleetHistory before = new FleetHistory(3, new Random(1));
    private final FleetHistory after = new FleetHistory(3, new Random(2));

    @BeforeEach
    void found() {
        first.connect(before, "node-1", "found");
        second.connect(before, "node-2", "found");
    }

    /** The addresses were exchanged for good, and the other replica has started after that. */
    @Test
    void bothServersVoteAgainAfterLastingExchange() {
        second.connect(after, "node-1", "ask");
        first.connect(after, "node-2", "ask");
        misdirect();
        assertVoteAgain(second, first);
    }

    /** Only one replica used old addresses for too long. Its connections stay open, the others are correct. */
    @Test
    void bothServersVoteAgainAlthoughOneReplicaStaysMisdirected() {
        first.connect(after, "node-1", "ask");
        second.connect(after, "node-2", "ask");
        misdirect();
        assertVoteAgain(first, second);
    }

    private void misdirect() {
        for (int i = 0; i <= MISDIRECTED; i++) {
            second.connect(before, "node-1", "ask");
            first.connect(before, "node-2", "ask");
        }
    }

    private void assertVoteAgain(Server asFirst, Server asSecond) {
        int votes = 0;
        for (int beat = 0; beat < 1_200; beat++) {
            millis += 250;
            long left = second.ask(before, "node-1", "check") + first.ask(before, "node-2", "check");
            millis += 250;
            left += asFirst.ask(after, "node-1", "check") + asSecond.ask(after, "node-2", "check");
            votes = left == 0 ? votes + 1 : 0;
        }
        assertTrue(votes > 0, "in quarantine after ten minutes, with a quarantine of two seconds");
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
