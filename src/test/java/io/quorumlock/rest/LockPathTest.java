// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockPathTest {
    @ParameterizedTest
    @CsvSource({
        "/locks/a, a, LOCK",
        "/locks/a/b, a/b, LOCK",
        "/locks/a%2Fb, a/b, LOCK",
        "/locks/a/extend, a, EXTENSION",
        "/locks/a/b/extend, a/b, EXTENSION",
        "/locks/a%2Fextend, a, EXTENSION",
        "/locks/a/%65xtend, a, EXTENSION",
        "/locks/a/events, a, EVENTS",
        "/locks/a/session, a, SESSION",
        "/locks/a%2Fsession, a, SESSION",
        "/locks/session/a, session/a, LOCK",
        "/locks/events/a, events/a, LOCK",
        "/locks/a/xevents, a/xevents, LOCK",
        "/locks/extend/a, extend/a, LOCK",
        "/locks/a/Extend, a/Extend, LOCK",
        "/locks/extended, extended, LOCK",
        "/locks/a/xextend, a/xextend, LOCK",
        "/locks/a/extend;v=1, a/extend;v=1, LOCK",
    })
    void lastSegmentSelectsOperation(String raw, String name, LockPath.Part part) {
        assertEquals(new LockPath(name, part), LockPath.parse(raw));
        assertEquals(name, LockPath.parse(raw).resource().text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/locks/",
                "/locks//a",
                "/locks/a/",
                "/locks/a//b",
                "/locks/%2F",
                "/locks/.",
                "/locks/a/../b",
                "/locks/%2e%2e/x",
                "/locks/%00",
                "/locks/a%0d%0ab",
                "/locks/%",
                "/locks/extend",
                "/locks//extend",
                "/locks/a//extend",
                "/locks/events",
                "/locks/session",
                "/locks/a/events/session",
                "/locks/a/extend/events",
                "/locks/extend/extend",
                "/locks/a/extend/extend",
            })
    void rejectsInvalidNames(String raw) {
        assertThrows(IllegalArgumentException.class, () -> LockPath.parse(raw).resource());
    }

    @ParameterizedTest
    @CsvSource({
        "/locks/a, 'POST, GET, DELETE'",
        "/locks/a/extend, PUT",
        "/locks/extend, PUT",
        "/locks/a/events, GET",
        "/locks/a/session, POST"
    })
    void listsMethodsOfEachPath(String raw, String allow) {
        assertEquals(allow, String.join(", ", LockPath.parse(raw).methods()));
    }
}
