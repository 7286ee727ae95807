// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.page;

import io.quorumlock.http.AnswerWriter;
import io.quorumlock.http.Problems;
import io.quorumlock.http.Route;
import io.quorumlock.http.Route.Audience;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/**
 * The operator's page: static files that use the public API. The framework serves them from META-INF/resources/ui. This class
 * serves the page itself at the root as well, and adds the headers that protect it.
 */
@Singleton
final class OperatorPage {
    private static final String INDEX = "/META-INF/resources/ui/index.html";
    /** The only file that is served of the libraries that are packaged as web resources. */
    private static final String PREACT = "/META-INF/resources/webjars/preact/10.24.3/dist/preact.module.js";

    private static final String LIBRARIES = "/webjars/*";
    private static final List<String> PAGE_PATHS = List.of("/", "/ui", "/ui/");
    private static final String FILES = "/ui/*";
    /** The files of the page that the list of clients needs as well. */
    private static final Set<String> SHARED = Set.of("/ui/page.css", "/ui/icon.svg");
    /** Before the static files of the framework. */
    private static final int ORDER = 0;

    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

    private final boolean enabled;
    private final AnswerWriter writer;

    OperatorPage(PageConfig config, AnswerWriter writer) {
        this.enabled = config.enabled();
        this.writer = writer;
    }

    @Produces
    @Singleton
    static Route route() {
        return Route.ofElsewhere(Route.at("/ui").or("/"::equals), Audience.PUBLIC);
    }

    void register(@Observes Router router) {
        router.route(LIBRARIES).order(ORDER).handler(this::reject);
        if (!enabled) {
            PAGE_PATHS.forEach(path -> router.route(path).order(ORDER).handler(this::reject));
            router.route(FILES).order(ORDER).handler(this::rejectUnlessShared);
            return;
        }
        Buffer index = read(INDEX);
        PAGE_PATHS.forEach(path -> serve(router, path, index, "text/html;charset=UTF-8"));
        serve(router, "/ui/preact.mjs", read(PREACT), "text/javascript;charset=UTF-8");
        router.route(FILES).order(ORDER).handler(context -> {
            // After the framework, which would let browsers keep files of this version beside those of the next one.
            context.addHeadersEndHandler(end -> setHeaders(context));
            context.next();
        });
    }

    private void rejectUnlessShared(RoutingContext context) {
        if (SHARED.contains(context.request().path())) {
            context.addHeadersEndHandler(end -> setHeaders(context));
            context.next();
        } else {
            reject(context);
        }
    }

    private void reject(RoutingContext context) {
        writer.write(Problems.notFound(), context);
    }

    private static void serve(Router router, String path, Buffer content, String type) {
        router.route(path)
                .order(ORDER)
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(context -> {
                    setHeaders(context);
                    context.response().putHeader(HttpHeaders.CONTENT_TYPE, type).end(content);
                });
    }

    private static void setHeaders(RoutingContext context) {
        MultiMap headers = context.response().headers();
        headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .set("Referrer-Policy", "no-referrer")
                .set("Cross-Origin-Opener-Policy", "same-origin")
                .set(HttpHeaders.CACHE_CONTROL, "no-store");
        if (context.response().getStatusCode() < 400 && context.request().path().endsWith(".mjs")) {
            headers.set(HttpHeaders.CONTENT_TYPE, "text/javascript;charset=UTF-8");
        }
    }

    private static Buffer read(String resource) {
        try (InputStream file = OperatorPage.class.getResourceAsStream(resource)) {
            return Buffer.buffer(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
