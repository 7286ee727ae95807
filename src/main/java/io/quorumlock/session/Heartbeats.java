// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.ResourceName;
import java.util.concurrent.CompletableFuture;

/** The transport of heartbeats between replicas. It may lose or delay them. Used on the event loop only. */
public interface Heartbeats {

    /** Subscribes to the heartbeats of one session, which are delivered on the event loop. */
    Watch watch(ResourceName resource, LeaseToken token, Runnable beat);

    /** Sends a heartbeat to the replica that has the session. */
    CompletableFuture<BeatOutcome> send(ResourceName resource, LeaseToken token);

    /** The subscription to one session. */
    @FunctionalInterface
    interface Watch {
        void end();
    }

    /** The outcome of sending a heartbeat. */
    sealed interface BeatOutcome {

        /** A replica has the session. It received the heartbeat, or will receive it from at least one node. */
        record Heard() implements BeatOutcome {}

        /** No replica has such a session, according to a majority of the nodes and to all that answered. */
        record NoSession() implements BeatOutcome {}

        /** Too few nodes know a replica with the session, or too few answered to rule one out. */
        record Unconfirmed(NoQuorumReason why) implements BeatOutcome {}
    }
}
