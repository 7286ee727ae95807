// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The configured masters, or the servers of a store, as this replica sees them. Reads state from memory and calls none of them,
 * so that probes may use it.
 */
public interface Fleet {
    /** The problems that last until a person acts. */
    Set<ServerFailure> CURABLE = EnumSet.of(ServerFailure.SLOW, ServerFailure.REFUSED);

    /** Returns the configured masters in their order. */
    List<ServerStatus> servers();

    /** Returns the quorum: a majority of the configured masters (R1). */
    int quorum();

    /** Returns the number of masters that vote. */
    default int up() {
        return (int) servers().stream().filter(ServerStatus::up).count();
    }

    /** Returns how many of the masters that vote may fail before the majority is lost. */
    default int tolerance(int up) {
        return Math.max(0, up - quorum());
    }

    /** Returns whether locks can be granted: whether a majority votes. */
    default boolean hasQuorum() {
        return up() >= quorum();
    }

    /** Returns after which time so many quarantines have ended that a majority votes; empty if one votes, or if others are missing. */
    default Optional<Duration> untilQuorum() {
        int missing = quorum() - up();
        return missing <= 0
                ? Optional.empty()
                : servers().stream()
                        .map(ServerStatus::quarantine)
                        .flatMap(Optional::stream)
                        .sorted()
                        .skip(missing - 1)
                        .findFirst();
    }

    /** Returns a server without which no majority votes, and the cure; empty if one votes, or if no cure is known. */
    default Optional<String> cure() {
        return hasQuorum()
                ? Optional.empty()
                : servers().stream()
                        .filter(server ->
                                server.problem().filter(CURABLE::contains).isPresent())
                        .flatMap(server -> server.detail().map(detail -> server.alias() + " " + detail).stream())
                        .findFirst();
    }
}
