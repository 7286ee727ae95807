// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.quorumlock.core.lock.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The SHA-256 of an API key. Slow, salted hashes are for passwords, which can be guessed. A key has 256 random bits,
 * and a slow hash on each request would help denial-of-service attacks.
 */
final class KeyHash {
    private static final int BYTES = 32;
    private static final KeyHash OF_NOTHING = of("");

    private final byte[] digest;

    private KeyHash(byte[] digest) {
        this.digest = digest;
    }

    /** Parses the output of {@code sha256sum}. */
    static KeyHash parse(String hex) {
        if (hex.length() != 2 * BYTES || !hex.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("must be the SHA-256 of a key: 64 hexadecimal digits");
        }
        KeyHash hash = new KeyHash(HexFormat.of().parseHex(hex));
        if (hash.equals(OF_NOTHING)) {
            throw new IllegalArgumentException("is the SHA-256 of an empty input; hash the key itself");
        }
        return hash;
    }

    static KeyHash of(String key) {
        return new KeyHash(Sha256.of(key.getBytes(StandardCharsets.UTF_8)));
    }

    /** Compares in constant time. */
    boolean matches(KeyHash other) {
        return MessageDigest.isEqual(digest, other.digest);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyHash hash && matches(hash);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
        return "KeyHash[hidden]";
    }
}
