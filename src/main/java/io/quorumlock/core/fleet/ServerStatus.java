// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import java.time.Duration;
import java.util.Optional;

/**
 * The status of one master as this replica sees it.
 *
 * @param alias the name of the master in logs, metrics and the API: node-1, node-2, … in the configured order
 * @param address host and port, without credentials
 * @param up whether the master votes
 * @param problem why the master does not vote, or why its last command failed; empty after the next success
 * @param detail explains the problem to people, without credentials
 * @param latency duration of the latest command
 * @param restarts how often the master reconnected as another server process
 * @param quarantine remaining time without a vote (R9)
 * @param clockOffset the master's wall clock minus this replica's, at the last heartbeat; exact to half a round trip
 * @param role what a server of a store is to the others, such as "leader"; empty for independent masters
 */
public record ServerStatus(
        String alias,
        String address,
        boolean up,
        Optional<ServerFailure> problem,
        Optional<String> detail,
        Optional<Duration> latency,
        int restarts,
        Optional<Duration> quarantine,
        Optional<Duration> clockOffset,
        Optional<String> role) {
    /** Returns whether this is the present problem. */
    public boolean has(ServerFailure reason) {
        return problem.equals(Optional.of(reason));
    }
}
