package io.quorumlock.tracing;

import java.util.Optional;
import java.util.Set;

/** Finds the route of a path, as the label {@code uri} of the metrics has it: a name that no client can make up. */
final class Route {
    private static final String LOCK = "/locks/";
    private static final Set<String> FIXED = Set.of("/locks", "/events", "/nodes");

    private Route() {}

    /** Finds nothing for what is no part of the contract, like probes, and for what is the contract itself. */
    static Optional<String> of(String path) {
        if (path.startsWith(LOCK)) {
            return Optional.of(LOCK + "{resource}");
        }
        return FIXED.contains(path) ? Optional.of(path) : Optional.empty();
    }
}
