package io.quorumlock.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Announcements of a majority may be missing only while fewer than a majority is listened to. */
class SubscriptionCoverageTest {
    private static final int QUORUM = 3;
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final VirtualTime time = new VirtualTime();
    private final List<MonotonicTime> gaps = new ArrayList<>();
    private final SubscriptionCoverage coverage = new SubscriptionCoverage(QUORUM, time.engineContext(1), gaps::add);

    @Test
    void toBeginIsNoGap() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        assertGaps();
    }

    /** Whoever listens from the start missed what happened until then. */
    @Test
    void toBeginLateIsOne() {
        MonotonicTime start = time.now();
        begin(0, 1);
        time.pass(LONG);
        begin(2);
        time.pass(SubscriptionCoverage.NOTICE);
        assertGaps(start);
    }

    @Test
    void aMinorityThatBreaksOffIsNone() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        breakOff(time.now(), 0, 1);
        time.pass(LONG);
        begin(0, 1);
        time.pass(LONG);
        assertGaps();
    }

    @Test
    void aMajorityThatBreaksOffIsToldOfOnceWhenEverybodyMayHaveNoticedThatItIsBack() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime since = time.now();
        breakOff(since, 0, 1, 2, 3, 4);
        time.pass(LONG);
        begin(0, 1, 2);
        time.pass(SubscriptionCoverage.NOTICE.minusMillis(1));
        assertGaps();
        begin(3, 4);
        time.pass(Duration.ofMillis(1));
        time.pass(LONG);
        assertGaps(since);
    }

    /** What breaks off again before it was told makes the gap longer. */
    @Test
    void twoGapsShortlyAfterEachOtherAreOne() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime since = time.now();
        breakOff(since, 0, 1, 2);
        begin(0, 1, 2);
        time.pass(SHORT);
        breakOff(time.now(), 2, 3, 4);
        time.pass(SubscriptionCoverage.NOTICE);
        assertGaps();
        begin(2);
        time.pass(SubscriptionCoverage.NOTICE);
        assertGaps(since);
    }

    @Test
    void onesThatBreakOffOneAfterTheOtherAreNone() {
        begin(0, 1, 2, 3, 4);
        for (int node = 0; node < 5; node++) {
            time.pass(LONG);
            breakOff(time.now(), node);
            time.pass(SHORT);
            begin(node);
        }
        time.pass(LONG);
        assertGaps();
    }

    /** They are given up one by one, and back at once, but for a while all three said nothing. */
    @Test
    void nodesThatWereSilentAtTheSameTimeAreAGapThoughTheyWereGivenUpOneAfterTheOther() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime silentSince = time.now();
        for (int node = 0; node < 3; node++) {
            time.pass(SHORT);
            breakOff(silentSince, node);
            begin(node);
        }
        time.pass(SubscriptionCoverage.NOTICE);
        assertGaps(silentSince);
    }

    /** What flickers is a minority, and delays nothing. */
    @Test
    void aNodeThatComesAndGoesDoesNotPutTheNewsOff() {
        begin(0, 1, 2, 3, 4);
        time.pass(LONG);
        MonotonicTime since = time.now();
        breakOff(since, 0, 1, 2);
        begin(0, 1);
        for (Duration passed = Duration.ZERO;
                passed.compareTo(SubscriptionCoverage.NOTICE) < 0;
                passed = passed.plus(SHORT)) {
            begin(2);
            time.pass(SHORT);
            breakOff(time.now(), 2);
        }
        assertGaps(since);
    }

    private void begin(int... nodes) {
        for (int node : nodes) {
            coverage.begins(node);
        }
    }

    private void breakOff(MonotonicTime since, int... nodes) {
        for (int node : nodes) {
            coverage.breaksOff(node, since);
        }
    }

    private void assertGaps(MonotonicTime... expected) {
        assertEquals(List.of(expected), gaps);
    }
}
