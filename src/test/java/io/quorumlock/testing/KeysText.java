// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A builder of key files as an operator would write them. */
public final class KeysText {
    public static final String ALICE = "alice-" + "a".repeat(40);
    public static final String BOB = "bob-" + "b".repeat(40);

    private KeysText() {}

    public static String file(String... keys) {
        return "{\"keys\": [" + String.join(",\n", keys) + "]}";
    }

    /** @param rules each {@code prefix:verb verb} */
    public static String key(String id, String secret, String... rules) {
        return limited(id, secret, "{}", rules);
    }

    public static String limited(String id, String secret, String quota, String... rules) {
        StringBuilder all = new StringBuilder();
        for (String rule : rules) {
            String[] parts = rule.split(":", -1);
            String verbs = parts[1].isEmpty() ? "" : "\"" + parts[1].replace(" ", "\", \"") + "\"";
            all.append(all.isEmpty() ? "" : ", ")
                    .append("{\"prefix\": \"" + parts[0] + "\", \"verbs\": [" + verbs + "]}");
        }
        return "{\"id\": \"" + id + "\", \"sha256\": \"" + sha256(secret) + "\", \"rules\": [" + all + "], \"quota\": "
                + quota + "}";
    }

    public static String sha256(String secret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
