// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.testing.Proves;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Proves("R1")
class QuorumTest {

    @ParameterizedTest
    @CsvSource({"1,1", "3,2", "5,3", "7,4", "9,5"})
    void quorumIsMoreThanHalfOfTheConfiguredMasters(int total, int required) {
        assertEquals(required, new Quorum(total).required());
    }

    @Test
    void rejectsEvenNumberOfMasters() {
        assertThrows(IllegalArgumentException.class, () -> new Quorum(4));
        assertThrows(IllegalArgumentException.class, () -> new Quorum(0));
    }
}
