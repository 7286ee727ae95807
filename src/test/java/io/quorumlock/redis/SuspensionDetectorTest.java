package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** R9: suspensions of the replica. It must not take the step of its own clock for steps of all nodes. */
class SuspensionDetectorTest extends SuspensionFixture {

    /** A node that was away shows an earlier pause together with an equal, but real step of another node. */
    @Test
    void detectsStepAlikeEarlierPauseOfNodeThatReturns() {
        read();
        step(0, PAUSE, true);
        step(1, PAUSE, true);
        step(2, PAUSE, true);
        time.pass(SOON);
        nodes.forEach(detector::beforeReading);
        List.of(0, 1, 2).forEach(this::steady);
        step(3, PAUSE, true);
        step(4, PAUSE, true);
        step(2, PAUSE, true);
        time.pass(SOON);
        assertEquals(List.of(false), nodes.get(3).judgements);
        assertEquals(List.of(false), nodes.get(4).judgements);
        assertEquals(List.of(false, true), nodes.get(2).judgements);
    }

    @Test
    void treatsEqualStepOfMajorityAsOwnPause() {
        read();
        step(0, PAUSE, true);
        step(1, PAUSE.plusMillis(3), true);
        assertEquals(List.of(), nodes.get(0).judgements);
        step(2, PAUSE.minusMillis(3), true);
        step(3, PAUSE, true);
        step(4, PAUSE.plusSeconds(1), true);
        time.pass(SOON);
        assertEquals(List.of(false), nodes.get(0).judgements);
        assertEquals(List.of(false), nodes.get(2).judgements);
        assertEquals(List.of(false), nodes.get(3).judgements, "after the majority");
        assertEquals(List.of(true), nodes.get(4).judgements, "after a different duration");
    }

    @Test
    void suspectsMinorityWhenOthersAreSteady() {
        step(0, PAUSE, true);
        step(1, PAUSE, true);
        steady(2);
        steady(3);
        assertEquals(List.of(), nodes.get(0).judgements);
        steady(4);
        assertEquals(List.of(true), nodes.get(0).judgements);
        assertEquals(List.of(true), nodes.get(1).judgements);
    }

    @Test
    void readsOtherClocksAtOnce() {
        step(0, PAUSE, true);
        assertEquals(
                List.of(0, 1, 1, 1, 1),
                nodes.stream().map(node -> node.readings).toList());
    }

    /** After a pause, some connections are opened again. The other nodes must not be judged before. */
    @Test
    void waitsForUnreadableNodes() {
        step(0, PAUSE, true);
        step(1, PAUSE, true);
        steady(2);
        assertEquals(List.of(), nodes.get(0).judgements);
        time.pass(Duration.ofMillis(900));
        step(3, PAUSE, true);
        assertEquals(List.of(false), nodes.get(0).judgements);
        assertEquals(List.of(false), nodes.get(3).judgements);
    }

    @Test
    void ignoresReadingsRequestedBeforeTheStep() {
        MonotonicTime before = time.now();
        time.pass(Duration.ofMillis(5));
        step(0, PAUSE, true);
        for (int i = 1; i < 5; i++) {
            detector.steady(nodes.get(i), before, Duration.ZERO);
        }
        assertEquals(List.of(), nodes.get(0).judgements);
    }

    /** For example, if nodes and replica are on one machine whose clock is set. */
    @Test
    void suspectsMajorityThatSteppedWithOwnWallClock() {
        for (int i = 0; i < 5; i++) {
            step(i, PAUSE, false);
            assertEquals(List.of(true), nodes.get(i).judgements);
        }
    }

    @Test
    void suspectsClocksThatSteppedBack() {
        for (int i = 0; i < 5; i++) {
            step(i, PAUSE.negated(), true);
            assertEquals(List.of(true), nodes.get(i).judgements);
        }
    }

    @Test
    void suspectsNodeWithoutConfirmationInTime() {
        step(0, PAUSE, true);
        step(1, PAUSE, true);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements);
        assertEquals(List.of(true), nodes.get(1).judgements);
    }

    @Test
    void suspectsNodeWithTwoSteps() {
        step(0, Duration.ofSeconds(5), true);
        for (int i = 0; i < 5; i++) {
            step(i, PAUSE, true);
        }
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements);
        assertEquals(List.of(false), nodes.get(1).judgements);
    }

    /** A pause appears once in each clock. */
    @Test
    void suspectsNodeThatStepsAgainAfterPause() {
        IntStream.range(0, 3).forEach(node -> step(node, PAUSE, true));
        assertEquals(List.of(false), nodes.get(0).judgements);
        steady(3);
        step(0, PAUSE.plusMillis(40), true);
        step(3, PAUSE.plusMillis(40), true);
        steady(1);
        steady(2);
        steady(4);
        assertEquals(List.of(false, true), nodes.get(0).judgements);
        assertEquals(List.of(true), nodes.get(3).judgements, "its clock was read after the pause");
    }

    @Test
    void suspectsTheOnlyNode() {
        detector.watch(nodes.subList(0, 1));
        step(0, PAUSE, true);
        assertEquals(List.of(true), nodes.get(0).judgements);
    }

    /** Node 4 was paused together with this machine. Its clock stands still during the pause and is corrected afterwards. */
    @Test
    void detectsStepAfterSteadyReadingThatFollowedPause() {
        read();
        time.pass(SOON);
        step(0, PAUSE, true);
        nodes.subList(1, 5).forEach(detector::beforeReading);
        step(1, PAUSE, true);
        step(2, PAUSE, true);
        assertEquals(List.of(false), nodes.get(2).judgements);
        time.pass(Duration.ofMillis(1));
        steady(4);
        time.pass(Duration.ofMillis(100));
        step(4, PAUSE, true);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(4).judgements, "its clock was read after the pause, without a step");
    }

    /** For example, during a live migration or the removal of a snapshot. */
    @Test
    void acceptsTwoPausesWithinOneSecond() {
        Duration first = Duration.ofMillis(200);
        Duration second = Duration.ofMillis(300);
        read();
        IntStream.range(0, 5).forEach(node -> step(node, first, true));
        time.pass(Duration.ofMillis(500));
        IntStream.range(0, 5).forEach(node -> step(node, second, true));
        time.pass(SOON);
        nodes.forEach(node -> assertEquals(List.of(false, false), node.judgements));
    }

    /** A slow reading hides the pause. The next one shows it. */
    @Test
    void acceptsPauseHiddenInSlowReadings() {
        Duration pause = Duration.ofMillis(200);
        read();
        time.pass(SOON);
        step(0, pause, true);
        nodes.subList(1, 5).forEach(detector::beforeReading);
        MonotonicTime sent = time.now();
        time.pass(Duration.ofMillis(250));
        nodes.subList(1, 4)
                .forEach(node -> detector.steady(node, sent, time.now().since(sent)));
        time.pass(Duration.ofMillis(50));
        IntStream.range(1, 5).forEach(node -> step(node, pause, true));
        time.pass(SOON);
        nodes.forEach(node -> assertEquals(List.of(false), node.judgements));
    }
}
