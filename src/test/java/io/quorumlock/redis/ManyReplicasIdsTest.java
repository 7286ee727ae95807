// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L3: replicas that were misdirected for too long, and others, agree on the ids of all masters. */
class ManyReplicasIdsTest {
    private static final int SEEDS = 30;
    private static final int MISDIRECTED = 5;
    private static final int BEAT = 1_000;
    private static final long QUARANTINE = 2_000;
    /** The time for a server to be taken for a copy, for another one to get a new id, and for each replica to agree. */
    private static final long AGREED = 4 * QUARANTINE + 4 * BEAT;

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final List<Replica> replicas = new ArrayList<>();
    private List<GuardedServer> servers = List.of();

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void allServersVoteAgain(int nodes) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            start(nodes, 2 + random.nextInt(3), random);
            for (Replica replica : replicas.subList(0, 1 + random.nextInt(replicas.size()))) {
                replica.misdirect(random);
            }
            long last = lastQuarantine();
            int failed = seed;
            assertTrue(last < AGREED, () -> "seed " + failed + ": in quarantine after " + last + " ms");
        }
    }

    private void start(int nodes, int count, Random random) {
        servers = IntStream.range(0, nodes)
                .mapToObj(i -> new GuardedServer(
                        "run-" + i,
                        nodes,
                        Duration.ofMillis(QUARANTINE),
                        () -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis))))
                .toList();
        replicas.clear();
        for (int i = 0; i < count; i++) {
            replicas.add(new Replica(i == 0 ? "found" : "ask", random));
        }
    }

    /** Returns the milliseconds until no check finds a quarantine, of half a minute. */
    private long lastQuarantine() {
        long began = millis;
        long last = 0;
        while (millis - began < 30_000) {
            millis++;
            for (Replica replica : replicas) {
                last = replica.findsQuarantine() ? millis - began : last;
            }
        }
        return last;
    }

    private final class Replica {
        private final FleetHistory history;
        private final int[] phases;
        /** The number of the server behind each alias; -1 if it is refused. */
        private final int[] behind = IntStream.range(0, servers.size()).toArray();

        Replica(String occasion, Random random) {
            history = new FleetHistory(servers.size(), new Random(random.nextLong()));
            phases = random.ints(servers.size(), 0, BEAT).toArray();
            for (int i = 0; i < servers.size(); i++) {
                servers.get(i).connect(history, "node-" + i, occasion);
            }
        }

        /** Leads one address to the server of another node for too long, and perhaps the other one to the first. */
        void misdirect(Random random) {
            int one = random.nextInt(servers.size());
            int other = (one + 1 + random.nextInt(servers.size() - 1)) % servers.size();
            boolean exchanged = random.nextBoolean();
            for (int connection = 0; connection <= MISDIRECTED; connection++) {
                servers.get(other).connect(history, "node-" + one, "ask");
                if (exchanged) {
                    servers.get(one).connect(history, "node-" + other, "ask");
                }
                millis += BEAT;
            }
            if (random.nextBoolean()) {
                behind[one] = other;
                behind[other] = exchanged ? one : -1;
            }
        }

        boolean findsQuarantine() {
            boolean found = false;
            for (int i = 0; i < phases.length; i++) {
                if (millis % BEAT == phases[i] && behind[i] >= 0) {
                    found |= servers.get(behind[i]).check(history, "node-" + i) > 0;
                }
            }
            return found;
        }
    }
}
