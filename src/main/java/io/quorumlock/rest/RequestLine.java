package io.quorumlock.rest;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Reads the first line of a request. */
final class RequestLine {
    private RequestLine() {}

    /** Ends a request by another method. */
    static void requireMethod(HttpServerRequest request, List<String> methods) {
        if (!methods.contains(request.method().name())) {
            throw new Refusal(Problems.methodNotAllowed(String.join(", ", methods)));
        }
    }

    /** Finds the query, undecoded; empty if there is none. */
    static String query(HttpServerRequest request) {
        return request.query() == null ? "" : request.query();
    }
}
