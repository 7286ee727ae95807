package io.quorumlock.tracing;

import java.net.URI;
import java.util.Set;

/** Is where spans are sent to, over OTLP/HTTP. */
public record Collector(URI base) {
    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final String TRACES = "/v1/traces";

    public Collector {
        boolean plain = base.getUserInfo() == null && base.getQuery() == null && base.getFragment() == null;
        boolean named = base.getScheme() != null && SCHEMES.contains(base.getScheme()) && base.getHost() != null;
        if (!plain || !named) {
            throw wrong();
        }
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException with what is allowed, and without what was given: there may be a password in it
     */
    public static Collector parse(String url) {
        try {
            return new Collector(URI.create(url.strip()));
        } catch (IllegalArgumentException e) {
            throw wrong();
        }
    }

    /** Names the address for traces, after the conventions of OTLP. */
    String traces() {
        return base.toString().replaceAll("/+$", "") + TRACES;
    }

    private static IllegalArgumentException wrong() {
        return new IllegalArgumentException(
                "must be like http://collector:4318 or https://collector:4318, without user, query and fragment");
    }
}
