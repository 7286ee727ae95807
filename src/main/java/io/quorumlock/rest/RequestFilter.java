// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AnonymousAuthenticationRequest;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.quorumlock.security.Caller;
import io.quorumlock.security.SecurityListener;
import io.quorumlock.security.Verb;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The filters of every request, of REST resources, probes and static files alike: one limits its size before it is
 * authenticated, the other checks its path afterwards. They run before routing, because the framework answers requests that
 * are too large, and paths of its own, without the REST layer.
 */
@Singleton
final class RequestFilter {
    private static final int BEFORE_AUTHENTICATION = SecurityHandlerPriorities.AUTHENTICATION + 50;
    /** After the framework's authorization, before its limits. */
    private static final int AFTER_AUTHENTICATION = SecurityHandlerPriorities.AUTHORIZATION - 50;

    private static final int MAX_HEADER_BYTES = 20 * 1024;
    /** Of decoded paths. Names of resources have 512 bytes, and normalization makes them at most three times as short. */
    private static final int MAX_PATH_LENGTH = 2048;

    /**
     * An encoded slash or dot, or a backslash. The static files decode them after the routes have been matched, so that such a path
     * would get a file past the rules for its folder.
     */
    private static final Pattern HIDDEN_SEGMENT = Pattern.compile("(?i)%2[ef]|%5c|\\\\");

    private static final String PUBLIC = "quorumlock.public";
    static final String ACCESS = "quorumlock.access";
    private static final String ENDED = "quorumlock.ended";
    private static final String FOR_RESOURCE = "quorumlock.for-resource";
    private static final String PATH = "quorumlock.path";
    private static final List<String> GET = List.of("GET");

    private final AnswerWriter writer;
    private final ProblemMappers problems;
    private final SecurityListener events;
    private final PublicPaths publicPaths;
    private final ApiKeyMechanism keys;
    private final IdentityProviderManager identities;
    private final BrowserGuard browsers;

    RequestFilter(
            AnswerWriter writer,
            ProblemMappers problems,
            SecurityListener events,
            PublicPaths publicPaths,
            ApiKeyMechanism keys,
            IdentityProviderManager identities,
            BrowserGuard browsers) {
        this.writer = writer;
        this.problems = problems;
        this.events = events;
        this.publicPaths = publicPaths;
        this.keys = keys;
        this.identities = identities;
        this.browsers = browsers;
    }

    /** Returns whether the path of the request needs no key. */
    static boolean isPublic(RoutingContext context) {
        return context.get(PUBLIC) != null;
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
        filters.register(context -> answering(context, this::limit), BEFORE_AUTHENTICATION);
        filters.register(context -> answering(context, this::checkAndPass), AFTER_AUTHENTICATION);
    }

    private void answering(RoutingContext context, Consumer<RoutingContext> step) {
        try {
            step.accept(context);
        } catch (RuntimeException failure) {
            writer.write(problems.answer(failure), context.response());
        }
    }

    private void limit(RoutingContext context) {
        HttpServerRequest request = context.request();
        RequestId.mark(request);
        if (RequestBody.isTooLarge(request)) {
            writer.write(Problems.bodyTooLarge(), context.response());
            RequestBody.drain(request);
            return;
        }
        if (request.headers().getAll(HttpHeaders.HOST).size() > 1) {
            throw new ProblemException(Problems.invalidRequest("request", "must have one header Host"));
        }
        if (headerBytes(request) > MAX_HEADER_BYTES) {
            throw new ProblemException(Problems.headersTooLarge(MAX_HEADER_BYTES));
        }
        String path = request.path();
        boolean invalid =
                isInvalid(path) || !isRest(path) && HIDDEN_SEGMENT.matcher(path).find();
        // The time to normalize a long path grows with the square of its length.
        boolean isPublic =
                isRest(path) ? path.startsWith(ProblemType.BASE) : !invalid && publicPaths.contain(normalized(context));
        if (isPublic) {
            context.put(PUBLIC, true);
        } else {
            browsers.check(request);
        }
        if (invalid) {
            authenticateAndReject(context);
        } else {
            context.next();
        }
    }

    private static boolean isRest(String path) {
        return path.startsWith(LockPath.PREFIX)
                || path.equals("/locks")
                || path.equals("/nodes")
                || path.equals("/events")
                || path.startsWith(ProblemType.BASE);
    }

    /** Returns whether the path is malformed, or longer than any path that is served. */
    private static boolean isInvalid(String path) {
        try {
            return PercentEncoding.decode(path).length() > MAX_PATH_LENGTH;
        } catch (IllegalArgumentException malformed) {
            return true;
        }
    }

    /**
     * Rejects a request with an invalid path after the check of its key, as any other request. The framework matches paths before it
     * authenticates. It fails on malformed paths, and some long ones would occupy the event loop for seconds.
     */
    private void authenticateAndReject(RoutingContext context) {
        keys.authenticate(context, identities)
                .onItem()
                .ifNull()
                .switchTo(() -> identities.authenticate(new AnonymousAuthenticationRequest()))
                .subscribe()
                .with(
                        identity -> answering(context, known -> {
                            QuarkusHttpUser.setIdentity(identity, known);
                            if (isRest(known.request().path())) {
                                check(known);
                            }
                            throw new ProblemException(Problems.notFound());
                        }),
                        failure -> writer.write(problems.answer(failure), context.response()));
    }

    private void checkAndPass(RoutingContext context) {
        check(context);
        context.next();
    }

    private void check(RoutingContext context) {
        HttpServerRequest request = context.request();
        String path = request.path();
        if (isRest(path)) {
            if (!isPublic(context)) {
                context.put(ACCESS, accessOf(context));
            }
            checkPathAndMethod(context, path);
            context.addEndHandler(ended -> context.put(ENDED, true));
            // The contract ignores the types that a client names: there is one for each answer, and bodies are JSON.
            request.headers().remove(HttpHeaders.CONTENT_TYPE).remove(HttpHeaders.ACCEPT);
            context.put(FOR_RESOURCE, true);
        } else if (!isPublic(context) && PublicPaths.isMetrics(normalized(context))) {
            accessOf(context).requireOverall(Verb.READ);
        }
    }

    private Access accessOf(RoutingContext context) {
        SecurityIdentity identity = ((QuarkusHttpUser) context.user()).getSecurityIdentity();
        return new Access((Caller) identity.getPrincipal(), events);
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

    /** Returns an empty path if the path is malformed: it is not public. */
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
