// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Lua script. A master runs it atomically and identifies it by the SHA-1 of its text. */
enum LuaScript {
    ADMIT,
    ACQUIRE("", "holders", "grant", "acquire-held"),
    JOIN("holders", "grant"),
    EXTEND("holders"),
    RAISE("holders"),
    RELEASE("", "holders", "release-any"),
    INSPECT("holders"),
    SCAN("holders"),
    LISTENERS;

    private final String source;
    private final byte[] sha;

    /** @param functions the files with the functions that the script calls; after "" the parts of its function "others" */
    LuaScript(String... functions) {
        String before = Stream.of(functions)
                .filter(file -> !file.isEmpty())
                .map(LuaScript::load)
                .collect(Collectors.joining());
        boolean wrapped = functions.length > 0 && functions[0].isEmpty();
        source = (wrapped ? "local function others(...)\n" + before + "end\n" : before) + load(command());
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

    private static String load(String file) {
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
