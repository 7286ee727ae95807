package io.quorumlock.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quorumlock.security.Verb;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Stands before the router: it sees requests as they came on the wire, where the router would normalise paths, insist on
 * content types, or refuse with an empty answer.
 */
@Singleton
final class Gate {
    /** After authentication, before the limits of the framework. */
    private static final int PRIORITY = 50;

    private static final int MOST_HEADER_BYTES = 20 * 1024;
    private static final List<String> GET = List.of("GET");
    private static final byte[] NO_BODY = {};

    private final AnswerWriter writer;
    private final EventStreams streams;
    private final SessionStreams sessions;
    private final KeyCheck keys;
    private final OpenPaths openPaths;

    Gate(AnswerWriter writer, EventStreams streams, SessionStreams sessions, KeyCheck keys, OpenPaths openPaths) {
        this.writer = writer;
        this.streams = streams;
        this.sessions = sessions;
        this.keys = keys;
        this.openPaths = openPaths;
    }

    void register(@Observes Filters filters) {
        filters.register(this::enter, PRIORITY);
    }

    private void enter(RoutingContext context) {
        try {
            admit(context);
        } catch (Refusal refusal) {
            writer.write(refusal.answer(), context);
        }
    }

    private void admit(RoutingContext context) {
        HttpServerRequest request = context.request();
        RequestId.mark(request);
        if (RequestBody.isTooLarge(request)) {
            writer.write(Problems.bodyTooLarge(), context);
            RequestBody.drain(request);
            return;
        }
        if (headerBytes(request) > MOST_HEADER_BYTES) {
            throw new Refusal(Problems.headersTooLarge(MOST_HEADER_BYTES));
        }
        String path = request.path();
        if (path.startsWith(LockPath.PREFIX)) {
            admitLock(context, path, keys.check(request));
        } else if (path.equals(EventStreams.PATH)) {
            Access access = keys.check(request);
            allow(request, GET);
            streams.openForPrefix(context, query(request), access);
        } else {
            checkKeyUnlessOpen(context);
            admitOther(request, path);
            context.next();
        }
    }

    /** What is not known to be open is closed, whether there is anything or not. */
    private void checkKeyUnlessOpen(RoutingContext context) {
        String path = normalized(context);
        if (!keys.isOff() && openPaths.contain(path)) {
            return;
        }
        Access access = keys.check(context.request());
        if (OpenPaths.isMetrics(path)) {
            access.requireOverall(Verb.READ);
        }
        access.attachTo(context);
    }

    /** Is empty where the path is broken: that leads nowhere, and is closed. */
    private static String normalized(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException broken) {
            return "";
        }
    }

    private static void admitOther(HttpServerRequest request, String rawPath) {
        try {
            PercentEncoding.decode(rawPath);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problems.notFound());
        }
        if (rawPath.equals(ListResource.PATH)) {
            allow(request, GET);
            ignoreLabels(request);
        } else if (rawPath.equals(NodesResource.PATH) || rawPath.startsWith(ProblemType.BASE)) {
            allow(request, GET);
        }
    }

    private void admitLock(RoutingContext context, String rawPath, Access access) {
        HttpServerRequest request = context.request();
        LockCall call;
        try {
            LockPath path = LockPath.parse(rawPath);
            allow(request, path.methods());
            call = new LockCall(
                    path,
                    path.resource(),
                    query(request),
                    NO_BODY,
                    request.headers().getAll("Lock-Token"),
                    WaitPreference.read(request.headers().getAll("Prefer")),
                    access);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problems.invalidResource(e.getMessage()));
        }
        switch (call.path().part()) {
            case EVENTS -> streams.openFor(call, context);
            case SESSION -> sessions.open(call, context);
            case BEAT -> sessions.beat(call, context);
            default -> {
                ignoreLabels(request);
                call.attachTo(context);
                context.next();
            }
        }
    }

    /** Does not insist on them: curl labels JSON as a form, other clients send nonsense. */
    private static void ignoreLabels(HttpServerRequest request) {
        request.headers().remove(HttpHeaders.CONTENT_TYPE).remove(HttpHeaders.ACCEPT);
    }

    private static void allow(HttpServerRequest request, List<String> methods) {
        if (!methods.contains(request.method().name())) {
            throw new Refusal(Problems.methodNotAllowed(String.join(", ", methods)));
        }
    }

    private static String query(HttpServerRequest request) {
        return request.query() == null ? "" : request.query();
    }

    private static int headerBytes(HttpServerRequest request) {
        int bytes = 0;
        for (Map.Entry<String, String> header : request.headers()) {
            bytes += header.getKey().length() + header.getValue().length() + ": \r\n".length();
        }
        return bytes;
    }
}
