// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentEncodingTest {
    @ParameterizedTest
    @CsvSource({
        "orders/42, orders/42",
        "a%2Fb, a/b",
        "a%2fb, a/b",
        "a%252Fb, a%2Fb",
        "a+b, a+b",
        "a;b=1, a;b=1",
        "%61, a",
        "caf%C3%A9, café",
        "%F0%9F%98%80, 😀",
        "%e2%82%ac, €",
    })
    void decodesEscapesOnce(String raw, String text) {
        assertEquals(text, PercentEncoding.decode(raw));
    }

    /** curl sends names without escaping them. */
    @ParameterizedTest
    @CsvSource({"caf\u00c3\u00a9, café", "\u00f0\u009f\u0098\u0080, 😀"})
    void decodesUnescapedBytesAsUtf8(String raw, String text) {
        assertEquals(text, PercentEncoding.decode(raw));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%",
                "a%",
                "%0",
                "%zz",
                "%0g",
                "%-1",
                "%+1",
                "%%41",
                "% 1", // invalid escapes
                "%ff",
                "%c3",
                "%c3x",
                "%80",
                "%fe%ff", // invalid UTF-8
                "%c0%af",
                "%c1%81",
                "%e0%80%af",
                "%f0%80%80%af", // overlong encodings
                "%ed%a0%80",
                "%ed%b0%80",
                "%f4%90%80%80", // surrogates, and beyond the last code point
                "\u00ff",
                "a#b",
                "\u0141",
                "%\uff11\uff12", // unescaped characters, and digits of another script
            })
    void rejectsInvalidEncodings(String raw) {
        assertThrows(IllegalArgumentException.class, () -> PercentEncoding.decode(raw));
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders/42", "a b", "café", "😀", "a%2Fb", "a+b;c=d?e#f", "\"<>\\^`{|}", "~._-"})
    void decodingReversesEncoding(String text) {
        assertEquals(text, PercentEncoding.decode(PercentEncoding.encodePath(text)));
    }

    @ParameterizedTest
    @CsvSource({"orders/42, orders/42", "a b, a%20b", "a;b, a%3Bb", "a+b, a%2Bb", "é, %C3%A9"})
    void encodesAllButUnreservedCharactersAndSlashes(String text, String encoded) {
        assertEquals(encoded, PercentEncoding.encodePath(text));
    }
}
