// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The judgement of suspects when the own clock stops before it is made. */
class SuspectClocksTest {
    private final FakeClocks world = new FakeClocks(5);

    @BeforeEach
    void readAllClocks() {
        world.readAll();
    }

    /** S1: a pause for another time does not excuse the step, which made keys expire early. */
    @ParameterizedTest
    @ValueSource(ints = {200, 5_000})
    void judgesStepThatWasSetBackBeforePause(int pause) {
        stepAndSetBack();
        world.pause(Duration.ofMillis(pause));
        world.read(0, 1, 2, 3, 4);
        IntStream.range(0, 8).forEach(i -> world.readAll());
        assertTrue(world.masters.get(0).judgements.contains(true), () -> "" + world.judgements());
    }

    /** S1: rounds are long because two masters do not answer. */
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
        assertTrue(world.masters.get(0).judgements.contains(true), () -> "" + world.judgements());
    }

    /** Two masters do not answer, and each reading follows a pause. */
    @ParameterizedTest
    @ValueSource(ints = {0, 15, 60, 300, 900})
    void judgesStepInTwoSecondsDespitePauses(int pause) {
        world.masters.get(0).ahead = Duration.ofMillis(700);
        world.read(0);
        for (int i = 0; i < 11; i++) {
            world.pause(Duration.ofMillis(pause));
            world.time.pass(Duration.ofMillis(190));
            world.read(2, 0, 1);
        }
        assertTrue(world.masters.get(0).judgements.contains(true), () -> "" + world.judgements());
    }

    private void stepAndSetBack() {
        world.masters.get(0).ahead = Duration.ofSeconds(30);
        world.read(0);
        assertTrue(world.comparison.isSuspect(world.masters.get(0)));
        world.masters.get(0).ahead = Duration.ZERO;
    }
}
