// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP response of the contract.
 *
 * @param body written as JSON; a {@link Problem} with its own media type, an {@link EventStream} as server-sent events
 * @param undelivered called if the response, or the first event of a stream, could not be written completely (R11)
 */
public record Answer(int status, Map<String, String> headers, Optional<Object> body, Optional<Runnable> undelivered) {
    public static final String JSON = "application/json";
    static final String PROBLEM_JSON = "application/problem+json";

    /** Forbids caching, because the state of a lock can change at any moment. */
    private static final Map<String, String> NOT_STORED = Map.of("Cache-Control", "no-store");

    public static Answer empty(int status) {
        return new Answer(status, NOT_STORED, Optional.empty(), Optional.empty());
    }

    public static Answer of(int status, Object body) {
        return new Answer(status, NOT_STORED, Optional.of(body), Optional.empty());
    }

    public static Answer of(EventStream events) {
        return of(200, events).with("X-Accel-Buffering", "no");
    }

    static Answer of(Problem problem) {
        return of(problem.kind().status(), problem);
    }

    public static Answer of(ProblemType type, String detail) {
        return of(new Problem(type, detail));
    }

    public Answer retryAfter(long seconds) {
        return with("Retry-After", Long.toString(seconds));
    }

    public Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, more, body, undelivered);
    }

    Answer with(Object otherBody) {
        return new Answer(status, headers, Optional.of(otherBody), undelivered);
    }

    public Answer ifUndelivered(Runnable action) {
        return new Answer(status, headers, body, Optional.of(action));
    }

    String contentType() {
        if (body.orElse(null) instanceof EventStream) {
            return EventStream.CONTENT_TYPE;
        }
        return body.orElse(null) instanceof Problem ? PROBLEM_JSON : JSON;
    }
}
