// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.Release.Holder;
import java.util.Locale;
import java.util.Set;

/** The values of the label {@code outcome}. */
enum Outcome {
    ACQUIRED,
    REPLAYED,
    HELD,
    TOKEN_IN_USE,
    TOO_SHORT,
    NO_QUORUM,
    SHUTTING_DOWN,
    EXTENDED,
    EXHAUSTED,
    RELEASED,
    LOST,
    NOT_OWNER,
    UNCONFIRMED,
    FREE,
    LEFT_ALONE;

    static final Set<Outcome> OF_ACQUIRE = Set.of(ACQUIRED, REPLAYED, HELD, TOKEN_IN_USE, TOO_SHORT, NO_QUORUM);
    static final Set<Outcome> OF_WAIT =
            Set.of(ACQUIRED, REPLAYED, HELD, TOKEN_IN_USE, TOO_SHORT, NO_QUORUM, SHUTTING_DOWN);
    static final Set<Outcome> OF_EXTEND = Set.of(EXTENDED, EXHAUSTED, TOO_SHORT, LOST, NOT_OWNER, UNCONFIRMED);
    static final Set<Outcome> OF_RELEASE = Set.of(RELEASED, LOST, NOT_OWNER, UNCONFIRMED);
    static final Set<Outcome> OF_FORCE = Set.of(RELEASED, FREE, LEFT_ALONE, NO_QUORUM, UNCONFIRMED);

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Outcome of(Acquisition acquisition) {
        if (acquisition instanceof Acquisition.Acquired) {
            return ACQUIRED;
        }
        if (acquisition instanceof Acquisition.Replayed) {
            return REPLAYED;
        }
        if (acquisition instanceof Acquisition.Held) {
            return HELD;
        }
        if (acquisition instanceof Acquisition.ShuttingDown) {
            return SHUTTING_DOWN;
        }
        if (acquisition instanceof Acquisition.TooShort) {
            return TOO_SHORT;
        }
        return acquisition instanceof Acquisition.TokenInUse ? TOKEN_IN_USE : NO_QUORUM;
    }

    static Outcome of(Extension extension) {
        if (extension instanceof Extension.Extended) {
            return EXTENDED;
        }
        if (extension instanceof Extension.Lost lost) {
            return of(lost.holder());
        }
        if (extension instanceof Extension.TooShort) {
            return TOO_SHORT;
        }
        return extension instanceof Extension.Exhausted ? EXHAUSTED : UNCONFIRMED;
    }

    static Outcome of(Release release) {
        if (release instanceof Release.Released) {
            return RELEASED;
        }
        return release instanceof Release.NotHeld notHeld ? of(notHeld.holder()) : UNCONFIRMED;
    }

    static Outcome of(ForcedRelease release) {
        if (release instanceof ForcedRelease.Broken) {
            return RELEASED;
        }
        if (release instanceof ForcedRelease.Free) {
            return FREE;
        }
        if (release instanceof ForcedRelease.LeftAlone) {
            return LEFT_ALONE;
        }
        return release instanceof ForcedRelease.NoQuorum ? NO_QUORUM : UNCONFIRMED;
    }

    private static Outcome of(Holder holder) {
        return holder == Holder.ANOTHER ? NOT_OWNER : LOST;
    }
}
