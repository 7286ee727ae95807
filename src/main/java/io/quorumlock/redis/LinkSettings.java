package io.quorumlock.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The limits of the communication with one node.
 *
 * @param timeout for each command, from enqueuing to reply; much shorter than any TTL
 * @param connectTimeout for connection and handshake together
 * @param authorities CA certificates in PEM for {@code rediss://} nodes, instead of those of the JVM
 */
public record LinkSettings(Duration timeout, Duration connectTimeout, Optional<Path> authorities) {
    /** After this time without a reply the connection counts as dead. */
    static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);

    /** A timer with a larger delay indicates a pause of this process, by garbage collection or by the machine. */
    static final Duration PAUSED = Duration.ofMillis(10);

    /** The first connection of a process takes longer, because classes are loaded. */
    private static final Duration FIRST_CONNECT = Duration.ofSeconds(2);

    static final Duration READ_DELAY = Duration.ofMillis(1);
    static final Duration HEARTBEAT = Duration.ofSeconds(1);
    static final Duration FIRST_RECONNECT = Duration.ofMillis(50);
    static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
    /** Commands in one batch: enough to amortise the write, few enough for Redis to serve other clients in between. */
    static final int BATCH = 256;
    /**
     * Maximum number of unanswered batches. Commands that arrive meanwhile form a larger batch, which saves most work
     * of Redis.
     */
    static final int BATCHES_IN_FLIGHT = 1;
    /** Maximum number of queued commands. More indicate that the node cannot keep up (R14). */
    static final int QUEUE = 16_384;

    Duration firstConnectTimeout() {
        return connectTimeout.compareTo(FIRST_CONNECT) > 0 ? connectTimeout : FIRST_CONNECT;
    }
}
