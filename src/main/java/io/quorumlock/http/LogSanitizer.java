// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

/** The sanitizer for values in logs and texts that clients chose. A value cannot end its quotes or its line. */
public final class LogSanitizer {
    private LogSanitizer() {}

    static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** Returns the text in quotes. Escapes quotes, backslashes and unprintable characters as in JSON. */
    public static String quoted(String text) {
        return '"' + escaped(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** Escapes unprintable characters as in JSON. */
    static String escaped(String text) {
        if (text.codePoints().allMatch(LogSanitizer::isPrintable)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> {
            if (isPrintable(c)) {
                escaped.appendCodePoint(c);
            } else {
                for (char half : Character.toChars(c)) {
                    escaped.append("\\u%04x".formatted((int) half));
                }
            }
        });
        return escaped.toString();
    }
}
