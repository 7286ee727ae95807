package io.quorumlock.redis;

import java.util.regex.Pattern;

/** Writes the patterns by which Redis matches keys. */
final class KeyPattern {
    private static final Pattern SPECIAL = Pattern.compile("[\\\\*?\\[\\]]");

    private KeyPattern() {}

    /** Matches the keys that begin with the text, in which no character is special. */
    static String beginningWith(String text) {
        return SPECIAL.matcher(text).replaceAll("\\\\$0") + "*";
    }
}
