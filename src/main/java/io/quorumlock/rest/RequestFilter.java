package io.quorumlock.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quorumlock.security.Verb;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The first filter of every request, of REST resources, probes and static files alike: limits its size, authenticates it, and
 * checks its path. It runs before routing, because the framework answers requests that are too large, and paths of its own,
 * without the REST layer.
 */
@Singleton
final class RequestFilter {
    /** After the framework's authentication, before its limits. */
    private static final int PRIORITY = 50;

    private static final int MAX_HEADER_BYTES = 20 * 1024;
    static final String ACCESS = "quorumlock.access";
    private static final String ENDED = "quorumlock.ended";
    private static final String FOR_RESOURCE = "quorumlock.for-resource";
    private static final String PATH = "quorumlock.path";
    private static final List<String> GET = List.of("GET");

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

    /**
     * Returns the permissions of a request that passed the filter.
     *
     * @throws ProblemException if the client has disconnected: nobody would end what the request begins (R11, N)
     */
    static Access access(RoutingContext context) {
        if (hasEnded(context)) {
            throw new ProblemException(Problems.invalidRequest("request", "was ended by the client"));
        }
        return context.get(ACCESS);
    }

    /** Returns whether the request was answered or its client disconnected. Handlers that are added later are not called. */
    static boolean hasEnded(RoutingContext context) {
        return context.get(ENDED) != null;
    }

    /** Returns whether the path of the request, as it came on the wire, is one of a resource. */
    static boolean isForResource(RoutingContext context) {
        return context.get(FOR_RESOURCE) != null;
    }

    /** Returns the path by which a resource is found, if it differs from the path of the request. */
    static Optional<String> canonicalPath(RoutingContext context) {
        return Optional.ofNullable(context.get(PATH));
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
                checkPathAndMethod(context, path);
                context.addEndHandler(ended -> context.put(ENDED, true));
                // The contract ignores the types that a client names: there is one for each answer, and bodies are
                // JSON.
                request.headers().remove(HttpHeaders.CONTENT_TYPE).remove(HttpHeaders.ACCEPT);
                context.put(FOR_RESOURCE, true);
                context.next();
            } else {
                checkKeyUnlessPublic(context);
                requireValidEncoding(path);
                context.next();
            }
        } catch (RuntimeException failure) {
            writer.write(problems.answer(failure), context.response());
        }
    }

    private static boolean isRest(String path) {
        return path.startsWith(LockPath.PREFIX)
                || path.equals("/locks")
                || path.equals("/nodes")
                || path.equals("/events")
                || path.startsWith(ProblemType.BASE);
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

    /**
     * Checks the path as it came on the wire. The framework matches the normalized path, in which different names become the same,
     * and answers HEAD and OPTIONS by itself.
     */
    private static void checkPathAndMethod(RoutingContext context, String path) {
        if (!path.startsWith(LockPath.PREFIX)) {
            requireMethod(context.request(), GET);
            if (path.startsWith(ProblemType.BASE)) {
                ProblemType.ofSlug(path.substring(ProblemType.BASE.length()))
                        .orElseThrow(() -> new ProblemException(Problems.notFound()));
            }
            return;
        }
        try {
            LockPath lock = LockPath.parse(path);
            requireMethod(context.request(), lock.methods());
            lock.resource();
            String canonical = lock.canonical();
            if (!canonical.equals(path)) {
                context.put(PATH, canonical);
            }
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problems.invalidResource(e.getMessage()));
        }
    }

    private static void requireMethod(HttpServerRequest request, List<String> methods) {
        if (!methods.contains(request.method().name())) {
            throw new ProblemException(Problems.methodNotAllowed(String.join(", ", methods)));
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
