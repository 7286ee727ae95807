package io.quorumlock.rest;

/** The sanitizer for log values that clients chose. A value cannot end its quotes or its line. */
final class LogSanitizer {
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
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (isPrintable(c)) {
                quoted.appendCodePoint(c);
            } else {
                for (char half : Character.toChars(c)) {
                    quoted.append("\\u%04x".formatted((int) half));
                }
            }
        });
        return quoted.append('"').toString();
    }
}
