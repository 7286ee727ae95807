package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.time.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: a node whose wall clock was set may have dropped locks too early. */
class NodeClockTest {
    private static final long WALL = 1_800_000_000_000_000L;
    private final NodeClock clock = new NodeClock();

    @Test
    void theFirstReadingShowsNothing() {
        assertEquals(Duration.ZERO, read(0, 1, 0));
    }

    @Test
    void aClockThatRunsLikeOursWasNotSet() {
        for (int millis = 0; millis < 100_000; millis += 1_000) {
            assertEquals(Duration.ZERO, read(millis, millis + 2, millis + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-3_600_000, -500, -20, 20, 500, 3_600_000})
    void aClockThatWasSetIsSeenInTheNextReading(int step) {
        read(0, 0, 0);
        Duration seen = read(100, 100, 100 + step);
        assertTrue(Math.abs(Math.abs(step) - seen.toMillis()) <= 1, seen::toString);
        assertEquals(Duration.ZERO, read(200, 200, 200 + step), "seen twice");
    }

    @Test
    void anAnswerThatTookLongHidesNoMoreThanItMayExplain() {
        read(0, 0, 0);
        assertEquals(Duration.ZERO, read(100, 400, 390), "may have been read at any time in between");
        assertTrue(read(500, 900, 1_000).toMillis() >= 90, "was read at 900 at the latest");
    }

    /** What a slow answer leaves open, the quick ones before it have told. */
    @Test
    void aSlowAnswerDoesNotMakeUsForgetWhatWeKnew() {
        read(0, 0, 0);
        read(10, 410, 200);
        assertTrue(read(420, 420, 520).toMillis() >= 90);
    }

    @Test
    void aClockThatIsSlewedWasNotSet() {
        for (int millis = 0; millis < 100_000; millis += 1_000) {
            assertEquals(Duration.ZERO, read(millis, millis, millis + millis / 200));
        }
    }

    @Test
    void theOriginOfOurClockMayBeAnywhere() {
        long origin = Long.MAX_VALUE - 1_000_000;
        clock.read(new Moment(origin), new Moment(origin), WALL);
        Moment later = new Moment(origin + 100_000_000);
        assertEquals(Duration.ZERO, clock.read(later, later, WALL + 100_000));
    }

    private Duration read(long sentMillis, long receivedMillis, long shownMillis) {
        return clock.read(moment(sentMillis), moment(receivedMillis), WALL + shownMillis * 1_000);
    }

    private static Moment moment(long millis) {
        return new Moment(millis * 1_000_000);
    }
}
