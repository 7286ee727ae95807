// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jboss.logging.MDC;

/** The id in the header X-Request-Id, which a proxy or the client sets to find the log lines of a request. */
final class RequestId {
    private static final String HEADER = "X-Request-Id";
    private static final String KEY = "request_id";
    private static final int LONGEST = 128;

    private RequestId() {}

    static Optional<String> of(HttpServerRequest request) {
        String given = request.getHeader(HEADER);
        return given == null || given.isEmpty() || given.length() > LONGEST ? Optional.empty() : Optional.of(given);
    }

    /** Adds the id to the log lines that are written while this request is processed on its event loop. */
    static void mark(HttpServerRequest request) {
        of(request).ifPresent(id -> MDC.put(KEY, id));
    }
}
