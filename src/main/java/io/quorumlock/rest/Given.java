package io.quorumlock.rest;

/** Is one value as a client gave it, before anybody knows what the field must be. */
record Given(Source source, Kind kind, String text) {
    /** Tells where it was given. */
    enum Source {
        HEADER,
        QUERY,
        BODY
    }

    /** Tells what it can be read as: text of a header or a query as anything, a value of JSON only as what it is. */
    enum Kind {
        UNTYPED,
        WHOLE_NUMBER,
        STRING,
        BOOLEAN,
        OTHER
    }

    boolean isText() {
        return kind == Kind.UNTYPED || kind == Kind.STRING;
    }

    boolean isTrueOrFalse() {
        boolean spelled = text.equals("true") || text.equals("false");
        return kind == Kind.BOOLEAN || kind == Kind.UNTYPED && spelled;
    }

    /** Says whether it has the form of a whole number in JSON: no sign but "-", no leading zero. */
    boolean isWholeNumber() {
        return kind == Kind.WHOLE_NUMBER || kind == Kind.UNTYPED && isWholeNumber(text);
    }

    private static boolean isWholeNumber(String text) {
        int first = text.startsWith("-") ? 1 : 0;
        if (first == text.length() || text.charAt(first) == '0' && text.length() > first + 1) {
            return false;
        }
        return text.chars().skip(first).allMatch(c -> c >= '0' && c <= '9');
    }
}
