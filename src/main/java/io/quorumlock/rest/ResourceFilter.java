// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * The filter that reads the body of a request and sets its canonical path, before the REST layer selects a resource.
 */
@Singleton
final class ResourceFilter {
    private static final Uni<Void> DONE = Uni.createFrom().voidItem();

    @ServerRequestFilter(preMatching = true, nonBlocking = true)
    Uni<Void> filter(ContainerRequestContext context, RoutingContext routing) {
        if (!RequestFilter.isForResource(routing)) {
            // The framework would match some of these paths after normalisation. It would also parse the header Accept.
            routing.request().headers().remove(HttpHeaders.ACCEPT);
            throw new ProblemException(Problems.notFound());
        }
        RequestFilter.canonicalPath(routing).ifPresent(path -> setPath(context, path));
        HttpServerRequest request = routing.request();
        if (!RequestBody.mayFollow(request)) {
            request.resume();
            context.setEntityStream(InputStream.nullInputStream());
            return DONE;
        }
        return Uni.createFrom().emitter(emitter -> read(request, context, emitter));
    }

    private static void read(
            HttpServerRequest request, ContainerRequestContext context, UniEmitter<? super Void> emitter) {
        RequestBody.read(request, new RequestBody.Reader() {
            @Override
            public void complete(byte[] body) {
                context.setEntityStream(new ByteArrayInputStream(body));
                emitter.complete(null);
            }

            @Override
            public void rejected(Answer answer) {
                emitter.fail(new ProblemException(answer));
            }
        });
    }

    private static void setPath(ContainerRequestContext context, String path) {
        try {
            context.setRequestUri(uri(path));
        } catch (HttpException malformedQuery) {
            // The path is set before the framework reads the query. ParametersReader reads the query and reports the
            // error.
        }
    }

    /** Quotes percent signs, because the framework decodes the path of the URI before it decodes parameters. */
    private static URI uri(String path) {
        try {
            return new URI(null, null, path, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
