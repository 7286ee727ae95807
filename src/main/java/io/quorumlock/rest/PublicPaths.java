// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

/**
 * The paths that need no API key: probes, the contract, the clients, the files of the operator's page and the pages of problem
 * types. None contains the name of a lock.
 *
 * @param metrics whether the metrics need no key either
 */
public record PublicPaths(boolean metrics) {

    boolean contain(String path) {
        return path.equals("/openapi.yaml")
                || isOrIsBelow(path, "/clients")
                || path.equals("/")
                || isOrIsBelow(path, "/ui")
                || path.startsWith(ProblemType.BASE)
                || isHealth(path)
                || isOrIsBelow(path, "/q/swagger-ui")
                || metrics && isMetrics(path);
    }

    static boolean isHealth(String path) {
        return isOrIsBelow(path, "/q/health");
    }

    static boolean isMetrics(String path) {
        return isOrIsBelow(path, "/q/metrics");
    }

    private static boolean isOrIsBelow(String path, String top) {
        return path.startsWith(top) && (path.length() == top.length() || path.charAt(top.length()) == '/');
    }
}
