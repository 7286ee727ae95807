package io.quorumlock.rest;

import io.quarkus.arc.All;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quorumlock.security.Verb;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Stands before the router: it sees requests as they came on the wire, where the router would normalise paths. */
@Singleton
final class Gate {
    /** After authentication, before the limits of the framework. */
    private static final int PRIORITY = 50;

    private static final int MOST_HEADER_BYTES = 20 * 1024;
    private static final List<String> GET = List.of("GET");

    private final AnswerWriter writer;
    private final Exchanges exchanges;
    private final KeyCheck keys;
    private final OpenPaths openPaths;
    private final LockRoutes locks;
    private final Map<String, Page> pages;

    Gate(
            AnswerWriter writer,
            Exchanges exchanges,
            KeyCheck keys,
            OpenPaths openPaths,
            LockRoutes locks,
            @All List<Page> pages) {
        this.writer = writer;
        this.exchanges = exchanges;
        this.keys = keys;
        this.openPaths = openPaths;
        this.locks = locks;
        this.pages = pages.stream().collect(Collectors.toMap(Page::path, Function.identity()));
    }

    void register(@Observes Filters filters) {
        filters.register(context -> exchanges.attempt(context, () -> admit(context)), PRIORITY);
    }

    private void admit(RoutingContext context) {
        HttpServerRequest request = context.request();
        HeaderDeadline.meet(context);
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
            locks.answer(context, keys.check(request));
        } else if (pages.containsKey(path)) {
            Access access = keys.check(request);
            RequestLine.requireMethod(request, GET);
            pages.get(path).answer(context, RequestLine.query(request), access);
        } else {
            checkKeyUnlessOpen(context);
            admitOther(context, path);
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
    }

    /** Is empty where the path is broken: that leads nowhere, and is closed. */
    private static String normalized(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException broken) {
            return "";
        }
    }

    private static void admitOther(RoutingContext context, String rawPath) {
        try {
            PercentEncoding.decode(rawPath);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problems.notFound());
        }
        if (ProblemPages.has(rawPath)) {
            RequestLine.requireMethod(context.request(), GET);
            ProblemPages.answer(rawPath, context);
        } else {
            context.next();
        }
    }

    private static int headerBytes(HttpServerRequest request) {
        int bytes = 0;
        for (Map.Entry<String, String> header : request.headers()) {
            bytes += header.getKey().length() + header.getValue().length() + ": \r\n".length();
        }
        return bytes;
    }
}
