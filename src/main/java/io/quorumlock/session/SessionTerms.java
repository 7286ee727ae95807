package io.quorumlock.session;

import io.quorumlock.lock.AcquireTerms;
import java.time.Duration;
import java.util.Optional;

/**
 * The terms of a session.
 *
 * @param lease the terms of the acquire; each extension uses the same TTL
 * @param beat maximum time between two heartbeats of the client; empty if heartbeats are not required
 * @param whenGone what happens to the lease of a client that is gone
 */
public record SessionTerms(AcquireTerms lease, Optional<Duration> beat, WhenGone whenGone) {

    /** The handling of a lease whose client is gone. */
    public enum WhenGone {
        /** The lease expires with its TTL, because an unreachable client may still work and rely on it (S1). */
        EXPIRE,
        /** The lease is released at once. The client must stop its work when its connection ends. */
        RELEASE
    }
}
