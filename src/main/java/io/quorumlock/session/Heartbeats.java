package io.quorumlock.session;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.concurrent.CompletableFuture;

/** Carries beats between replicas. One may be late or lost: the next comes soon. Called on the engine's loop. */
public interface Heartbeats {

    /** Listens for the beats of one session, which are told on the engine's loop. */
    Watch watch(ResourceName resource, LeaseToken token, Runnable beat);

    /** Sends one to whichever replica listens. */
    CompletableFuture<BeatOutcome> send(ResourceName resource, LeaseToken token);

    /** Is one session that is listened for. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
