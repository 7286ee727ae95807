// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineSettings;
import java.time.Duration;
import java.util.OptionalInt;

/** The votes in answers of this engine: a store counts as one master. */
final class StoreVotes {
    static final Votes ONE = new Votes(1, 1, 1);

    private StoreVotes() {}

    /** Returns the lease of records that were written. */
    static Lease lease(
            ResourceNames resources,
            KnownLease written,
            Duration ttl,
            Duration validity,
            Duration elapsed,
            EngineSettings settings,
            OptionalInt slot) {
        return new Lease(
                resources,
                written.token(),
                written.record().fence().orElseThrow(),
                ttl,
                validity,
                elapsed,
                Duration.ZERO,
                settings.extensionsLeft(written.record().extensionsUsed()),
                ONE,
                slot);
    }

    /** Returns the reason if the store gave no answer. */
    static NoQuorumReason noAnswer(Effect effect) {
        return new NoQuorumReason(0, 1, 1, effect);
    }

    /** Returns the reason if the store answered too late. */
    static NoQuorumReason lateAnswer() {
        return new NoQuorumReason(1, 1, 1, Effect.UNKNOWN);
    }
}
