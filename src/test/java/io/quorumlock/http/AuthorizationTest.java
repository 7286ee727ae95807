// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.http.keys.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** RFC 6750 and RFC 7617, as strictly as a key deserves. */
class AuthorizationTest {
    private static final String KEY = "canary+/0123456789abcdefghijklmnopqrstuvwxyz=";

    @Test
    void hasNoCredentialsWithoutHeader() {
        assertEquals(Optional.empty(), Authorization.read(List.of()));
    }

    @Test
    void readsKeyFromBearer() {
        for (String scheme : List.of("Bearer ", "bearer ", "BEARER   ", " Bearer ")) {
            assertEquals(
                    Optional.of(new Credentials(Optional.empty(), KEY)), Authorization.read(List.of(scheme + KEY)));
        }
    }

    @Test
    void readsIdAndKeyFromBasic() {
        Credentials ci = new Credentials(Optional.of("ci"), KEY);
        assertEquals(Optional.of(ci), Authorization.read(List.of("Basic " + base64("ci:" + KEY))));
        assertEquals(Optional.of(ci), Authorization.read(List.of("basic  " + base64("ci:" + KEY))));
    }

    static Stream<List<String>> malformed() {
        return Stream.concat(
                Stream.of(
                                "",
                                "Bearer",
                                "Bearer ",
                                KEY,
                                "Bearer:" + KEY,
                                "Bearer " + KEY + " x",
                                "Bearer " + KEY + "," + KEY,
                                "Bearer \"" + KEY + "\"",
                                "Bearer k\u00e9y-canary-0123456789abcdefghijklmnop",
                                "Bearer " + "x".repeat(31),
                                "Bearer " + "x".repeat(8_192),
                                "Bearer " + "=".repeat(40),
                                "Digest username=\"canary\"",
                                "Negotiate " + base64(KEY),
                                "Basic",
                                "Basic " + KEY + "!",
                                "Basic " + base64("ci"),
                                "Basic " + base64(KEY),
                                "Basic " + base64("ci:"),
                                "Basic " + base64("ci:\u0000" + KEY),
                                "Basic " + base64("x".repeat(8_192)),
                                "Basic =" + base64("ci:" + KEY))
                        .map(List::of),
                Stream.of(List.of("Bearer " + KEY, "Bearer " + KEY), List.of("Bearer " + KEY, "")));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void rejectsOtherValuesWithoutRepeatingThem(List<String> values) {
        String said = assertThrows(IllegalArgumentException.class, () -> Authorization.read(values))
                .getMessage();
        assertFalse(said.contains("canary"), said);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
