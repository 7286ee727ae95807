package io.quorumlock.rest;

import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jboss.logging.MDC;

/** Reads the id that a proxy or the client gave a request, so that its lines in all logs can be found. */
final class RequestId {
    private static final String HEADER = "X-Request-Id";
    private static final String KEY = "request_id";
    private static final int LONGEST = 128;

    private RequestId() {}

    static Optional<String> of(HttpServerRequest request) {
        String given = request.getHeader(HEADER);
        return given == null || given.isEmpty() || given.length() > LONGEST ? Optional.empty() : Optional.of(given);
    }

    /** Makes it part of what is logged while this request is on its loop. */
    static void mark(HttpServerRequest request) {
        of(request).ifPresent(id -> MDC.put(KEY, id));
    }
}
