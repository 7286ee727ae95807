// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.service.waiting.Contention.Result;
import io.quorumlock.service.waiting.Contention.Setup;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starvation: no waiter may wait far longer than others, however many replicas there are. */
@Execution(ExecutionMode.CONCURRENT)
class StarvationTest {
    private static final Duration HELD = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration RUN = Duration.ofSeconds(12);
    private static final int LEAST_SERVED = 800;

    /** A replica with several clients always waits, and knows its turn. */
    @ParameterizedTest
    @CsvSource({"1,false", "2,true"})
    void noWaitExceedsTwiceTheMedianOnReplicasThatAlwaysWait(long seed, boolean chooseTokens) {
        assertLongestWait(2, contend(List.of(3, 3, 3, 3), seed, chooseTokens));
    }

    /** A replica with one client forgets its turn with each grant. */
    @ParameterizedTest
    @CsvSource({"1,false", "3,true"})
    void noWaitExceedsSixTimesTheMedianOnReplicasWithOneClient(long seed, boolean chooseTokens) {
        assertLongestWait(6, contend(Collections.nCopies(6, 1), seed, chooseTokens));
    }

    /** Behind a load balancer, a release rarely arrives at the replica of the waiter. */
    private static Result contend(List<Integer> clients, long seed, boolean chooseTokens) {
        Random random = new Random(seed);
        return new Contention(
                        new Setup(clients, HELD, PATIENCE, chooseTokens, own -> random.nextInt(clients.size())), seed)
                .run(RUN);
    }

    private static void assertLongestWait(int times, Result result) {
        assertTrue(result.waits().size() > LEAST_SERVED, result::toString);
        assertTrue(result.longestToMedian() < times, result::toString);
    }
}
