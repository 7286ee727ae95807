package io.quorumlock.rest;

import io.quorumlock.security.KeyId;
import io.quorumlock.security.Verb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the answers that report a problem with the request itself. */
final class Problems {
    private static final String RETRY_AFTER = "Retry-After";
    private static final String CHALLENGES =
            "Bearer realm=\"quorumlock\", Basic realm=\"quorumlock\", charset=\"UTF-8\"";

    private Problems() {}

    static Answer unauthorized(String detail) {
        return Answer.of(new Problem(ProblemType.UNAUTHORIZED, detail)).with("WWW-Authenticate", CHALLENGES);
    }

    /** @param kind of what the verb was meant for: the name of the member that says it */
    static Answer forbidden(KeyId key, Verb verb, String kind, String name) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("key", key.text());
        members.put("verb", verb.label());
        members.put(kind, name);
        String detail = "The key has no rule that allows " + verb.label() + " on this " + kind + ".";
        return Answer.of(new Problem(ProblemType.FORBIDDEN, detail, members));
    }

    static Answer tooManyRequests(KeyId key, Duration left) {
        String detail = "The key " + key + " is used more often than its quota allows.";
        return Answer.of(new Problem(ProblemType.TOO_MANY_REQUESTS, detail))
                .with(RETRY_AFTER, Long.toString(Math.max(1, Milliseconds.seconds(left))));
    }

    static Answer tooManyWrongKeys(Duration left) {
        return Answer.of(new Problem(ProblemType.TOO_MANY_WRONG_KEYS, "The key was not looked at."))
                .with(RETRY_AFTER, Long.toString(Math.max(1, Milliseconds.seconds(left))));
    }

    static Answer tooManyWaitWith(int most) {
        String detail = "Nothing was acquired. The key may wait " + most + " times at a time.";
        return Answer.of(new Problem(ProblemType.TOO_MANY_WAITERS, detail)).with(RETRY_AFTER, "1");
    }

    static Answer invalidRequest(List<FieldError> errors) {
        String detail = errors.size() == 1
                ? errors.get(0).field() + " " + errors.get(0).detail() + "."
                : errors.size() + " fields are wrong.";
        return Answer.of(new Problem(ProblemType.INVALID_REQUEST, detail, Map.of("errors", List.copyOf(errors))));
    }

    static Answer invalidRequest(String field, String detail) {
        return invalidRequest(List.of(new FieldError(field, detail)));
    }

    static Answer invalidResource(String detail) {
        return Answer.of(new Problem(ProblemType.INVALID_RESOURCE, "The name " + detail + "."));
    }

    static Answer notFound() {
        return Answer.of(
                new Problem(ProblemType.NOT_FOUND, "A lock is at /locks/{resource}, the list of locks at /locks."));
    }

    static Answer methodNotAllowed(String allow) {
        return Answer.of(new Problem(ProblemType.METHOD_NOT_ALLOWED, "It takes " + allow + "."))
                .with("Allow", allow);
    }

    static Answer tooManyStreams(int most) {
        return Answer.of(new Problem(ProblemType.TOO_MANY_STREAMS, "A replica writes " + most + " at a time."))
                .with("Retry-After", "5");
    }

    static Answer tooManySessions(int most) {
        return Answer.of(new Problem(ProblemType.TOO_MANY_SESSIONS, "A replica keeps " + most + " at a time."))
                .with("Retry-After", "5");
    }

    static Answer noStreamsAnyMore() {
        return Answer.of(new Problem(ProblemType.SHUTTING_DOWN, "No stream was opened."))
                .with("Retry-After", "1")
                .with("Connection", "close");
    }

    static Answer shuttingDown() {
        return Answer.of(new Problem(ProblemType.SHUTTING_DOWN, "Nothing was done."))
                .with("Retry-After", "1")
                .with("Connection", "close");
    }

    static Answer overloaded() {
        return Answer.of(new Problem(ProblemType.OVERLOADED, "Nothing was done."))
                .with("Retry-After", "1");
    }

    static Answer tooSlow(long seconds) {
        return Answer.of(new Problem(
                        ProblemType.REQUEST_TIMEOUT, "The body was not there as a whole after " + seconds + " s."))
                .with("Connection", "close");
    }

    static Answer bodyTooLarge() {
        return Answer.of(
                new Problem(ProblemType.BODY_TOO_LARGE, "It must have at most " + RequestBody.MOST_BYTES + " bytes."));
    }

    static Answer headersTooLarge(int most) {
        return Answer.of(
                new Problem(ProblemType.HEADERS_TOO_LARGE, "Together they must have at most " + most + " bytes."));
    }

    static Answer internalError(String incident) {
        return Answer.of(new Problem(
                ProblemType.INTERNAL_ERROR,
                "The log has the cause under the incident " + incident + ".",
                Map.of("incident", incident)));
    }
}
