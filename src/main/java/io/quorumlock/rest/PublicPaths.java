package io.quorumlock.rest;

/**
 * The paths that need no API key: probes, the contract and the pages of problem types. None contains the name of a lock.
 *
 * @param metrics whether the metrics need no key either
 */
public record PublicPaths(boolean metrics) {

    /** @param path the normalised path, as the router reads it. In a raw path, dot segments could lead to another page. */
    boolean contain(String path) {
        return path.equals("/openapi.yaml")
                || path.startsWith(ProblemType.BASE)
                || isOrIsBelow(path, "/q/health")
                || isOrIsBelow(path, "/q/swagger-ui")
                || metrics && isMetrics(path);
    }

    static boolean isMetrics(String path) {
        return isOrIsBelow(path, "/q/metrics");
    }

    private static boolean isOrIsBelow(String path, String top) {
        return path.startsWith(top) && (path.length() == top.length() || path.charAt(top.length()) == '/');
    }
}
