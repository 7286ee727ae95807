// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.rest.Problem.FieldError;
import io.quorumlock.security.KeyId;
import io.quorumlock.security.Verb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The answers that report a problem without an outcome of the engine. */
final class Problems {
    private static final String RETRY_AFTER = "Retry-After";
    static final String CHALLENGES = "Bearer realm=\"quorumlock\", Basic realm=\"quorumlock\", charset=\"UTF-8\"";

    private Problems() {}

    static Answer unauthorized(String detail) {
        return Answer.of(new Problem(ProblemType.UNAUTHORIZED, detail)).with("WWW-Authenticate", CHALLENGES);
    }

    /**
     * Returns the answer to a request that the rules of the key do not allow.
     *
     * @param kind "resource" or "prefix", the name of the member
     * @param name value of the member
     */
    static Answer forbidden(KeyId key, Verb verb, String kind, String name) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("key", key.text());
        members.put("verb", verb.label());
        members.put(kind, name);
        String detail = "The API key has no rule that allows " + verb.label() + " on this " + kind + ".";
        return Answer.of(new Problem(ProblemType.FORBIDDEN, detail, members));
    }

    static Answer tooManyRequests(KeyId key, Duration left) {
        String detail = "The API key " + key + " exceeded its quota of requests.";
        return Answer.of(new Problem(ProblemType.TOO_MANY_REQUESTS, detail))
                .with(RETRY_AFTER, Long.toString(Math.max(1, Milliseconds.seconds(left))));
    }

    static Answer tooManyWaitersOfKey(int most) {
        String detail = "Nothing was acquired. The API key may have at most " + most + " waiting requests.";
        return Answer.of(new Problem(ProblemType.TOO_MANY_WAITERS, detail)).with(RETRY_AFTER, "1");
    }

    static Answer invalidRequest(List<FieldError> errors) {
        String detail = errors.size() == 1
                ? errors.get(0).field() + " " + errors.get(0).detail() + "."
                : errors.size() + " fields are invalid.";
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
                new Problem(ProblemType.NOT_FOUND, "Locks are at /locks/{resource}, and their list is at /locks."));
    }

    static Answer methodNotAllowed(String allow) {
        return Answer.of(new Problem(ProblemType.METHOD_NOT_ALLOWED, "The path supports " + allow + "."))
                .with("Allow", allow);
    }

    static Answer tooManyStreams(int most) {
        return Answer.of(new Problem(ProblemType.TOO_MANY_STREAMS, "A replica has at most " + most + " event streams."))
                .with("Retry-After", "5");
    }

    static Answer tooManyStreamsOfKey(int most) {
        return Answer.of(new Problem(ProblemType.TOO_MANY_STREAMS, ofKey(most))).with("Retry-After", "5");
    }

    static Answer tooManySessionsOfKey(int most) {
        return Answer.of(new Problem(ProblemType.TOO_MANY_SESSIONS, ofKey(most)))
                .with("Retry-After", "5");
    }

    private static String ofKey(int most) {
        return "The API key may have at most " + most + " event streams and sessions on a replica.";
    }

    static Answer tooManySessions(int most) {
        return Answer.of(new Problem(ProblemType.TOO_MANY_SESSIONS, "A replica has at most " + most + " sessions."))
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
        return Answer.of(new Problem(ProblemType.REQUEST_TIMEOUT, "The body was not complete after " + seconds + " s."))
                .with("Connection", "close");
    }

    static Answer bodyTooLarge() {
        return Answer.of(
                new Problem(ProblemType.BODY_TOO_LARGE, "A body has at most " + RequestBody.MOST_BYTES + " bytes."));
    }

    static Answer headersTooLarge(int most) {
        return Answer.of(
                new Problem(ProblemType.HEADERS_TOO_LARGE, "All headers together have at most " + most + " bytes."));
    }

    static Answer crossOrigin() {
        return Answer.of(
                new Problem(
                        ProblemType.CROSS_ORIGIN,
                        "The request came from a page of another origin. The operator can allow origins with quarkus.http.cors."));
    }

    static Answer unknownHost(String host) {
        return Answer.of(new Problem(
                ProblemType.UNKNOWN_HOST,
                "This service is not known as " + LogSanitizer.quoted(host)
                        + ". The operator can add the name to quorumlock.security.hosts, or require API keys."));
    }

    static Answer internalError(String incident) {
        return Answer.of(new Problem(
                ProblemType.INTERNAL_ERROR,
                "The log of the service has the cause, with the incident id " + incident + ".",
                Map.of("incident", incident)));
    }
}
