package io.quorumlock.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Bounds the talk with one node.
 *
 * @param timeout for each command, from enqueued to answered; far below any TTL
 * @param connectTimeout for connecting and the handshake together
 * @param authorities certificates in PEM that vouch for {@code rediss://} nodes, instead of the JVM's
 */
public record LinkSettings(Duration timeout, Duration connectTimeout, Optional<Path> authorities) {
    /** No reply for this long means that the connection is dead, whatever the socket says. */
    static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);

    /** A timer that comes this late tells of a pause of our own: of the collector, or of the machine. */
    static final Duration HELD_UP = Duration.ofMillis(10);

    /** The first connection of a process pays for loading classes. */
    private static final Duration FIRST_CONNECT = Duration.ofSeconds(2);

    static final Duration READ_FIRST = Duration.ofMillis(1);
    static final Duration HEARTBEAT = Duration.ofSeconds(1);
    static final Duration FIRST_RECONNECT = Duration.ofMillis(50);
    static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
    /** Commands in one write: enough to amortise the write, few enough for Redis to serve others in between. */
    static final int BATCH = 256;
    /** Batches written and not yet answered: what comes meanwhile makes the next one larger, which spares Redis most. */
    static final int BATCHES_IN_FLIGHT = 1;
    /** Commands waiting for a place in a batch; more means that the node cannot keep up (R14). */
    static final int QUEUE = 16_384;

    Duration firstConnectTimeout() {
        return connectTimeout.compareTo(FIRST_CONNECT) > 0 ? connectTimeout : FIRST_CONNECT;
    }
}
