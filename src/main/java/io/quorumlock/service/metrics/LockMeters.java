// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import static io.quorumlock.core.lock.Acquisition.Kind.SHUTTING_DOWN;
import static io.quorumlock.core.lock.Acquisition.Kind.TOO_MANY_WAITERS;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockListener;
import io.quorumlock.core.lock.Release;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumSet;

/** The meters of acquires, extensions and releases. */
@Singleton
final class LockMeters implements LockListener {
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500)
    };

    private final OutcomeMeters<Timer> acquires;
    private final OutcomeMeters<Timer> extensions;
    private final OutcomeMeters<Timer> releases;
    private final OutcomeMeters<Counter> forcedReleases;
    /** Its maximum is the greatest age of the leases that this replica extended in the last minutes. */
    private final Timer ages;

    private final DistributionSummary validity;
    private final Counter splitVotes;

    LockMeters(MeterRegistry registry) {
        // The outcomes of the wait queues need no quorum round.
        acquires = new OutcomeMeters<>(
                rounds(registry, "acquire"), EnumSet.complementOf(EnumSet.of(TOO_MANY_WAITERS, SHUTTING_DOWN)));
        extensions = new OutcomeMeters<>(rounds(registry, "extend"), EnumSet.allOf(Extension.Kind.class));
        releases = new OutcomeMeters<>(rounds(registry, "release"), EnumSet.allOf(Release.Kind.class));
        forcedReleases = new OutcomeMeters<>(
                Counter.builder("quorumlock.force.releases")
                        .description("Forced releases by outcome")
                        .withRegistry(registry),
                EnumSet.allOf(ForcedRelease.Kind.class));
        ages = Timer.builder("quorumlock.lease.age")
                .description("Age of leases when they are extended")
                .register(registry);
        validity = DistributionSummary.builder("quorumlock.validity.ratio")
                .description("Validity of a granted lease divided by its TTL")
                .serviceLevelObjectives(0.5, 0.8, 0.9, 0.95, 0.98)
                .register(registry);
        splitVotes = Counter.builder("quorumlock.split.votes")
                .description("Acquires that got some votes, but no majority")
                .register(registry);
    }

    private static MeterProvider<Timer> rounds(MeterRegistry registry, String verb) {
        return Timer.builder("quorumlock." + verb)
                .description("Duration of the quorum round of " + verb)
                .serviceLevelObjectives(BUCKETS)
                .withRegistry(registry);
    }

    @Override
    public void acquire(Acquisition outcome, Duration elapsed) {
        acquires.of(outcome).record(elapsed);
        if (outcome.kind() == Acquisition.Kind.ACQUIRED) {
            Lease lease = outcome.granted().orElseThrow();
            validity.record((double) lease.validity().toNanos() / lease.ttl().toNanos());
        }
    }

    @Override
    public void extend(Extension outcome, Duration elapsed) {
        extensions.of(outcome).record(elapsed);
        if (outcome instanceof Extension.Extended extended) {
            extended.age().ifPresent(ages::record);
        }
    }

    @Override
    public void release(Release outcome, Duration elapsed) {
        releases.of(outcome).record(elapsed);
    }

    @Override
    public void forceRelease(ForcedRelease outcome) {
        forcedReleases.of(outcome).increment();
    }

    @Override
    public void splitVote() {
        splitVotes.increment();
    }
}
