// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Durations;
import io.quorumlock.core.loop.EngineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** An extension: writes the holder again, with a longer time (R7). */
record Extend(
        ResourceNames resources,
        LeaseToken token,
        Duration ttl,
        String write,
        Instant wallClock,
        EngineSettings settings)
        implements Operation<Extension> {

    @Override
    public Set<LeaseToken> tokens() {
        return Set.of(token);
    }

    @Override
    public Step<Extension> decide(Snapshot seen) {
        if (!seen.all(this::isHeld)) {
            Snapshot.Loss loss = seen.loss(token, this::isHeld);
            return Step.end(
                    seen,
                    Conclusion.<Extension>of(new Extension.Lost(loss.holder(), loss.resource()))
                            .with(HolderRemoval.rest(seen, token, settings.ttlMax())));
        }
        List<KnownLease> own = seen.leases(this::isHeld);
        LeaseRecord record = own.get(0).record();
        if (settings.extensionsLeft(record.extensionsUsed()).orElse(1) == 0) {
            return Step.end(
                    seen,
                    Conclusion.of(
                            new Extension.Exhausted(settings.extensionsMax().orElseThrow())));
        }
        Duration remaining = seen.remaining(own);
        Duration longer = Durations.max(remaining, ttl);
        return Step.write(seen.with(record.rewritten(write, longer).extended()));
    }

    private boolean isHeld(KnownLease lease) {
        return lease.isHeldBy(token, resources);
    }

    /** Measures the validity last (R4, S2). */
    @Override
    public Conclusion<Extension> written(Snapshot after, Duration elapsed) {
        Duration validity = settings.drift().validity(ttl, elapsed);
        if (validity.isZero()) {
            return Conclusion.of(new Extension.Unconfirmed(StoreVotes.lateAnswer()));
        }
        KnownLease own = after.written(write);
        return Conclusion.of(new Extension.Extended(
                StoreVotes.lease(resources, own, ttl, validity, elapsed, settings, OptionalInt.empty()),
                Optional.of(Duration.between(own.record().holder().since(), wallClock))));
    }

    @Override
    public Conclusion<Extension> failed(Effect effect) {
        return Conclusion.of(new Extension.Unconfirmed(StoreVotes.noAnswer(effect)));
    }
}
