package io.quorumlock.session;

import io.quorumlock.lock.LeaseToken;
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
}
