// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

/**
 * The name of a key in files, logs and responses. Not a secret.
 *
 * @param text 1 to 64 ASCII letters, digits, dots, dashes and underscores
 */
public record KeyId(String text) {
    private static final int LONGEST = 64;

    public KeyId {
        boolean plain = text.chars()
                .allMatch(c -> c >= 'a' && c <= 'z'
                        || c >= 'A' && c <= 'Z'
                        || c >= '0' && c <= '9'
                        || c == '.'
                        || c == '-'
                        || c == '_');
        if (text.isEmpty() || text.length() > LONGEST || !plain) {
            throw new IllegalArgumentException(
                    "must be 1 to " + LONGEST + " ASCII letters, digits, dots, dashes and underscores");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
