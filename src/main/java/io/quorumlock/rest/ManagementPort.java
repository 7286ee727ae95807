// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * The limitation of the port without TLS to probes and metrics. Probes of an orchestrator have no client certificate, and
 * the management interface of Quarkus can only be enabled at build time.
 */
@Singleton
final class ManagementPort {
    /** After the limits of {@link RequestFilter}, before authentication: no key is read on this port, except for metrics. */
    private static final int BEFORE_AUTHENTICATION = SecurityHandlerPriorities.AUTHENTICATION + 40;

    private final ManagementSettings settings;
    private final AnswerWriter writer;

    ManagementPort(ManagementSettings settings, AnswerWriter writer) {
        this.settings = settings;
        this.writer = writer;
    }

    void register(@Observes Filters filters) {
        if (settings.enabled()) {
            filters.register(this::filter, BEFORE_AUTHENTICATION);
        }
    }

    /** Asks the connection and not the request, whose scheme a header of a proxy may replace. */
    private void filter(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.connection().isSsl() || isServed(request.path(), context.normalizedPath())) {
            context.next();
        } else {
            writer.write(Problems.notFound(), context.response());
        }
    }

    /** A path that normalization changes could be one for the filters and another for the router. */
    private static boolean isServed(String path, String normalized) {
        return path.equals(normalized) && (PublicPaths.isHealth(path) || PublicPaths.isMetrics(path));
    }
}
