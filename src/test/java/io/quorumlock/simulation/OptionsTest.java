// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of a run. A run with an invalid option does not start, so it cannot pass by mistake. */
class OptionsTest {
    private final Properties properties = new Properties();

    @Test
    void hasDefaults() {
        assertArrayEquals(new long[] {1, 2, 3}, options().seeds(3).toArray());
        assertEquals(Optional.empty(), options().seed());
        assertEquals(Optional.empty(), options().mutant());
    }

    @Test
    void countsSeedsFromFirst() {
        properties.setProperty("simulation.first", "-1");
        properties.setProperty("simulation.seeds", " 3 ");
        assertArrayEquals(new long[] {-1, 0, 1}, options().seeds(10).toArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "", "1.5", "12x", "0x10", "9223372036854775808"})
    void rejectsSeedsThatAreNotNumbers(String text) {
        properties.setProperty("simulation.seed", text);
        assertRejected("simulation.seed must be a whole number, not \"" + text + "\"", () -> options()
                .seed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "10000001", "9223372036854775807"})
    void rejectsNumbersOfSeedsOutOfRange(String many) {
        properties.setProperty("simulation.seeds", many);
        assertRejected("simulation.seeds must be from 1 to 10000000, not " + many, () -> options()
                .seeds(1));
    }

    @Test
    void listsMutantsIfNameIsUnknown() {
        properties.setProperty("simulation.mutant", "R99");
        Exception refusal =
                assertThrows(IllegalArgumentException.class, () -> options().mutant());
        assertTrue(refusal.getMessage().startsWith("simulation.mutant must be one of [R1_"), refusal.getMessage());
        assertTrue(refusal.getMessage().endsWith("not \"R99\""), refusal.getMessage());
    }

    @Test
    void rejectsUnknownOptions() {
        properties.setProperty("simulation.sed", "7");
        String known = "simulation.first, simulation.mutant, simulation.seed, simulation.seeds";
        assertRejected("unknown property simulation.sed; known are " + known, this::options);
    }

    @ParameterizedTest
    @CsvSource({"'4164 # S1', 4164", "' 7', 7", "'# only a comment', ", "'', "})
    void readsSeedAndComment(String line, Long seed) {
        long[] expected = seed == null ? new long[0] : new long[] {seed};
        assertArrayEquals(expected, Seeds.read(Stream.of(line)).toArray());
    }

    @Test
    void reportsLinesThatAreNotSeeds() {
        assertRejected(
                "a line of /simulation/seeds.txt must be a whole number, not \"seed 7\"",
                () -> Seeds.read(Stream.of("1", "seed 7")));
    }

    private Options options() {
        return new Options(properties);
    }

    private static void assertRejected(String message, Executable reading) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, reading).getMessage());
    }
}
