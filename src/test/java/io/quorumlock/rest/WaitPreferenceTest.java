// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7240: a preference is optional, so invalid preferences are ignored. */
class WaitPreferenceTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wait=10 | 10",
                "wait=0 | 0",
                "WAIT = 7 | 7",
                "wait=\"3\" | 3",
                "respond-async, wait=10 | 10",
                "handling=lenient, wait=100, respond-async | 100",
                "wait=5;x=y | 5",
                "wait=1, wait=2 | 1",
                "wait=999999999 | 999999999"
            })
    void readsSeconds(String header, long seconds) {
        assertEquals(Optional.of(Duration.ofSeconds(seconds)), WaitPreference.read(List.of(header)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wait",
                "wait=",
                "wait=-1",
                "wait=1.5",
                "wait=1e3",
                "wait=ten",
                "wait=9999999999",
                "await=10",
                "handling=wait",
                "wait=-1, wait=2"
            })
    void ignoresInvalidPreferences(String header) {
        assertEquals(Optional.empty(), WaitPreference.read(List.of(header)));
    }

    @Test
    void usesFirstPreferenceOfSeveralHeaders() {
        assertEquals(
                Optional.of(Duration.ofSeconds(3)), WaitPreference.read(List.of("respond-async", "wait=3", "wait=4")));
    }
}
