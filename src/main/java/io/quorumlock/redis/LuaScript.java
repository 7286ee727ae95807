// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script. A master runs it atomically and identifies it by the SHA-1 of its text. */
enum LuaScript {
    ADMIT,
    ACQUIRE,
    EXTEND,
    RAISE,
    RELEASE,
    INSPECT,
    SCAN,
    LISTENERS;

    private final String source = load("/redis/" + command() + ".lua");
    private final byte[] sha = sha1(source).getBytes(StandardCharsets.US_ASCII);

    /** Returns the name of the script in metrics. */
    String command() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    String source() {
        return source;
    }

    /** Returns the SHA-1 in hexadecimal digits, encoded once for all commands. */
    byte[] sha() {
        return sha;
    }

    private static String load(String resource) {
        try (InputStream in = LuaScript.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
