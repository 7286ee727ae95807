// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

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
public enum LuaScript {
    ADMIT(read("admit")),
    /** All operations. Defines the function of a rare one when a batch first uses it. */
    BATCH("local function define(operation, clock)\n" + read("holders") + functions() + "end\n" + read("batch"));

    private final String source;
    private final byte[] sha;

    LuaScript(String source) {
        this.source = source;
        this.sha = sha1(source).getBytes(StandardCharsets.US_ASCII);
    }

    private static String functions() {
        return Arrays.stream(ScriptOperation.values())
                .map(operation -> operation.files().stream()
                        .map(LuaScript::read)
                        .collect(Collectors.joining(
                                "",
                                "if operation == '" + operation.command()
                                        + "' then return function(KEYS, ARGV, created)\n",
                                "end end\n")))
                .collect(Collectors.joining());
    }

    String source() {
        return source;
    }

    /** Returns the SHA-1 in hexadecimal digits, encoded once for all commands. */
    public byte[] sha() {
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
