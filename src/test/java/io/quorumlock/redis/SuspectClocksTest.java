// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The judgement of suspects when the own clock stops before it is made. */
class SuspectClocksTest {
    private static final Duration FAR = Duration.ofMillis(50);

    private final FakeClocks world = new FakeClocks(5);

    @BeforeEach
    void readAllClocks() {
        world.readAll();
    }

    /** S1: a pause for another time does not excuse the step, which made keys expire early. */
    @ParameterizedTest
    @CsvSource({"false, 200", "true, 200", "false, 5000", "true, 5000"})
    void judgesStepThatWasSetBackBeforePause(boolean reported, int pause) {
        stepAndSetBack();
        if (reported) {
            world.suspend(Duration.ofMillis(pause));
        } else {
            world.pause(Duration.ofMillis(pause));
        }
        world.read(0, 1, 2, 3, 4);
        IntStream.range(0, 8).forEach(i -> world.readAll());
        assertTrue(world.nodes.get(0).judgements.contains(true), () -> "" + world.judgements());
    }

    /** S1: rounds are long because two nodes do not answer. */
    @ParameterizedTest
    @ValueSource(ints = {100, 900, 1_200, 1_900})
    void judgesStepThatWasSetBackLongBeforePause(int millis) {
        stepAndSetBack();
        world.time.pass(Duration.ofMillis(millis));
        world.pause(Duration.ofMillis(200));
        for (int i = 0; i < 10; i++) {
            world.read(0, 1, 2);
            world.time.pass(Duration.ofMillis(500));
        }
        assertTrue(world.nodes.get(0).judgements.contains(true), () -> "" + world.judgements());
    }

    /** No pause explains that a clock moves back, so no other clock is needed. */
    @Test
    void judgesClockThatWentBackWithItsNextReading() {
        stepAndSetBack();
        world.read(0);
        assertTrue(world.nodes.get(0).judgements.contains(true));
        assertFalse(world.comparison.isSuspect(world.nodes.get(0)));
        world.pause(Duration.ofSeconds(60));
        IntStream.range(0, 8).forEach(i -> world.readAll());
        world.nodes.forEach(node -> assertFalse(world.comparison.isSuspect(node)));
        IntStream.range(1, 5)
                .forEach(i -> assertFalse(world.nodes.get(i).judgements.contains(true), () -> "" + world.judgements()));
    }

    /** Two nodes do not answer, and each reading follows a pause. */
    @ParameterizedTest
    @ValueSource(ints = {0, 15, 60, 300, 900})
    void judgesStepInTwoSecondsDespitePauses(int pause) {
        world.nodes.get(0).ahead = Duration.ofMillis(700);
        world.read(0);
        for (int i = 0; i < 11; i++) {
            world.pause(Duration.ofMillis(pause));
            world.time.pass(Duration.ofMillis(190));
            world.read(2, 0, 1);
        }
        assertTrue(world.nodes.get(0).judgements.contains(true), () -> "" + world.judgements());
    }

    /** L2: the own wall clock moves with a reported suspension, also with a short one. */
    @ParameterizedTest
    @ValueSource(ints = {12, 20, 30, 40, 50, 60})
    void acceptsShortReportedSuspension(int millis) {
        world.suspend(Duration.ofMillis(millis));
        IntStream.range(0, 8).forEach(i -> world.readAll());
        assertNoneStepped(world);
    }

    /** L2: distant nodes, which are read first, accept the report, and the others show the whole stop. */
    @ParameterizedTest
    @ValueSource(ints = {20, 30, 60, 90})
    void acceptsInexactReportWithDistantNodes(int error) {
        FakeClocks distant = new FakeClocks(5);
        IntStream.range(0, 5).forEach(i -> readWithTwoFar(distant));
        distant.suspend(Duration.ofSeconds(30));
        distant.pause(Duration.ofMillis(error));
        IntStream.range(3, 5).forEach(i -> distant.nodes.get(i).read(FAR, FAR));
        IntStream.range(0, 10).forEach(i -> readWithTwoFar(distant));
        assertNoneStepped(distant);
    }

    private void stepAndSetBack() {
        world.nodes.get(0).ahead = Duration.ofSeconds(30);
        world.read(0);
        assertTrue(world.comparison.isSuspect(world.nodes.get(0)));
        world.nodes.get(0).ahead = Duration.ZERO;
    }

    private static void readWithTwoFar(FakeClocks clocks) {
        clocks.time.pass(Duration.ofMillis(400));
        clocks.read(0, 1, 2);
        IntStream.range(3, 5).forEach(i -> clocks.nodes.get(i).read(FAR, FAR));
    }

    private static void assertNoneStepped(FakeClocks clocks) {
        clocks.judgements().forEach(all -> assertFalse(all.contains(true), () -> "" + clocks.judgements()));
    }
}
