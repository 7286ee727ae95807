package io.quorumlock.session;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Keeps leases for clients for as long as they prove to be there. */
public interface Sessions {

    /**
     * Acquires a lease and keeps it.
     *
     * @param holder hears all news of it in their order, on the engine's loop; must not take long
     */
    Session open(ResourceName resource, SessionTerms terms, Consumer<SessionEvent> holder);

    /** Brings the word of a client that it is there to whichever replica keeps its session. */
    CompletableFuture<BeatOutcome> beat(ResourceName resource, LeaseToken token);

    /** Counts the sessions of this replica, those that wait for their lease included. */
    int count();

    /** Is one session; may be called from any thread. */
    @FunctionalInterface
    interface Session {
        /** Ends it, unless it is over. */
        void end(SessionEndReason why);
    }

    /**
     * Bounds sessions (R14).
     *
     * @param most at the same time on this replica
     * @param longest after which one ends whoever is there (R13)
     */
    record Bounds(int most, Duration longest) {}
}
