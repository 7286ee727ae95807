package io.quorumlock.rest;

import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Checks paths as they came on the wire, before they are matched with resources. The framework matches the normalized path, in
 * which different names become the same, and answers HEAD and OPTIONS by itself. {@code docs/adr/0022}.
 */
@Singleton
final class PathFilter {
    private static final List<String> GET = List.of("GET");

    @ServerRequestFilter(preMatching = true, nonBlocking = true)
    void filter(ContainerRequestContext request, RoutingContext context) {
        String path = context.request().path();
        if (!RequestFilter.isRest(path)) {
            return;
        }
        request.setEntityStream(new ByteArrayInputStream(RequestFilter.body(context)));
        if (path.startsWith(LockPath.PREFIX)) {
            filterLock(request, path);
        } else {
            requireMethod(request, GET);
        }
    }

    private static void filterLock(ContainerRequestContext request, String path) {
        LockPath lock;
        try {
            lock = LockPath.parse(path);
            requireMethod(request, lock.methods());
            lock.resource();
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problems.invalidResource(e.getMessage()));
        }
        if (path.indexOf('%') >= 0 || path.indexOf(';') >= 0) {
            request.setRequestUri(URI.create(lock.canonical()));
        }
    }

    private static void requireMethod(ContainerRequestContext request, List<String> methods) {
        if (!methods.contains(request.getMethod())) {
            throw new ProblemException(Problems.methodNotAllowed(String.join(", ", methods)));
        }
    }
}
