package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import org.jboss.logging.MDC;

/** Makes each request a span, which goes on with the trace of its caller, and its trace part of what is logged. */
final class RequestSpans implements Handler<RoutingContext> {
    /** Just before our own gate. */
    static final int PRIORITY = 60;

    private static final String TRACE_ID = "trace_id";
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");
    private static final int FIRST_SERVER_ERROR = 500;

    private final Tracer tracer;
    private final boolean resourceNames;

    RequestSpans(Tracer tracer, boolean resourceNames) {
        this.tracer = tracer;
        this.resourceNames = resourceNames;
    }

    @Override
    public void handle(RoutingContext exchange) {
        Route.of(exchange.request().path()).ifPresent(route -> open(route, exchange));
        exchange.next();
    }

    private void open(String route, RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        Context caller =
                W3CTraceContextPropagator.getInstance().extract(Context.root(), request, TraceHeaders.INSTANCE);
        Span span = start(route, request, caller);
        Origin.bind(caller.with(span));
        MDC.put(TRACE_ID, span.getSpanContext().getTraceId());
        exchange.addEndHandler(end -> end(span, exchange.response(), end));
    }

    /** Tells nothing that a client could have put a secret into: no query, no header but the host. */
    private Span start(String route, HttpServerRequest request, Context caller) {
        String given = request.method().name();
        String method = METHODS.contains(given) ? given : "_OTHER";
        SpanBuilder builder = tracer.spanBuilder((METHODS.contains(given) ? given : "HTTP") + " " + route)
                .setSpanKind(SpanKind.SERVER)
                .setParent(caller)
                .setAttribute(Keys.METHOD, method)
                .setAttribute(Keys.ROUTE, route)
                .setAttribute(Keys.SCHEME, request.scheme());
        if (request.authority() != null) {
            builder.setAttribute(Keys.SERVER, request.authority().host());
            if (request.authority().port() > 0) {
                builder.setAttribute(Keys.PORT, (long) request.authority().port());
            }
        }
        if (resourceNames) {
            builder.setAttribute(Keys.PATH, request.path());
        }
        return builder.startSpan();
    }

    private static void end(Span span, HttpServerResponse response, AsyncResult<Void> end) {
        if (end.failed()) {
            span.setAttribute(Keys.ERROR_TYPE, "connection_closed");
        } else {
            int status = response.getStatusCode();
            span.setAttribute(Keys.STATUS, (long) status);
            if (status >= FIRST_SERVER_ERROR) {
                span.setAttribute(Keys.ERROR_TYPE, Integer.toString(status));
                span.setStatus(StatusCode.ERROR);
            }
        }
        span.end();
    }
}
