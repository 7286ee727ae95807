package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeStatus;
import java.time.Duration;
import java.util.Optional;

/** Is what is known of a node: written by the event loop only, read by any thread, without a lock or an allocation. */
final class LinkStatus {
    private static final long UNKNOWN = -1;

    private final String alias;
    private volatile boolean up;
    private volatile NodeFailure problem = NodeFailure.DISCONNECTED;
    private volatile String detail;
    private volatile long latencyNanos = UNKNOWN;
    private volatile int restarts;

    LinkStatus(String alias) {
        this.alias = alias;
    }

    NodeStatus get() {
        long nanos = latencyNanos;
        return new NodeStatus(
                alias,
                up,
                Optional.ofNullable(problem),
                Optional.ofNullable(detail),
                nanos == UNKNOWN ? Optional.empty() : Optional.of(Duration.ofNanos(nanos)),
                restarts);
    }

    boolean isUp() {
        return up;
    }

    boolean isRefused() {
        return problem == NodeFailure.REFUSED;
    }

    void measured(Duration latency) {
        latencyNanos = latency.toNanos();
    }

    /** Notes a vote: whatever the problem was, it is over. */
    void voted() {
        if (problem != null) {
            problem = null;
        }
    }

    /** Notes a heartbeat: it shows that the node answers, not that it votes. */
    void heard() {
        if (problem == NodeFailure.TIMEOUT || problem == NodeFailure.OVERLOADED) {
            problem = null;
        }
    }

    void failed(NodeFailure reason) {
        if (up) {
            problem = reason;
        }
    }

    void up(boolean restarted) {
        if (restarted) {
            restarts = restarts + 1;
        }
        up = true;
        problem = null;
        detail = null;
    }

    void down(NodeFailure reason, Optional<String> why) {
        up = false;
        problem = reason;
        detail = why.orElse(null);
        latencyNanos = UNKNOWN;
    }

    void refused(String why) {
        down(NodeFailure.REFUSED, Optional.of(why));
    }
}
