// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

/**
 * The reason for a forced release, for the log.
 *
 * @param text 1 to 256 printable characters
 */
public record ForceReason(String text) {
    private static final int LONGEST = 256;

    public ForceReason {
        if (text.isBlank() || text.length() > LONGEST) {
            throw new IllegalArgumentException("must have 1 to " + LONGEST + " characters, and not only spaces");
        }
        if (!text.codePoints().allMatch(LogSanitizer::isPrintable)) {
            throw new IllegalArgumentException("must not contain line breaks, control characters or format characters");
        }
    }
}
