// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.paths;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

/**
 * The paths of the service. Authentication, the methods of each path, problems and spans decide by this table; the meters of the
 * framework have their own. The first row that matches counts.
 */
public enum Route {
    /** No name of a lock ends in this segment or the next one. */
    EXTENSION(path -> path.startsWith("/locks/") && path.endsWith("/extend"), "/locks/{name}", "PUT", Access.KEY),
    FENCE(path -> path.startsWith("/locks/") && path.endsWith("/fence"), "/locks/{name}/fence", "GET", Access.KEY),
    LOCK(below("/locks"), "/locks/{name}", "DELETE, GET, POST", Access.KEY),
    LOCKS("/locks"::equals, "/locks", "DELETE, GET, POST", Access.KEY),
    SESSION(below("/sessions"), "/sessions/{name}", "POST", Access.KEY),
    EVENTS("/events"::equals, "/events", Access.KEY),
    TERRAFORM(below("/terraform"), "/terraform/{name}", "DELETE, GET, LOCK, POST, PUT, UNLOCK", Access.KEY),
    FLEETLOCK(below("/fleetlock"), "/fleetlock/{call}", "POST", Access.KEY),
    MCP(at("/mcp"), "/mcp", "POST", Access.KEY),
    NODES("/nodes"::equals, "/nodes", Access.KEY),
    PROBLEM(below("/problems"), "/problems/{slug}", Access.PUBLIC),
    CONTRACT("/openapi.yaml"::equals, "/openapi.yaml", Access.PUBLIC),
    CLIENTS(at("/clients"), Access.PUBLIC),
    PAGE(at("/ui").or("/"::equals), Access.PUBLIC),
    HEALTH(at("/q/health"), Access.PROBE),
    METRICS(at("/q/metrics"), Access.METRICS),
    API_PAGE(at("/q/swagger-ui"), Access.PUBLIC),
    OTHER(path -> true, Access.KEY);

    /** Who may ask for a path. */
    private enum Access {
        KEY,
        /** Everybody, because no answer contains the name of a lock. */
        PUBLIC,
        /** Everybody, also without TLS if there is a port for it. */
        PROBE,
        /** As a probe, unless the settings require a key. */
        METRICS
    }

    /** Without the copy that each call of {@code values()} makes: each request asks several times. */
    private static final List<Route> ROUTES = List.of(values());

    private final Predicate<String> matches;
    private final String label;
    private final String methods;
    private final Access access;

    Route(Predicate<String> matches, String label, String methods, Access access) {
        this.matches = matches;
        this.label = label;
        this.methods = methods;
        this.access = access;
    }

    Route(Predicate<String> matches, String label, Access access) {
        this(matches, label, "GET", access);
    }

    /** Creates a row of paths that spans and meters do not tell apart. */
    Route(Predicate<String> matches, Access access) {
        this(matches, "/elsewhere", access);
    }

    private static Predicate<String> below(String top) {
        return path -> path.startsWith(top + "/");
    }

    private static Predicate<String> at(String top) {
        return below(top).or(top::equals);
    }

    /** @param encoded the path as the client sent it: all callers decode it in the same way */
    public static Route of(String encoded) {
        String path = decoded(encoded);
        for (Route route : ROUTES) {
            if (route.matches.test(path)) {
                return route;
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

    /** Returns the name in spans and meters: one of a few, so that clients cannot create new ones. */
    public String label() {
        return label;
    }

    /** Returns whether the last segment is not a part of the name of a lock. */
    public boolean isActionOfLock() {
        return this == EXTENSION || this == FENCE;
    }

    /** Returns the methods as in the header Allow. */
    public String methods() {
        return methods;
    }

    /** @param metricsNeedKey whether the settings require a key for metrics */
    public boolean isPublic(boolean metricsNeedKey) {
        return access != Access.KEY && (access != Access.METRICS || !metricsNeedKey);
    }

    /** Returns whether the management port serves the path without TLS. */
    public boolean isServedWithoutTls() {
        return access == Access.PROBE || access == Access.METRICS;
    }
}
