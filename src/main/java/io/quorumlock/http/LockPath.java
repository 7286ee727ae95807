package io.quorumlock.http;

import io.quorumlock.lock.ResourceName;
import java.util.List;

/**
 * Is what the path under /locks/ says.
 *
 * @param name of the resource, decoded, not yet checked
 * @param extend whether the reserved last segment "extend" followed the name
 */
record LockPath(String name, boolean extend) {
    static final String PREFIX = "/locks/";
    private static final String EXTEND = "extend";
    private static final List<String> ON_THE_LOCK = List.of("POST", "GET", "DELETE");
    private static final List<String> ON_ITS_EXTENSION = List.of("PUT");

    /**
     * Reads the path as it came on the wire: a framework's form of it is normalised, so other names become the same.
     *
     * @throws IllegalArgumentException with a sentence for people
     */
    static LockPath parse(String rawPath) {
        String text = PercentEncoding.decode(rawPath.substring(PREFIX.length()));
        return endsReserved(text) ? new LockPath(withoutLast(text), true) : new LockPath(text, false);
    }

    /** Lists the methods that the path takes. */
    List<String> methods() {
        return extend ? ON_ITS_EXTENSION : ON_THE_LOCK;
    }

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException with a sentence for people
     */
    ResourceName resource() {
        if (endsReserved(name)) {
            throw new IllegalArgumentException("must not end in the reserved segment \"" + EXTEND + "\"");
        }
        return new ResourceName(name);
    }

    private static boolean endsReserved(String text) {
        return text.endsWith(EXTEND)
                && (text.length() == EXTEND.length() || text.charAt(text.length() - EXTEND.length() - 1) == '/');
    }

    private static String withoutLast(String text) {
        return text.substring(0, Math.max(0, text.length() - EXTEND.length() - 1));
    }
}
