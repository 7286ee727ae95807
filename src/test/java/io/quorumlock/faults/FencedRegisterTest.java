// SPDX-License-Identifier: Apache-2.0
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
    void successiveHoldersLoseNoUpdates() {
        assertAnswer("0", "r 1 a");
        assertAnswer("1", "r 1 a 0");
        assertAnswer("1", "r 2 b");
        assertAnswer("2", "r 2 b 1");
        assertEquals(2, register.writes());
        assertEquals(0, register.lostUpdates());
    }

    @Test
    void rejectsSmallerTokens() {
        assertAnswer("0", "r 1 a");
        assertAnswer("0", "r 2 b");
        assertAnswer(FencedRegister.REFUSED, "r 1 a 0");
        assertEquals(1, register.refusals());
    }

    @Test
    void rejectsEqualTokenOfAnotherLease() {
        assertAnswer("0", "r 1 a");
        assertAnswer(FencedRegister.REFUSED, "r 1 b");
    }

    @Test
    void countsWriteOnOldNumberAsLostUpdate() {
        assertAnswer("1", "r 1 a 0");
        assertAnswer("1", "r 2 b 0");
        assertEquals(1, register.lostUpdates());
    }

    private void assertAnswer(String expected, String line) {
        assertEquals(expected, register.answer(List.of(line.split(" "))));
    }
}
