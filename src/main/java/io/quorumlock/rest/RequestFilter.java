package io.quorumlock.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quorumlock.security.Verb;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;

/**
 * The first filter of every request, of REST resources, probes and static files alike: limits its size, authenticates it, and
 * reads its body. It runs before routing, because the framework answers requests that are too large, and paths of its own,
 * without the REST layer.
 */
@Singleton
final class RequestFilter {
    /** After the framework's authentication, before its limits. */
    private static final int PRIORITY = 50;

    private static final int MAX_HEADER_BYTES = 20 * 1024;
    private static final String ACCESS = "quorumlock.access";
    private static final String BODY = "quorumlock.body";
    private static final byte[] NO_BODY = {};

    private final AnswerWriter writer;
    private final ProblemMappers problems;
    private final ApiKeyCheck keys;
    private final PublicPaths publicPaths;

    RequestFilter(AnswerWriter writer, ProblemMappers problems, ApiKeyCheck keys, PublicPaths publicPaths) {
        this.writer = writer;
        this.problems = problems;
        this.keys = keys;
        this.publicPaths = publicPaths;
    }

    /** Returns the permissions of a request that passed the filter. */
    static Access access(RoutingContext context) {
        return context.get(ACCESS);
    }

    /** Returns the body of a request that passed the filter; empty without one. */
    static byte[] body(RoutingContext context) {
        return context.get(BODY, NO_BODY);
    }

    void register(@Observes Filters filters) {
        filters.register(this::filter, PRIORITY);
    }

    private void filter(RoutingContext context) {
        try {
            HttpServerRequest request = context.request();
            HeaderDeadline.meet(context);
            RequestId.mark(request);
            if (RequestBody.isTooLarge(request)) {
                writer.write(Problems.bodyTooLarge(), context.response());
                RequestBody.drain(request);
                return;
            }
            if (headerBytes(request) > MAX_HEADER_BYTES) {
                throw new ProblemException(Problems.headersTooLarge(MAX_HEADER_BYTES));
            }
            String path = request.path();
            if (isRest(path)) {
                if (!path.startsWith(ProblemType.BASE)) {
                    context.put(ACCESS, keys.check(request));
                }
                // The contract ignores the types that a client names: there is one for each answer, and bodies are
                // JSON.
                request.headers().remove(HttpHeaders.CONTENT_TYPE).remove(HttpHeaders.ACCEPT);
                readBody(context);
            } else {
                checkKeyUnlessPublic(context);
                requireValidEncoding(path);
                context.next();
            }
        } catch (RuntimeException failure) {
            writer.write(problems.answer(failure), context.response());
        }
    }

    /** Returns whether a resource of the REST layer answers the path. */
    static boolean isRest(String path) {
        return path.startsWith(LockPath.PREFIX)
                || path.equals("/locks")
                || path.equals("/nodes")
                || path.equals("/events")
                || path.startsWith(ProblemType.BASE);
    }

    private void readBody(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!RequestBody.mayFollow(request)) {
            request.resume();
            context.next();
            return;
        }
        RequestBody.read(request, new RequestBody.Reader() {
            @Override
            public void complete(byte[] body) {
                context.put(BODY, body);
                context.next();
            }

            @Override
            public void rejected(Answer answer) {
                writer.write(answer, context.response());
            }
        });
    }

    /** Unknown paths need a key too, so that an answer does not tell what exists. */
    private void checkKeyUnlessPublic(RoutingContext context) {
        String path = normalized(context);
        if (!keys.isOff() && publicPaths.contain(path)) {
            return;
        }
        Access access = keys.check(context.request());
        if (PublicPaths.isMetrics(path)) {
            access.requireOverall(Verb.READ);
        }
    }

    private static void requireValidEncoding(String path) {
        try {
            PercentEncoding.decode(path);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problems.notFound());
        }
    }

    /** Returns an empty path if the path is malformed: it leads nowhere and is not public. */
    private static String normalized(RoutingContext context) {
        try {
            return context.normalizedPath();
        } catch (IllegalArgumentException malformed) {
            return "";
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
