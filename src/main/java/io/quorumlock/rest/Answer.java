package io.quorumlock.rest;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Is what goes back to the client: written the same way whether the request reached a resource or not.
 *
 * @param body to be written as JSON; a {@link Problem} is labelled as one
 */
record Answer(int status, Map<String, String> headers, Optional<Object> body) {
    static final String JSON = "application/json";
    static final String PROBLEM_JSON = "application/problem+json";

    /** What is true now need not be true a moment later. */
    private static final Map<String, String> NOT_STORED = Map.of("Cache-Control", "no-store");

    static Answer empty(int status) {
        return new Answer(status, NOT_STORED, Optional.empty());
    }

    static Answer of(int status, Object body) {
        return new Answer(status, NOT_STORED, Optional.of(body));
    }

    static Answer of(Problem problem) {
        return of(problem.kind().status(), problem);
    }

    Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, more, body);
    }

    String contentType() {
        return body.filter(Problem.class::isInstance).isPresent() ? PROBLEM_JSON : JSON;
    }
}
