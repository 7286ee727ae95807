// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import java.util.List;
import java.util.Optional;

/**
 * The path of a request under /locks/.
 *
 * @param name of the resource, decoded, not yet checked
 * @param part the lock itself, or the part that the reserved segments after the name select
 */
record LockPath(String name, Part part) {
    static final String PREFIX = "/locks/";

    /** The lock, or a part of it. */
    enum Part {
        LOCK("", "POST", "GET", "DELETE"),
        EXTENSION("extend", "PUT"),
        EVENTS("events", "GET"),
        SESSION("session", "POST");

        private static final List<Part> RESERVED = List.of(EXTENSION, EVENTS, SESSION);

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
     * Parses the path as it came on the wire. Normalisation by the framework would map different names to the same one.
     *
     * @throws IllegalArgumentException with a message for the client
     */
    static LockPath parse(String rawPath) {
        String text = PercentEncoding.decode(rawPath.substring(PREFIX.length()));
        return reserved(text)
                .map(part -> new LockPath(withoutLast(text, part), part))
                .orElseGet(() -> new LockPath(text, Part.LOCK));
    }

    /** Returns the HTTP methods that the path supports. */
    List<String> methods() {
        return part.methods;
    }

    /** Returns the path with the name as one segment, which a path template can match. */
    String canonical() {
        String lock = PREFIX + PercentEncoding.encodePath(name).replace("/", "%2F");
        return part == Part.LOCK ? lock : lock + "/" + part.segment;
    }

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException with a message for the client
     */
    ResourceName resource() {
        reserved(name).ifPresent(last -> {
            throw new IllegalArgumentException("must not end in the reserved segment \"" + last.segment + "\"");
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
