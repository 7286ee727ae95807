// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9: stops of the own clock. The replica must not take them for steps of all masters, nor a step for a stop. */
@Proves("R9")
class ClockComparisonTest {
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration ROUND = LinkSettings.LONGEST_SILENCE;
    private static final List<Boolean> STEPPED = List.of(true);
    private static final List<Boolean> STOPPED = List.of(false);

    private final FakeClocks world = new FakeClocks(5);

    @BeforeEach
    void readAllClocks() {
        world.readAll();
    }

    @Test
    void treatsEqualMovementOfMajorityAsOwnStop() {
        world.pause(PAUSE);
        world.masters.get(4).ahead = Duration.ofSeconds(1);
        world.readAll();
        world.readAll();
        assertEquals(
                List.of(STOPPED, STOPPED, STOPPED, STOPPED), world.judgements().subList(0, 4));
        world.readAll();
        assertEquals(STEPPED, world.masters.get(4).judgements, "moved by a second more");
    }

    @Test
    void judgesMinorityWhenOthersAreSteady() {
        step(0, PAUSE);
        step(1, PAUSE);
        world.read(0, 1, 2, 3, 4);
        assertTrue(world.comparison.isSuspect(world.masters.get(0)), "it may have been a pause");
        world.read(0);
        assertEquals(List.of(STEPPED, STEPPED, List.of(), List.of(), List.of()), world.judgements());
    }

    @Test
    void readsAllClocksAtOnce() {
        step(0, PAUSE);
        world.read(0);
        assertTrue(world.masters.stream().allMatch(master -> master.requests == 1));
    }

    @Test
    void rereadsSlowMaster() {
        step(0, PAUSE);
        world.read(0);
        world.masters.get(1).read(Duration.ofMillis(60), Duration.ZERO);
        assertEquals(2, world.masters.get(1).requests);
    }

    /** After a pause, some connections are opened again. The other masters must not be judged before. */
    @Test
    void waitsForUnreadableMasters() {
        world.pause(PAUSE);
        world.read(0, 1, 0);
        world.time.pass(Duration.ofMillis(900));
        assertEquals(List.of(), world.masters.get(0).judgements);
        world.read(3);
        world.time.pass(ROUND);
        assertEquals(List.of(STOPPED, STOPPED, List.of(), STOPPED, List.of()), world.judgements());
    }

    @Test
    void correctsMastersThatReturnLater() {
        world.pause(PAUSE);
        world.read(0, 1, 2, 0);
        world.time.pass(PAUSE);
        assertTrue(world.masters
                .get(3)
                .receive(world.time.now(), world.masters.get(3).micros()));
    }

    @Test
    void ignoresReadingsSentBeforeTheRound() {
        List<Runnable> replies =
                world.masters.stream().map(master -> master.ask(Duration.ZERO)).toList();
        step(0, PAUSE);
        world.read(0);
        replies.subList(1, 5).forEach(Runnable::run);
        world.read(0);
        assertEquals(List.of(), world.masters.get(0).judgements);
    }

    /** A reply that was sent before the own clock stopped, and is received after the bounds moved. */
    @Test
    void acceptsReplyFromBeforeStop() {
        Runnable reply = world.masters.get(4).ask(Duration.ZERO);
        world.pause(PAUSE);
        world.read(0, 1, 2, 3, 0);
        reply.run();
        world.read(4);
        assertEquals(STOPPED, world.masters.get(4).judgements);
    }

    @Test
    void judgesClocksThatSteppedBack() {
        IntStream.range(0, 5).forEach(master -> step(master, PAUSE.negated()));
        world.read(0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4);
        world.judgements().forEach(judgements -> assertEquals(STEPPED, judgements));
    }

    /** Leases may have ended too early meanwhile. */
    @Test
    void judgesClockThatSteppedBackAndForth() {
        step(0, PAUSE);
        world.read(0);
        step(0, Duration.ZERO);
        world.read(0, 1, 2, 3, 4);
        assertEquals(STEPPED, world.masters.get(0).judgements);
    }

    @Test
    void judgesSuspectWhenItCanBeReadAgain() {
        step(0, PAUSE);
        world.read(0, 1, 2, 3, 4);
        world.time.pass(ROUND);
        assertEquals(0, world.time.pending());
        assertTrue(world.comparison.isSuspect(world.masters.get(0)));
        world.readAll();
        world.readAll();
        assertEquals(List.of(STEPPED, List.of(), List.of(), List.of(), List.of()), world.judgements());
    }

    /** After a suspension, the network may be back later. Without a majority there are no votes anyway. */
    @Test
    void waitsForMajority() {
        world.pause(PAUSE);
        world.read(0, 1, 0);
        world.time.pass(ROUND.multipliedBy(20));
        assertEquals(List.of(), world.masters.get(0).judgements);
        world.readAll();
        world.readAll();
        world.judgements().subList(0, 2).forEach(judgements -> assertEquals(STOPPED, judgements));
        world.masters.forEach(master -> assertFalse(world.comparison.isSuspect(master)));
    }

    /** Master 4 was paused together with this machine. Its clock did not move against the own one until its correction. */
    @Test
    void judgesMasterThatDidNotMoveWithTheOthers() {
        step(4, PAUSE.negated());
        world.pause(PAUSE);
        IntStream.range(0, 4).forEach(i -> world.readAll());
        step(4, Duration.ZERO);
        IntStream.range(0, 4).forEach(i -> world.readAll());
        assertEquals(STOPPED, world.masters.get(0).judgements);
        assertEquals(List.of(true, true), world.masters.get(4).judgements);
    }

    /** A slow reading hides the pause. The next one shows it. */
    @Test
    void acceptsPauseHiddenInSlowReadings() {
        world.pause(Duration.ofMillis(200));
        world.read(0);
        List<Runnable> replies = world.masters.subList(1, 4).stream()
                .map(master -> master.ask(Duration.ZERO))
                .toList();
        world.time.pass(Duration.ofMillis(250));
        replies.forEach(Runnable::run);
        world.read(0, 1, 2, 3, 4);
        assertEquals(List.of(STOPPED, STOPPED, STOPPED), world.judgements().subList(0, 3));
    }

    /** The slow reading of master 1 would fit to the step of master 0 as well. Master 2 is down. */
    @Test
    void suspectsStepThatOnlySlowReadingMayConfirm() {
        FakeClocks three = new FakeClocks(3);
        three.readAll();
        three.masters.get(0).ahead = Duration.ofMillis(100);
        three.read(0);
        for (int i = 0; i < 10; i++) {
            three.masters.get(0).read();
            three.masters.get(1).read(Duration.ofMillis(250), Duration.ofMillis(10));
        }
        assertTrue(three.comparison.isSuspect(three.masters.get(0)));
    }

    /** There is no other clock, so a pause looks like a step. */
    @Test
    void judgesEachMovementOfTheOnlyMaster() {
        FakeClocks one = new FakeClocks(1);
        one.readAll();
        one.pause(PAUSE);
        one.readAll();
        one.readAll();
        assertEquals(List.of(STEPPED), one.judgements());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void needsBothOfTwoMasters(boolean bothMove) {
        FakeClocks two = new FakeClocks(2);
        two.readAll();
        two.masters.forEach(master -> master.ahead = PAUSE);
        two.masters.get(1).ahead = bothMove ? PAUSE : Duration.ZERO;
        two.readAll();
        two.readAll();
        two.readAll();
        assertEquals(List.of(!bothMove), two.masters.get(0).judgements);
    }

    @ParameterizedTest
    @ValueSource(ints = {-2_000, -60, 60, 2_000})
    void detectsStepDuringSuspension(int millis) {
        world.pause(PAUSE);
        step(2, Duration.ofMillis(millis));
        IntStream.range(0, 3).forEach(i -> world.readAll());
        assertEquals(STEPPED, world.masters.get(2).judgements);
        assertEquals(STOPPED, world.masters.get(1).judgements);
    }

    /** The reply is on its way while the machine is suspended, so that it does not show the suspension. */
    @Test
    void acceptsSuspensionAfterReply() {
        Runnable reply = world.masters.get(4).ask(Duration.ZERO);
        world.pause(PAUSE);
        world.read(0, 1, 2, 3);
        reply.run();
        world.readAll();
        assertEquals(STOPPED, world.masters.get(4).judgements);
    }

    @Test
    void suspensionBeforeFirstReadingExplainsNothing() {
        FakeClocks later = new FakeClocks(5);
        later.pause(PAUSE);
        later.readAll();
        later.masters.get(0).ahead = PAUSE;
        later.readAll();
        later.readAll();
        later.readAll();
        assertEquals(STEPPED, later.masters.get(0).judgements);
    }

    private void step(int master, Duration ahead) {
        world.masters.get(master).ahead = ahead;
    }
}
