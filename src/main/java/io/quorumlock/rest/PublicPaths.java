package io.quorumlock.rest;

/**
 * Names the paths that need no key, whoever else does: probes, the contract and its explanations, all without any name of a
 * resource.
 *
 * @param metrics whether metrics are one of them
 */
public record PublicPaths(boolean metrics) {

    /** @param path normalised, as the router sees it: the raw one could lead elsewhere by its dots */
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
