package io.quorumlock.rest;

import java.util.Optional;

/**
 * A server-sent event or a comment.
 *
 * @param fields the lines before the data
 * @param data written as JSON
 */
record SentEvent(String fields, Optional<Object> data) {
    static SentEvent comment(String text) {
        return new SentEvent(": " + text, Optional.empty());
    }

    static SentEvent of(String name, Object data) {
        return new SentEvent("event: " + name, Optional.of(data));
    }

    static SentEvent of(String id, String name, Object data) {
        return new SentEvent("id: " + id + "\nevent: " + name, Optional.of(data));
    }
}
