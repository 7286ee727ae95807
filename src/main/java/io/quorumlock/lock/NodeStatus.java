package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * Is one node as this replica sees it.
 *
 * @param alias how the node is called everywhere: node-1, node-2, … in the order configured; never its URL
 * @param up whether it votes
 * @param problem why it does not vote, or why its last command failed, until one succeeds
 * @param detail what to know about the problem, for people; without credentials
 * @param latency of the latest command
 * @param restarts how often this replica saw it come back as another process
 * @param quarantine how long it will yet give no vote (R9)
 * @param clockOffset its wall clock less ours, at the last heartbeat
 */
public record NodeStatus(
        String alias,
        boolean up,
        Optional<NodeFailure> problem,
        Optional<String> detail,
        Optional<Duration> latency,
        int restarts,
        Optional<Duration> quarantine,
        Optional<Duration> clockOffset) {}
