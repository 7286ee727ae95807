package io.quorumlock.rest;

/** Reads the fields of a query, in which "+" is a plus and a space is %20, as in a path. */
final class QueryFields {
    private QueryFields() {}

    /** Reads {@code query}, as it came on the wire, into {@code fields}. */
    static void read(String query, Fields fields) {
        int start = 0;
        while (start < query.length()) {
            int end = query.indexOf('&', start);
            if (end < 0) {
                end = query.length();
            }
            if (end > start) {
                readPair(query.substring(start, end), fields);
            }
            start = end + 1;
        }
    }

    private static void readPair(String pair, Fields fields) {
        int equals = pair.indexOf('=');
        String name = "query";
        try {
            name = PercentEncoding.decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : PercentEncoding.decode(pair.substring(equals + 1));
            fields.add(name, new Given(Given.Source.QUERY, Given.Kind.UNTYPED, value));
        } catch (IllegalArgumentException e) {
            fields.refuse(name, e.getMessage());
        }
    }
}
