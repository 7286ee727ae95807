// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcePrefixTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/", "a/b", ".", "..", "a/.", "a/..", "...", "*", "[a-z]?\\", "extend", "é/ "})
    void acceptsPrefixesOfValidNames(String text) {
        assertEquals(text, new ResourcePrefix(text).text());
        assertTrue(new ResourcePrefix(text).begins(new ResourceName(text + "x").text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/a", "a//", "a//b", "./", "../a", "a/./b", "\u0000", "a\n", "\u0085", "\ufffd", "\ud800"})
    void rejectsTextsThatNoNameStartsWith(String text) {
        assertThrows(IllegalArgumentException.class, () -> new ResourcePrefix(text));
    }

    @Test
    void comparesTextsAsTheyAre() {
        assertFalse(new ResourcePrefix("e\u0301").begins("\u00e9t\u00e9"));
    }

    @Test
    void rejectsPrefixesLongerThanNames() {
        assertEquals(512, new ResourcePrefix("n".repeat(512)).text().length());
        assertThrows(IllegalArgumentException.class, () -> new ResourcePrefix("n".repeat(513)));
    }

    @Test
    void distinguishesCase() {
        assertFalse(new ResourcePrefix("A").begins("a"));
    }
}
