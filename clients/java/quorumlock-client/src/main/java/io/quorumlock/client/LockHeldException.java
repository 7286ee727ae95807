// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Another client holds the lock, or it is kept after its release. */
@SuppressWarnings("serial")
public final class LockHeldException extends QuorumlockException {
    private final String owner;
    private final Duration remaining;
    private final boolean kept;
    private final List<String> names;

    LockHeldException(List<String> names, String owner, Duration remaining, boolean kept, boolean own) {
        super(
                names.get(0)
                        + (kept
                                ? " was released and is kept"
                                : " is held by " + Objects.requireNonNullElse(owner, "another client"))
                        + " for another " + remaining.toMillis() + " ms"
                        + (names.size() == 1 ? "" : "; also held: " + String.join(", ", names.subList(1, names.size())))
                        + (own ? "; this process holds it itself: locks are not re-entrant" : ""),
                null);
        this.owner = owner;
        this.remaining = remaining;
        this.kept = kept;
        this.names = names;
    }

    /** Returns the name, or the held ones of several; the other values are those of the first. */
    public List<String> names() {
        return names;
    }

    /** Returns whether the holder has released the lock, and nobody gets it for the remaining time. */
    public boolean isKept() {
        return kept;
    }

    /** Returns the label of the holder, without control characters, if it is known. */
    public Optional<String> owner() {
        return Optional.ofNullable(owner);
    }

    /** Returns the time until the lease of the holder ends, unless the holder extends it, or the kept time ends. */
    public Duration remaining() {
        return remaining;
    }
}
