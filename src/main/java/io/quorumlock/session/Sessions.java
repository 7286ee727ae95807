// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The sessions of this replica: leases that are extended while their clients are connected or send heartbeats. */
public interface Sessions {

    /**
     * Acquires a lease and starts a session with it.
     *
     * @param listener receives the events after the opening in their order, on the event loop; must not block
     * @return the outcome, completed on the event loop before the first event; fails in case of a bug. If the caller
     *     cancels it earlier, the opening ends, and a lease that was granted is released (R11)
     */
    CompletableFuture<Opening> open(ResourceName resource, SessionTerms terms, Consumer<SessionEvent> listener);

    /** Sends a heartbeat of a client to the replica that has its session. */
    CompletableFuture<BeatOutcome> beat(ResourceName resource, LeaseToken token);

    /** Returns the number of sessions on this replica, including those that wait for their lease. */
    int count();

    /** An open session. Thread-safe. */
    @FunctionalInterface
    interface Session {
        /** Ends the session. Has no effect after its end. */
        void end(SessionEndReason why);
    }

    /** The outcome of an opening. */
    sealed interface Opening {

        /** The session was opened with this lease. */
        record Opened(Session session, Lease lease) implements Opening {
            @Override
            public String toString() {
                return "Opened[lease=" + lease + "]";
            }
        }

        /** The lease was not acquired. */
        record Refused(Acquisition why) implements Opening {}

        /** The opening was rejected, because this replica has the maximum number of sessions. */
        record TooManySessions(int most) implements Opening {}
    }

    /**
     * The limits of sessions.
     *
     * @param most maximum number on this replica (R14)
     * @param longest maximum duration of a session (R13)
     */
    record Bounds(int most, Duration longest) {}

    /**
     * The terms of a session.
     *
     * @param lease the terms of the acquire; each extension uses the same TTL
     * @param beat maximum time between two heartbeats of the client; empty if heartbeats are not required
     * @param whenGone what happens to the lease of a client that is gone
     */
    record SessionTerms(AcquireTerms lease, Optional<Duration> beat, WhenGone whenGone) {

        /** The handling of a lease whose client is gone. */
        public enum WhenGone {
            /** The lease expires with its TTL, because an unreachable client may still work and rely on it (S1). */
            EXPIRE,
            /** The lease is released at once. The client must stop its work when its connection ends. */
            RELEASE
        }
    }
}
