// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.http.Problem.FieldError;
import io.quorumlock.http.keys.KeyId;
import io.quorumlock.http.keys.Verb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The answers that report a problem without an outcome of the engine. */
public final class Problems {
    static final String CHALLENGES = "Bearer realm=\"quorumlock\", Basic realm=\"quorumlock\", charset=\"UTF-8\"";

    private Problems() {}

    static Answer unauthorized(String detail) {
        return Answer.of(ProblemType.UNAUTHORIZED, detail).with("WWW-Authenticate", CHALLENGES);
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
        String detail = "The API key has no rule that allows " + verb.label() + " on the " + kind + " "
                + LogSanitizer.quoted(name) + ".";
        return Answer.of(new Problem(ProblemType.FORBIDDEN, detail, members));
    }

    static Answer tooManyRequests(KeyId key, Duration left) {
        return Answer.of(ProblemType.TOO_MANY_REQUESTS, "The API key " + key + " exceeded its quota of requests.")
                .retryAfter(Math.max(1, TimeFormat.seconds(left)));
    }

    static Answer tooManyWaitersOfKey(int most) {
        String detail = "Nothing was acquired. The API key may have at most " + most + " waiting requests.";
        return Answer.of(ProblemType.TOO_MANY_WAITERS, detail).retryAfter(1);
    }

    /** @param type of the stream that was not opened */
    static Answer tooManyStreamsOfKey(ProblemType type, int most) {
        String detail = "The API key may have at most " + most + " event streams and sessions on a replica.";
        return Answer.of(type, detail).retryAfter(5);
    }

    /** @param type of the stream that was not opened */
    public static Answer tooManyStreams(ProblemType type, int most) {
        return Answer.of(type, "A replica has at most " + most + " of them.").retryAfter(5);
    }

    public static Answer shuttingDown(String consequence) {
        return Answer.of(ProblemType.SHUTTING_DOWN, consequence).retryAfter(1).with("Connection", "close");
    }

    static Answer overloaded() {
        return Answer.of(ProblemType.OVERLOADED, "Nothing was done.").retryAfter(1);
    }

    static Answer invalidRequest(List<FieldError> errors) {
        String detail = errors.size() == 1
                ? errors.get(0).field() + " " + errors.get(0).detail() + "."
                : errors.size() + " fields are invalid.";
        return Answer.of(new Problem(ProblemType.INVALID_REQUEST, detail, Map.of("errors", List.copyOf(errors))));
    }

    public static Answer invalidRequest(String field, String detail) {
        return invalidRequest(List.of(new FieldError(field, detail)));
    }

    static Answer bodyTooLarge() {
        return Answer.of(
                ProblemType.BODY_TOO_LARGE, "Nothing was done. A body has at most " + BytesReader.LONGEST + " bytes.");
    }

    public static Answer invalidResource(String detail) {
        return Answer.of(ProblemType.INVALID_RESOURCE, "The name " + detail + ".");
    }

    public static Answer notFound() {
        return Answer.of(
                ProblemType.NOT_FOUND,
                "Locks are at /locks/{name}, their list is at /locks, health is at /q/health, and metrics are at /q/metrics.");
    }

    static Answer methodNotAllowed(Route route) {
        String detail = "The path supports " + route.methods() + ".";
        if (route == Route.EXTENSION) {
            detail = "Extend with PUT /locks/{name}/extend."
                    + " The name of a lock must not end in the segment \"extend\".";
        } else if (route == Route.FENCE) {
            detail = "Check a fencing token with GET /locks/{name}/fence?token=n."
                    + " The name of a lock must not end in the segment \"fence\".";
        }
        return Answer.of(ProblemType.METHOD_NOT_ALLOWED, detail).with("Allow", route.methods());
    }

    static Answer crossOrigin() {
        return Answer.of(
                ProblemType.CROSS_ORIGIN,
                "The request came from a page of another origin. The operator can allow origins with"
                        + " quarkus.http.cors.");
    }

    static Answer unknownHost(String host) {
        return Answer.of(
                ProblemType.UNKNOWN_HOST,
                "This service is not known as " + LogSanitizer.quoted(host)
                        + ". The operator can add the name to quorumlock.security.hosts, or require API keys.");
    }

    static Answer internalError(String incident) {
        return Answer.of(new Problem(
                ProblemType.INTERNAL_ERROR,
                "The log of the service has the cause, with the incident id " + incident + ".",
                Map.of("incident", incident)));
    }
}
