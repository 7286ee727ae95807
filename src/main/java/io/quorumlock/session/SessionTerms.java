package io.quorumlock.session;

import io.quorumlock.lock.AcquireTerms;
import java.time.Duration;
import java.util.Optional;

/**
 * Says on which terms a session is asked for.
 *
 * @param lease what to acquire; each extension gives it its TTL again
 * @param beat the longest time between two beats of the client; empty where its connection is proof enough
 * @param whenGone what becomes of the lease of a client that is gone
 */
public record SessionTerms(AcquireTerms lease, Optional<Duration> beat, WhenGone whenGone) {

    /** Is what becomes of a lease. */
    public enum WhenGone {
        /** It ends with its TTL: whoever cannot be heard may still be at work, and count on it (S1). */
        EXPIRE,
        /** It is released at once: the client has said that it stops when it cannot be heard. */
        RELEASE
    }
}
