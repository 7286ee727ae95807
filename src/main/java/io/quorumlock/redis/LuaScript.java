// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** A Lua script. A master runs it atomically and identifies it by the SHA-1 of its text. */
enum LuaScript {
    ADMIT(List.of()),
    ACQUIRE(List.of(), "holders", "grant", "acquire-held"),
    JOIN(List.of(), "holders", "grant", "join-any"),
    EXTEND(List.of("holders")),
    RAISE(List.of("holders")),
    RELEASE(List.of(), "holders", "release-any"),
    INSPECT(List.of("holders")),
    SCAN(List.of("holders")),
    LISTENERS(List.of());

    private final String source;
    private final byte[] sha;

    /**
     * Reads the script.
     *
     * @param functions the files with the functions that it calls
     * @param others the files of its function "others", for the cases that are rare
     */
    LuaScript(List<String> functions, String... others) {
        String rest = others.length == 0 ? "" : "local function others(...)\n" + load(List.of(others)) + "end\n";
        source = load(functions) + rest + load(List.of(command()));
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

    private static String load(List<String> files) {
        return files.stream().map(LuaScript::read).collect(Collectors.joining());
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
