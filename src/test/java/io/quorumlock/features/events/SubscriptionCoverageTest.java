// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The coverage of subscriptions. Events can be missing only while they cover fewer masters than a majority. */
class SubscriptionCoverageTest {
    private static final int QUORUM = 3;
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final VirtualTime time = new VirtualTime();
    private final List<MonotonicTime> gaps = new ArrayList<>();
    private final SubscriptionCoverage coverage = new SubscriptionCoverage(QUORUM, time.engineContext(1), gaps::add);

    @Test
    void startIsNoGap() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        assertGaps();
    }

    /** Listeners from the start missed earlier events. */
    @Test
    void lateStartIsAGap() {
        MonotonicTime start = time.now();
        begin(0, 1);
        time.pass(LONG);
        begin(2);
        time.pass(SubscriptionCoverage.NOTICE_TIME);
        assertGaps(start);
    }

    @Test
    void lossOfMinorityIsNoGap() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        breakOff(time.now(), 0, 1);
        time.pass(LONG);
        begin(0, 1);
        time.pass(LONG);
        assertGaps();
    }

    @Test
    void reportsLossOfMajorityOnceAfterNoticeTime() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime since = time.now();
        breakOff(since, 0, 1, 2, 3, 4);
        time.pass(LONG);
        begin(0, 1, 2);
        time.pass(SubscriptionCoverage.NOTICE_TIME.minusMillis(1));
        assertGaps();
        begin(3, 4);
        time.pass(Duration.ofMillis(1));
        time.pass(LONG);
        assertGaps(since);
    }

    /** A loss before the report extends the gap. */
    @Test
    void mergesGapsInQuickSuccession() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime since = time.now();
        breakOff(since, 0, 1, 2);
        begin(0, 1, 2);
        time.pass(SHORT);
        breakOff(time.now(), 2, 3, 4);
        time.pass(SubscriptionCoverage.NOTICE_TIME);
        assertGaps();
        begin(2);
        time.pass(SubscriptionCoverage.NOTICE_TIME);
        assertGaps(since);
    }

    @Test
    void successiveShortLossesAreNoGap() {
        begin(0, 1, 2, 3, 4);
        for (int master = 0; master < 5; master++) {
            time.pass(LONG);
            breakOff(time.now(), master);
            time.pass(SHORT);
            begin(master);
        }
        time.pass(LONG);
        assertGaps();
    }

    /** The masters are given up one by one, but all three were silent at the same time. */
    @Test
    void overlappingSilencesAreAGap() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime silentSince = time.now();
        for (int master = 0; master < 3; master++) {
            time.pass(SHORT);
            breakOff(silentSince, master);
            begin(master);
        }
        time.pass(SubscriptionCoverage.NOTICE_TIME);
        assertGaps(silentSince);
    }

    /** The flapping master is a minority. */
    @Test
    void flappingMasterDoesNotDelayReports() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime since = time.now();
        breakOff(since, 0, 1, 2);
        begin(0, 1);
        for (Duration passed = Duration.ZERO;
                passed.compareTo(SubscriptionCoverage.NOTICE_TIME) < 0;
                passed = passed.plus(SHORT)) {
            begin(2);
            time.pass(SHORT);
            breakOff(time.now(), 2);
        }
        assertGaps(since);
    }

    private void begin(int... masters) {
        for (int master : masters) {
            coverage.subscribed(master);
        }
    }

    private void breakOff(MonotonicTime since, int... masters) {
        for (int master : masters) {
            coverage.subscriptionLost(master, since);
        }
    }

    private void assertGaps(MonotonicTime... expected) {
        assertEquals(List.of(expected), gaps);
    }
}
