// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.quorumlock.http.keys.Caller;
import io.quorumlock.http.keys.RefusalReason;
import io.quorumlock.http.keys.SecurityMeters;
import io.quorumlock.http.keys.Verb;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The filters of all requests: one checks the path, one decides after the authentication whether the request may go on, and one
 * checks the size of its body. They run before routing, because the framework serves metrics and pages of its own without the
 * REST layer.
 */
@Singleton
final class RequestFilter {
    /** First of all, because later filters decide by the path. */
    private static final int BEFORE_AUTHENTICATION = SecurityHandlerPriorities.AUTHENTICATION + 50;

    private static final int AFTER_AUTHENTICATION = SecurityHandlerPriorities.AUTHORIZATION - 50;

    /** After features whose bodies are larger. */
    private static final int AFTER_LARGER_BODIES = 5;

    /** The usual paths, which need no search for what is ambiguous. */
    private static final Pattern PLAIN = Pattern.compile("(?:/[A-Za-z0-9_-]++)++");

    private final AnswerWriter writer;
    private final ProblemMappers problems;
    private final Consumer<RefusalReason> refusals;
    private final BrowserGuard browsers;
    private final Routes routes;
    private final Pattern ambiguous;
    private final boolean managementPort;

    /**
     * @param managementPort whether the port without TLS serves probes and metrics only. Probes of an orchestrator have no
     *     client certificate, and the management interface of Quarkus can only be enabled at build time
     */
    RequestFilter(
            AnswerWriter writer,
            ProblemMappers problems,
            SecurityMeters meters,
            BrowserGuard browsers,
            Routes routes,
            @ConfigProperty(name = "quorumlock.management.enabled") boolean managementPort) {
        this.writer = writer;
        this.problems = problems;
        this.refusals = meters::refused;
        this.browsers = browsers;
        this.routes = routes;
        this.ambiguous = ambiguous(routes.topsOfNames());
        this.managementPort = managementPort;
    }

    /**
     * Returns what the framework would remove from a path or decode in its own way: empty and dot segments, matrix parameters,
     * fragments, and characters and escapes that are invalid in a URI. Also an escaped slash in the path of a file, which the
     * framework decodes after it has chosen the rules for the folder.
     *
     * @param tops the first segments of the paths that end in the name of a lock
     */
    private static Pattern ambiguous(String tops) {
        return Pattern.compile("//|/(?:\\.|%2[eE]){1,2}(?:/|$)|[^!-~]|[;#]|%(?![0-9a-fA-F]{2})"
                + "|^/(?:" + tops + ")/(?:.*/)?$"
                + "|^/(?!(?:" + tops + ")/).*(?:%2[fF]|%5[cC]|\\\\)");
    }

    void register(@Observes Filters filters) {
        filters.register(this::checkPath, BEFORE_AUTHENTICATION);
        filters.register(this::checkAccess, AFTER_AUTHENTICATION);
        filters.register(this::checkSize, AFTER_LARGER_BODIES);
    }

    private void checkPath(RoutingContext context) {
        RequestId.mark(context.request());
        // A browser must not guess the type of an answer, which may have text of others.
        context.response().putHeader("X-Content-Type-Options", "nosniff");
        String path = context.request().path();
        if (!PLAIN.matcher(path).matches() && ambiguous.matcher(path).find()) {
            String detail = path.contains(";")
                    ? "must have %3B instead of \";\""
                    : "must be UTF-8 in percent-encoding, without empty, \".\" and \"..\" segments";
            writer.write(Problems.invalidResource(detail), context);
        } else if (managementPort && !isServedWithoutTls(context)) {
            writer.write(Problems.notFound(), context);
        } else {
            context.next();
        }
    }

    /** Asks the connection and not the request, whose scheme a header of a proxy may replace. */
    private boolean isServedWithoutTls(RoutingContext context) {
        return context.request().connection().isSsl() || routes.of(context).isServedWithoutTls();
    }

    private void checkAccess(RoutingContext context) {
        try {
            if (((QuarkusHttpUser) context.user()).getSecurityIdentity().getPrincipal() instanceof Caller caller) {
                checkAccess(new Access(caller, refusals), context);
            }
        } catch (RuntimeException rejected) {
            writer.write(problems.answer(rejected), context);
            return;
        }
        if (!context.request().path().startsWith("/q/")) {
            // The contract ignores the types that a client names: there is one for each answer, and bodies are JSON.
            context.request().headers().remove(HttpHeaders.CONTENT_TYPE).remove(HttpHeaders.ACCEPT);
        }
        if (context.request().method() == HttpMethod.OPTIONS) {
            context.addHeadersEndHandler(end -> correctAllowedMethods(context));
        }
        context.next();
    }

    /** The framework adds HEAD to the methods of a path, and PUT to those of a lock. */
    private void correctAllowedMethods(RoutingContext context) {
        MultiMap headers = context.response().headers();
        if (headers.contains(HttpHeaders.ALLOW)) {
            headers.set(HttpHeaders.ALLOW, routes.of(context).methods());
        }
    }

    private void checkAccess(Access access, RoutingContext context) {
        browsers.check(context.request());
        HttpMethod method = context.request().method();
        Route route = routes.of(context);
        if (!route.enabled()) {
            throw new ProblemException(Problems.notFound());
        }
        // The framework would answer HEAD with 200 without asking the writer, and another method of an action with 400,
        // which does not name the right one.
        if (method == HttpMethod.HEAD
                || (route == Route.EXTENSION || route == Route.FENCE)
                        && method != HttpMethod.OPTIONS
                        && !method.name().equals(route.methods())) {
            throw new ProblemException(Problems.methodNotAllowed(route));
        }
        if (route == Route.METRICS) {
            access.requireOverall(Verb.READ);
        }
        access.attach(context);
    }

    /**
     * Rejects a body whose announced size is too large. The limit of the framework would close the connection while the client
     * still sends, and with it all other requests on a connection of HTTP/2. The server library passes on only a size that is a
     * number.
     */
    private void checkSize(RoutingContext context) {
        String size = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        if (size != null && Long.parseLong(size) > BytesReader.LONGEST) {
            writer.write(Problems.bodyTooLarge(), context);
        } else {
            context.next();
        }
    }
}
