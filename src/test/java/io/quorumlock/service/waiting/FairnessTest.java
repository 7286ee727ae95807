// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.service.waiting.Contention.Result;
import io.quorumlock.service.waiting.Contention.Setup;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fairness and costs of waiting on one and two replicas. A wait is fair if it is as long as all clients hold the lock once.
 */
@Execution(ExecutionMode.CONCURRENT)
class FairnessTest {
    private static final int CLIENTS = 40;
    private static final int GRANTS = 600;
    private static final Duration HELD = Duration.ofMillis(10);
    /** The shortest time to hold the lock: it is free for half of the time. */
    private static final Duration NOT_HELD = Duration.ZERO;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration ROUND_TRIPS = Duration.ofMillis(2);

    /** Each grant needs one acquire and one release for each master. */
    private static final double MOST_COMMANDS = 2.1;

    @Test
    void oneReplicaServesItsWaitersInOrder() {
        Result result = contend(List.of(CLIENTS), HELD, false, IntUnaryOperator.identity());
        assertFair(1.1, HELD, result);
        assertTrue(result.commands() <= MOST_COMMANDS, result::toString);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void twoReplicasTakeTurnsIfReleasesArriveAtAny(long seed) {
        Random random = new Random(seed);
        assertTurns(HELD, own -> random.nextInt(2));
    }

    @Test
    void twoReplicasTakeTurnsIfReleasesArriveAtOther() {
        assertTurns(HELD, own -> 1 - own);
    }

    @Test
    void twoReplicasTakeTurnsIfLockIsReleasedAtOnce() {
        assertTurns(NOT_HELD, IntUnaryOperator.identity());
    }

    /** Each replica gets half of the grants, so a client waits longer behind many others than behind few. */
    @Test
    void noWaitIsTwiceTheFairOneIfOneReplicaHasMostWaiters() {
        assertFair(2, HELD, contend(List.of(CLIENTS - 2, 2), HELD, false, IntUnaryOperator.identity()));
    }

    /** Few clients on one replica: a newcomer that makes an attempt at once could overtake them again and again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10, 50})
    void newcomersDoNotOvertake(int heldMillis) {
        Duration held = Duration.ofMillis(heldMillis);
        Result result = contend(List.of(3), held, true, IntUnaryOperator.identity());
        assertTrue(result.longestToMedian() < 3, result::toString);
        assertTrue(result.commands() <= MOST_COMMANDS, result::toString);
    }

    /** 21 clients hold the lock for 3 s each, and the service ends each wait after 10 s. */
    @ParameterizedTest
    @MethodSource("twentyOneClients")
    void clientsKeepTheirPlacesFromRequestToRequest(List<Integer> clients) {
        Duration longHeld = Duration.ofSeconds(3);
        Setup setup = new Setup(clients, longHeld, Duration.ofSeconds(10), true, IntUnaryOperator.identity());
        Result result = new Contention(setup, 1).run(Duration.ofMinutes(8));
        assertTrue(result.refused() > result.waits().size(), result::toString);
        Duration fair = longHeld.multipliedBy(21);
        assertTrue(result.longest().compareTo(fair.multipliedBy(11).dividedBy(10)) < 0, result::toString);
    }

    static List<List<Integer>> twentyOneClients() {
        return List.of(List.of(21), List.of(11, 10));
    }

    private static void assertTurns(Duration held, IntUnaryOperator releasedThrough) {
        Result result = contend(List.of(CLIENTS / 2, CLIENTS / 2), held, false, releasedThrough);
        assertFair(1.1, held, result);
        assertTrue(result.commands() <= MOST_COMMANDS, result::toString);
        assertTrue(
                Math.abs(result.served()[0] - result.served()[1])
                        <= result.waits().size() / 50,
                result::toString);
    }

    private static void assertFair(double times, Duration held, Result result) {
        assertEquals(0, result.refused(), result::toString);
        Duration fair = held.plus(ROUND_TRIPS).multipliedBy(CLIENTS);
        assertTrue(result.longest().toNanos() <= fair.toNanos() * times, () -> result + ", fair would be " + fair);
        assertTrue(result.waits().size() >= GRANTS, result::toString);
    }

    private static Result contend(
            List<Integer> clients, Duration held, boolean chooseTokens, IntUnaryOperator releasedThrough) {
        return new Contention(new Setup(clients, held, PATIENCE, chooseTokens, releasedThrough), 1)
                .run(held.plus(ROUND_TRIPS).multipliedBy(GRANTS));
    }
}
