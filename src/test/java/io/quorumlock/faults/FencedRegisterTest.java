package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FencedRegisterTest {
    private final FencedRegister register = new FencedRegister();

    @AfterEach
    void close() {
        register.close();
    }

    @Test
    void oneAfterTheOtherLosesNothing() {
        say("0", "r 1 a");
        say("1", "r 1 a 0");
        say("1", "r 2 b");
        say("2", "r 2 b 1");
        assertEquals(2, register.writes());
        assertEquals(0, register.lostUpdates());
    }

    @Test
    void aSmallerTokenIsRefusedOnceALargerWasSeen() {
        say("0", "r 1 a");
        say("0", "r 2 b");
        say(FencedRegister.REFUSED, "r 1 a 0");
        assertEquals(1, register.refusals());
    }

    @Test
    void theSameTokenOfAnotherLeaseIsRefused() {
        say("0", "r 1 a");
        say(FencedRegister.REFUSED, "r 1 b");
    }

    @Test
    void aWriteOnAnOldNumberIsALostUpdate() {
        say("1", "r 1 a 0");
        say("1", "r 2 b 0");
        assertEquals(1, register.lostUpdates());
    }

    private void say(String expected, String line) {
        assertEquals(expected, register.answer(List.of(line.split(" "))));
    }
}
