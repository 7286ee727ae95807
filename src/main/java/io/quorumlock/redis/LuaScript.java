// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** A Lua script. A master runs it atomically and identifies it by the SHA-1 of its text. */
enum LuaScript {
    ADMIT("admit"),
    ACQUIRE("acquire", "holders", "grant", "acquire-held"),
    JOIN("join", "holders", "grant", "join-any"),
    EXTEND("holders", "extend"),
    RAISE("holders", "raise"),
    RELEASE("release", "holders", "release-any"),
    INSPECT("holders", "inspect"),
    SCAN("holders", "scan"),
    LISTENERS("listeners");

    private final String source;
    private final byte[] sha;

    /** Reads the files, which follow each other in the script. The last ones are reached by rare cases only. */
    LuaScript(String... files) {
        source = Arrays.stream(files).map(LuaScript::read).collect(Collectors.joining());
        sha = sha1(source).getBytes(StandardCharsets.US_ASCII);
    }

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

    private static String read(String file) {
        try (InputStream in = LuaScript.class.getResourceAsStream("/redis/" + file + ".lua")) {
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
