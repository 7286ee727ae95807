// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.Release;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The meters of acquires, extensions and releases. */
@Singleton
final class LockMeters implements LockListener {
    private final OutcomeMeters acquires;
    private final OutcomeMeters extensions;
    private final OutcomeMeters releases;
    private final Map<Outcome, Counter> forceReleases = new EnumMap<>(Outcome.class);
    private final DistributionSummary validity;
    private final Counter splitVotes;

    LockMeters(MeterRegistry registry) {
        acquires = new OutcomeMeters(registry, "acquire", Outcome.OF_ACQUIRE);
        extensions = new OutcomeMeters(registry, "extend", Outcome.OF_EXTEND);
        releases = new OutcomeMeters(registry, "release", Outcome.OF_RELEASE);
        for (Outcome outcome : Outcome.OF_FORCE) {
            forceReleases.put(
                    outcome,
                    Counter.builder("quorumlock.force.releases")
                            .description("Forced releases by outcome")
                            .tag("outcome", outcome.label())
                            .register(registry));
        }
        validity = DistributionSummary.builder("quorumlock.validity.ratio")
                .description("Validity of a granted lease divided by its TTL")
                .serviceLevelObjectives(0.5, 0.8, 0.9, 0.95, 0.98)
                .register(registry);
        splitVotes = Counter.builder("quorumlock.split.votes")
                .description("Acquires that got some votes, but no majority")
                .register(registry);
    }

    @Override
    public void acquire(Acquisition outcome, Duration elapsed) {
        acquires.record(Outcome.of(outcome), elapsed);
        if (outcome instanceof Acquisition.Acquired acquired) {
            Lease lease = acquired.lease();
            validity.record((double) lease.validity().toNanos() / lease.ttl().toNanos());
        }
    }

    @Override
    public void extend(Extension outcome, Duration elapsed) {
        extensions.record(Outcome.of(outcome), elapsed);
    }

    @Override
    public void release(Release outcome, Duration elapsed) {
        releases.record(Outcome.of(outcome), elapsed);
    }

    @Override
    public void forceRelease(ForcedRelease outcome) {
        forceReleases.get(Outcome.of(outcome)).increment();
    }

    @Override
    public void splitVote() {
        splitVotes.increment();
    }
}
