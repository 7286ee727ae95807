package io.quorumlock.http;

import java.util.List;
import java.util.Map;

/** Makes the answers that report a problem with the request itself. */
final class Problems {
    private Problems() {}

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
