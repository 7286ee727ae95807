// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A row of the table of paths. Authentication, the methods of each path, problems and spans decide by it. The meters of the
 * framework have the same labels in {@code application.properties}, because they are fixed when the service is built.
 *
 * @param matches the decoded path
 * @param label the name in spans and meters: one of a few, so that clients cannot create new ones
 * @param methods as in the header Allow
 * @param names the first segment, if the rest of the path is the name of a lock; else empty
 * @param enabled whether a path that needs a key exists
 * @param errors returns the body of an error, for clients that do not read problem documents
 */
public record Route(
        Predicate<String> matches,
        String label,
        String methods,
        Audience audience,
        String names,
        boolean enabled,
        Function<Problem, Object> errors) {

    /** Who may ask for a path. */
    public enum Audience {
        KEY,
        /** Everybody, because no answer contains the name of a lock. */
        PUBLIC,
        /** Everybody, also without TLS if there is a port for it. */
        PROBE,
        /** As a probe, unless the settings require a key. */
        METRICS
    }

    /** No name of a lock ends in this segment or the next one. */
    static final Route EXTENSION =
            ofKeys(path -> path.startsWith("/locks/") && path.endsWith("/extend"), "/locks/{name}", "PUT");

    static final Route FENCE =
            ofKeys(path -> path.startsWith("/locks/") && path.endsWith("/fence"), "/locks/{name}/fence", "GET");
    static final Route METRICS = ofElsewhere(at("/q/metrics"), Audience.METRICS);
    static final Route OTHER = ofElsewhere(path -> true, Audience.KEY);

    /** The rows of the service itself, without the last one. */
    static final List<Route> CORE = List.of(
            EXTENSION,
            FENCE,
            ofNames("locks", "DELETE, GET, POST"),
            ofKeys("/locks"::equals, "/locks", "DELETE, GET, POST"),
            ofKeys("/nodes"::equals, "/nodes", "GET"),
            new Route(below("/problems"), "/problems/{slug}", "GET", Audience.PUBLIC),
            new Route("/openapi.yaml"::equals, "/openapi.yaml", "GET", Audience.PUBLIC),
            ofElsewhere(at("/clients"), Audience.PUBLIC),
            ofElsewhere(at("/q/health"), Audience.PROBE),
            METRICS,
            ofElsewhere(at("/q/swagger-ui"), Audience.PUBLIC));

    private Route(Predicate<String> matches, String label, String methods, Audience audience) {
        this(matches, label, methods, audience, "", true, problem -> problem);
    }

    /** Creates a row of paths that need a key. */
    public static Route ofKeys(Predicate<String> matches, String label, String methods) {
        return new Route(matches, label, methods, Audience.KEY);
    }

    /** Creates a row of paths that need a key, and end in the name of a lock after this segment. */
    public static Route ofNames(String top, String methods) {
        return new Route(below("/" + top), "/" + top + "/{name}", methods, Audience.KEY, top, true, problem -> problem);
    }

    /** Creates a row of paths that spans and meters do not tell apart. */
    public static Route ofElsewhere(Predicate<String> matches, Audience audience) {
        return new Route(matches, "/elsewhere", "GET", audience);
    }

    public static Predicate<String> below(String top) {
        return path -> path.startsWith(top + "/");
    }

    public static Predicate<String> at(String top) {
        return below(top).or(top::equals);
    }

    public Route onlyIf(boolean condition) {
        return new Route(matches, label, methods, audience, names, condition, errors);
    }

    public Route withErrors(Function<Problem, Object> form) {
        return new Route(matches, label, methods, audience, names, enabled, form);
    }

    /** @param metricsNeedKey whether the settings require a key for metrics */
    boolean isPublic(boolean metricsNeedKey) {
        return audience != Audience.KEY && (audience != Audience.METRICS || !metricsNeedKey);
    }

    /** Returns whether the management port serves the path without TLS. */
    boolean isServedWithoutTls() {
        return audience == Audience.PROBE || audience == Audience.METRICS;
    }
}
