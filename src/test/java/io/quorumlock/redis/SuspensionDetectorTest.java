package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.redis.SuspensionDetector.Step;
import io.quorumlock.testing.VirtualTime;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** R9: suspensions of the replica. It must not take the step of its own clock for steps of all nodes. */
class SuspensionDetectorTest {
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(2);

    private final VirtualTime time = new VirtualTime();
    private Optional<Duration> suspended = Optional.empty();
    private final SuspensionDetector detector = new SuspensionDetector(engineContext());
    private final List<FakeClock> nodes =
            IntStream.range(0, 5).mapToObj(i -> new FakeClock()).toList();

    SuspensionDetectorTest() {
        detector.watch(nodes);
    }

    @Test
    void acceptsSuspensionReportedByKernel() {
        suspended = Optional.of(Duration.ZERO);
        read();
        suspended = Optional.of(PAUSE);
        step(0, PAUSE.plusMillis(40), false);
        assertEquals(List.of(false), nodes.get(0).judgements);
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(false, true), nodes.get(0).judgements, "the same suspension explains one step only");
    }

    /** The machine was suspended while the node was down, for about the same time. */
    @Test
    void detectsStepAfterSuspensionBeforeFirstReading() {
        suspended = Optional.of(PAUSE);
        read();
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements);
    }

    /** The clock was set while the machine was suspended, and is set again later, by about the time of the suspension. */
    @Test
    void detectsStepAfterSuspensionWithAnotherStep() {
        suspended = Optional.of(Duration.ZERO);
        read();
        suspended = Optional.of(PAUSE);
        step(0, PAUSE.plusSeconds(1), false);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements);
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(true, true), nodes.get(0).judgements, "the suspension was over before the last reading");
    }

    /** The node was suspended together with this machine, and its clock is corrected later. */
    @Test
    void detectsStepAfterSteadyReadingThatFollowedSuspension() {
        suspended = Optional.of(Duration.ZERO);
        read();
        suspended = Optional.of(PAUSE);
        time.pass(SOON);
        read();
        time.pass(SOON);
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements);
    }

    /** The node replied before the machine was suspended, and the reply was read afterwards. */
    @Test
    void acceptsSuspensionDuringSteadyReading() {
        suspended = Optional.of(Duration.ZERO);
        read();
        time.pass(SOON);
        nodes.forEach(detector::beforeReading);
        MonotonicTime sent = time.now();
        suspended = Optional.of(PAUSE);
        time.pass(Duration.ofMillis(1));
        nodes.forEach(detector::beforeReading);
        nodes.forEach(node -> detector.steady(node, sent, sent));
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(false), nodes.get(0).judgements);
    }

    /** Unknown suspensions at the last reading explain nothing. */
    @Test
    void detectsStepAfterReadingWithUnknownSuspensions() {
        read();
        suspended = Optional.of(PAUSE);
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements);
    }

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
            detector.steady(nodes.get(i), before, before);
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

    private void step(int node, Duration by, boolean alone) {
        detector.stepped(nodes.get(node), new Step(by, alone));
    }

    /** All heartbeats are sent at almost the same time, before the first reply, because all nodes connected at the start. */
    @Test
    void detectsStepAfterSteadyReadingsOfSimultaneousHeartbeats() {
        suspended = Optional.of(Duration.ZERO);
        readTogether();
        suspended = Optional.of(PAUSE);
        for (int beat = 0; beat < 60; beat++) {
            time.pass(Duration.ofSeconds(1));
            readTogether();
        }
        time.pass(Duration.ofSeconds(1));
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements, "60 steady readings followed the suspension");
    }

    private void readTogether() {
        List<MonotonicTime> sent = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            time.pass(Duration.ofNanos(100_000));
            detector.beforeReading(nodes.get(i));
            sent.add(time.now());
        }
        time.pass(Duration.ofMillis(1));
        for (int i = 0; i < nodes.size(); i++) {
            detector.steady(nodes.get(i), sent.get(i), sent.get(i));
        }
    }

    /** Reads all clocks, without a step. */
    private void read() {
        nodes.forEach(detector::beforeReading);
        nodes.forEach(node -> detector.steady(node, time.now(), time.now()));
    }

    private void steady(int node) {
        detector.steady(nodes.get(node), time.now(), time.now());
    }

    private EngineContext engineContext() {
        EngineContext virtual = time.engineContext(1);
        MonotonicClock clock = new MonotonicClock() {
            @Override
            public MonotonicTime now() {
                return time.now();
            }

            @Override
            public Optional<Duration> suspended() {
                return suspended;
            }
        };
        return new EngineContext(clock, virtual.wallClock(), virtual.scheduler(), virtual.loop(), virtual.random());
    }

    private static final class FakeClock implements SuspensionDetector.Clock {
        private final List<Boolean> judgements = new ArrayList<>();
        private int readings;

        @Override
        public void readClock() {
            readings++;
        }

        @Override
        public void judged(boolean stepped) {
            judgements.add(stepped);
        }
    }
}
