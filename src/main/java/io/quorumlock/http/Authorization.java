// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.http.keys.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the header Authorization: {@code Bearer <key>}, or {@code Basic} with the key's id and the key (RFC 6750, RFC 7617). */
final class Authorization {
    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";
    /** Long enough that nobody chose it: a hash without salt protects only what was drawn at random. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._~+/-]{32,128}={0,2}");

    private Authorization() {}

    /**
     * Reads it; empty where there is none.
     *
     * @throws IllegalArgumentException with a sentence for people, which repeats nothing of the header
     */
    static Optional<Credentials> read(List<String> values) {
        if (values.isEmpty()) {
            return Optional.empty();
        }
        if (values.size() > 1) {
            throw malformed();
        }
        String value = values.get(0).strip();
        String lower =
                value.substring(0, Math.min(value.length(), BEARER.length())).toLowerCase(Locale.ROOT);
        if (lower.startsWith(BEARER)) {
            return Optional.of(new Credentials(Optional.empty(), key(value.substring(BEARER.length()))));
        }
        if (lower.startsWith(BASIC)) {
            return Optional.of(basic(value.substring(BASIC.length()).strip()));
        }
        throw malformed();
    }

    private static Credentials basic(String encoded) {
        String decoded;
        try {
            decoded = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
        int colon = decoded.indexOf(':');
        if (colon < 0) {
            throw malformed();
        }
        return new Credentials(Optional.of(decoded.substring(0, colon)), key(decoded.substring(colon + 1)));
    }

    private static String key(String text) {
        String key = text.strip();
        if (!KEY.matcher(key).matches()) {
            throw malformed();
        }
        return key;
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "The header Authorization must be given once, as Bearer and a key, or as Basic"
                        + " with the id of a key and the key; a key has 32 to 128 letters, digits and any of -._~+/=.");
    }
}
