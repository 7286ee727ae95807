package io.quorumlock.events;

import java.time.Duration;

/**
 * The limits of event streams.
 *
 * @param most maximum number of streams on this replica
 * @param heartbeat interval of the heartbeats in a stream without events
 */
public record StreamLimits(int most, Duration heartbeat) {}
