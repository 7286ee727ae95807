package io.quorumlock.tracing;

import io.opentelemetry.context.propagation.TextMapGetter;
import io.vertx.core.http.HttpServerRequest;

/** Reads the headers of a request. */
enum TraceHeaders implements TextMapGetter<HttpServerRequest> {
    INSTANCE;

    @Override
    public Iterable<String> keys(HttpServerRequest request) {
        return request.headers().names();
    }

    @Override
    public String get(HttpServerRequest request, String name) {
        return request == null ? null : request.getHeader(name);
    }
}
