package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import java.util.List;
import java.util.Optional;

/**
 * Is what the path under /locks/ says.
 *
 * @param name of the resource, decoded, not yet checked
 * @param part of the lock that is meant: what is reserved followed the name, or nothing
 */
record LockPath(String name, Part part) {
    static final String PREFIX = "/locks/";

    /** Is the lock, or what is beside it. */
    enum Part {
        LOCK("", "POST", "GET", "DELETE"),
        EXTENSION("extend", "PUT"),
        EVENTS("events", "GET"),
        SESSION("session", "POST"),
        BEAT("session/beat", "POST");

        private static final List<Part> RESERVED = List.of(EXTENSION, EVENTS, SESSION, BEAT);

        private final String segment;
        private final List<String> methods;

        Part(String segment, String... methods) {
            this.segment = segment;
            this.methods = List.of(methods);
        }

        private boolean ends(String text) {
            return text.endsWith(segment)
                    && (text.length() == segment.length() || text.charAt(text.length() - segment.length() - 1) == '/');
        }
    }

    /**
     * Reads the path as it came on the wire: a framework's form of it is normalised, so other names become the same.
     *
     * @throws IllegalArgumentException with a sentence for people
     */
    static LockPath parse(String rawPath) {
        String text = PercentEncoding.decode(rawPath.substring(PREFIX.length()));
        return reserved(text)
                .map(part -> new LockPath(withoutLast(text, part), part))
                .orElseGet(() -> new LockPath(text, Part.LOCK));
    }

    /** Lists the methods that the path takes. */
    List<String> methods() {
        return part.methods;
    }

    /** Returns the path with the name as one segment, which a template matches at once. */
    String canonical() {
        String lock = PREFIX + PercentEncoding.encodePath(name).replace("/", "%2F");
        return part == Part.LOCK ? lock : lock + "/" + part.segment;
    }

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException with a sentence for people
     */
    ResourceName resource() {
        reserved(name).ifPresent(last -> {
            throw new IllegalArgumentException("must not end in the reserved \"" + last.segment + "\"");
        });
        return new ResourceName(name);
    }

    private static Optional<Part> reserved(String text) {
        for (Part part : Part.RESERVED) {
            if (part.ends(text)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    private static String withoutLast(String text, Part part) {
        return text.substring(0, Math.max(0, text.length() - part.segment.length() - 1));
    }
}
