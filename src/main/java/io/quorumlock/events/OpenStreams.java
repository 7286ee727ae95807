// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.events;

import java.time.Duration;

/** The open event streams of this replica. */
public interface OpenStreams {
    int open();

    /** Returns how many streams were closed because their clients read too slowly. */
    long cut();

    /** Ends all streams, and rejects new ones. */
    void end();

    /**
     * The limits of event streams.
     *
     * @param most maximum number of streams on this replica
     * @param heartbeat interval of the heartbeats in a stream without events
     */
    record StreamLimits(int most, Duration heartbeat) {}
}
