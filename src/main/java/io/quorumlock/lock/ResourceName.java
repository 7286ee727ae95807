// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/**
 * The name of a lockable resource.
 *
 * @param text one or more segments joined by "/", normalised to NFC, case-sensitive, at most 512 bytes of UTF-8,
 *     without empty and dot segments, control characters and unpaired surrogates
 */
public record ResourceName(String text) {
    static final int MOST_BYTES = 512;

    public ResourceName {
        text = normalised(text);
        for (String segment : text.split("/", -1)) {
            checkSegment(segment);
        }
    }

    /** Normalises a name or a part of one, and checks the rules common to both. */
    static String normalised(String given) {
        if (isVisibleAscii(given)) {
            return bounded(given, given.length());
        }
        // Normalization takes quadratic time for many combining marks, and makes a text at most four times shorter.
        bounded(given, given.length() / 4);
        String text = Normalizer.normalize(given, Normalizer.Form.NFC);
        if (text.chars().anyMatch(ResourceName::isControl)) {
            throw new IllegalArgumentException("must not contain control characters");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("must be valid Unicode");
        }
        return bounded(text, text.getBytes(StandardCharsets.UTF_8).length);
    }

    private static String bounded(String text, int bytes) {
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("must have at most " + MOST_BYTES + " bytes in UTF-8");
        }
        return text;
    }

    /** Nearly all names are visible ASCII, which needs no normalisation. */
    private static boolean isVisibleAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    static void checkSegment(String segment) {
        if (segment.isEmpty()) {
            throw new IllegalArgumentException("must not be empty or contain an empty segment");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw new IllegalArgumentException("must not contain the segment \"" + segment + "\"");
        }
    }

    private static boolean isControl(int c) {
        return Character.getType(c) == Character.CONTROL
                || Character.getType(c) == Character.LINE_SEPARATOR
                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
    }

    @Override
    public String toString() {
        return text;
    }
}
