package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockPathTest {
    @ParameterizedTest
    @CsvSource({
        "/locks/a, a, false",
        "/locks/a/b, a/b, false",
        "/locks/a%2Fb, a/b, false",
        "/locks/a/extend, a, true",
        "/locks/a/b/extend, a/b, true",
        "/locks/a%2Fextend, a, true",
        "/locks/a/%65xtend, a, true",
        "/locks/extend/a, extend/a, false",
        "/locks/a/Extend, a/Extend, false",
        "/locks/extended, extended, false",
        "/locks/a/xextend, a/xextend, false",
        "/locks/a/extend;v=1, a/extend;v=1, false",
    })
    void theLastSegmentSaysWhatIsAsked(String raw, String name, boolean extend) {
        assertEquals(new LockPath(name, extend), LockPath.parse(raw));
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
                "/locks/extend/extend",
                "/locks/a/extend/extend",
            })
    void whatIsNoNameIsRefused(String raw) {
        assertThrows(IllegalArgumentException.class, () -> LockPath.parse(raw).resource());
    }

    @ParameterizedTest
    @CsvSource({"/locks/a, 'POST, GET, DELETE'", "/locks/a/extend, PUT", "/locks/extend, PUT"})
    void eachPathHasItsMethods(String raw, String allow) {
        assertEquals(allow, String.join(", ", LockPath.parse(raw).methods()));
    }
}
