package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** R9: suspensions of the replica that the kernel reports. */
class ReportedSuspensionTest extends SuspensionFixture {

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
        nodes.forEach(node -> detector.steady(node, sent, Duration.ZERO));
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

    /** The node is 60 ms away. Its readings cannot hide a suspension of 30 seconds. */
    @Test
    void detectsStepAfterSlowSteadyReadings() {
        suspended = Optional.of(Duration.ZERO);
        read();
        suspended = Optional.of(PAUSE);
        for (int beat = 0; beat < 60; beat++) {
            time.pass(Duration.ofSeconds(1));
            detector.beforeReading(nodes.get(0));
            MonotonicTime sent = time.now();
            time.pass(Duration.ofMillis(60));
            detector.steady(nodes.get(0), sent, time.now().since(sent));
        }
        step(0, PAUSE, false);
        time.pass(SOON);
        assertEquals(List.of(true), nodes.get(0).judgements, "60 readings followed the suspension");
    }

    /** The first replies after a suspension are read late, so that the bounds of the steps are 60 ms too low. */
    @Test
    void acceptsSuspensionWithSlowFirstReadings() {
        suspended = Optional.of(Duration.ZERO);
        read();
        suspended = Optional.of(PAUSE);
        IntStream.range(0, 5).forEach(node -> step(node, PAUSE.minusMillis(60), Duration.ofMillis(70), false));
        time.pass(SOON);
        nodes.forEach(node -> assertEquals(List.of(false), node.judgements));
    }
}
