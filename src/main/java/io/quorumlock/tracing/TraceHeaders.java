package io.quorumlock.tracing;

import io.opentelemetry.context.propagation.TextMapGetter;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/** Reads whose trace a request goes on with. What else other tools say to each other about it would be sent on unseen. */
enum TraceHeaders implements TextMapGetter<HttpServerRequest> {
    INSTANCE;

    private static final String CALLER = "traceparent";

    @Override
    public Iterable<String> keys(HttpServerRequest request) {
        return Set.of(CALLER);
    }

    @Override
    public String get(HttpServerRequest request, String name) {
        return request != null && CALLER.equals(name) ? request.getHeader(name) : null;
    }
}
