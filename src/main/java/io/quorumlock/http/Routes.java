// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quarkus.arc.All;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of paths: the rows of the service and those of its features. The first row that matches counts. */
@Singleton
public final class Routes {
    private final List<Route> rows;

    Routes(@All List<Route> ofFeatures) {
        this.rows = Stream.of(Route.CORE, ofFeatures, List.of(Route.OTHER))
                .flatMap(List::stream)
                .toList();
    }

    Route of(RoutingContext request) {
        return of(request.request().path());
    }

    /** @param encoded the path as the client sent it: all callers decode it in the same way */
    Route of(String encoded) {
        String path = decoded(encoded);
        for (Route row : rows) {
            if (row.matches().test(path)) {
                return row;
            }
        }
        throw new IllegalStateException(path);
    }

    /** Returns the path without percent-encoding; a malformed one, which gets no answer but 400, as it is. */
    public static String decoded(String path) {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return path;
        }
    }

    /** Returns the first segments of the paths that end in the name of a lock, as a regular expression. */
    String topsOfNames() {
        return rows.stream().map(Route::names).filter(top -> !top.isEmpty()).collect(Collectors.joining("|"));
    }
}
