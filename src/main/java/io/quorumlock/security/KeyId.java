package io.quorumlock.security;

/**
 * Names a key in files, logs and answers: no secret.
 *
 * @param text 1 to 64 letters, digits, dots, dashes and underscores of ASCII, so that it fits a user name and a line of a log
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
