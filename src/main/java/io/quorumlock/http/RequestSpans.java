// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.UrlAttributes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The processor of HTTP spans: names a span by its route, and removes resource names and the query, which may have
 * tokens.
 */
@Singleton
final class RequestSpans implements SpanProcessor {
    private static final String REDACTED = "REDACTED";

    private final Routes routes;
    private final boolean resourceNames;

    RequestSpans(Routes routes, @ConfigProperty(name = "quorumlock.tracing.resource-names") boolean resourceNames) {
        this.routes = routes;
        this.resourceNames = resourceNames;
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        if (span.getKind() != SpanKind.SERVER) {
            return;
        }
        String path = span.getAttribute(UrlAttributes.URL_PATH);
        String route = routes.of(path == null ? "" : path).label();
        span.updateName(span.getName().split(" ", 2)[0] + " " + route);
        span.setAttribute(HttpAttributes.HTTP_ROUTE, route);
        if (!resourceNames && path != null) {
            span.setAttribute(UrlAttributes.URL_PATH, route);
        }
        if (span.getAttribute(UrlAttributes.URL_QUERY) != null) {
            span.setAttribute(UrlAttributes.URL_QUERY, REDACTED);
        }
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
        return false;
    }
}
