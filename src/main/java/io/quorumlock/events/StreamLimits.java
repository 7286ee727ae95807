package io.quorumlock.events;

import java.time.Duration;

/**
 * Bounds the streams of events.
 *
 * @param most at the same time on this replica
 * @param heartbeat after which a stream without events says that it lives
 */
public record StreamLimits(int most, Duration heartbeat) {}
