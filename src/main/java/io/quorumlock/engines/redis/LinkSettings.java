// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.loop.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The limits of the communication with one master.
 *
 * @param timeout for each command, from enqueuing to reply; much shorter than any TTL
 * @param connectTimeout for connection and handshake together
 * @param authorities CA certificates in PEM for {@code rediss://} masters, instead of those of the JVM
 */
public record LinkSettings(Duration timeout, Duration connectTimeout, Optional<Path> authorities) {
    /** After this time without a reply the connection counts as dead. */
    public static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);

    /** A timer that is later than this indicates a pause of this process, by garbage collection or by the machine. */
    static final Duration PAUSED = Duration.ofMillis(10);

    /** The minimum timeout of the first connection, which takes longer because classes are loaded. */
    private static final Duration FIRST_CONNECT = Duration.ofSeconds(2);

    public static final Duration READ_DELAY = Duration.ofMillis(1);
    public static final Duration HEARTBEAT = Duration.ofSeconds(1);
    public static final Duration FIRST_RECONNECT = Duration.ofMillis(50);
    public static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
    /** Maximum number of commands in one batch. Redis serves other clients between two batches. */
    public static final int BATCH = 256;
    /** Maximum number of queued commands (R14). A longer queue means that the master is too slow. */
    public static final int QUEUE = 16_384;

    public Duration firstConnectTimeout() {
        return Durations.max(connectTimeout, FIRST_CONNECT);
    }
}
