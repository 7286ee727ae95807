// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.fleet;

import java.util.List;
import java.util.Optional;

/**
 * The configured masters, or the servers of a store, as this replica sees them. Reads state from memory and calls none of them,
 * so that probes may use it.
 */
public interface Fleet {

    /** Returns the configured masters in their order. */
    List<ServerStatus> servers();

    /** Returns the quorum: a majority of the configured masters (R1). */
    int quorum();

    /** Returns the number of masters that vote. */
    default int up() {
        return (int) servers().stream().filter(ServerStatus::up).count();
    }

    /** Returns which server answers too late, and the cure; empty if none is known to. */
    default Optional<String> slowness() {
        return servers().stream()
                .filter(server -> server.has(ServerFailure.SLOW))
                .map(server -> server.alias() + " " + server.detail().orElseThrow())
                .findFirst();
    }

    /** Returns whether locks can be granted: whether a majority votes. */
    default boolean hasQuorum() {
        return up() >= quorum();
    }
}
