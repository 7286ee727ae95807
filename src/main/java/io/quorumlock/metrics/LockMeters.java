// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import static io.quorumlock.lock.Acquisition.Kind.SHUTTING_DOWN;
import static io.quorumlock.lock.Acquisition.Kind.TOO_MANY_WAITERS;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.LockOutcome;
import io.quorumlock.lock.Release;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

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
        Duration.ofMillis(100)
    };

    private final MeterProvider<Timer> acquires;
    private final MeterProvider<Timer> extensions;
    private final MeterProvider<Timer> releases;
    private final MeterProvider<Counter> forcedReleases;
    /** Its maximum is the greatest age of the leases that this replica extended in the last minutes. */
    private final Timer ages;

    private final DistributionSummary validity;
    private final Counter splitVotes;

    LockMeters(MeterRegistry registry) {
        acquires = rounds(registry, "acquire");
        extensions = rounds(registry, "extend");
        releases = rounds(registry, "release");
        forcedReleases = Counter.builder("quorumlock.force.releases")
                .description("Forced releases by outcome")
                .withRegistry(registry);
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
        // The outcomes of the wait queues need no quorum round.
        register(acquires, EnumSet.complementOf(EnumSet.of(TOO_MANY_WAITERS, SHUTTING_DOWN)));
        register(extensions, EnumSet.allOf(Extension.Kind.class));
        register(releases, EnumSet.allOf(Release.Kind.class));
        register(forcedReleases, EnumSet.allOf(ForcedRelease.Kind.class));
    }

    private static MeterProvider<Timer> rounds(MeterRegistry registry, String verb) {
        return Timer.builder("quorumlock." + verb)
                .description("Duration of the quorum round of " + verb)
                .serviceLevelObjectives(BUCKETS)
                .withRegistry(registry);
    }

    /** Registers the series before the first event, so that rates include it. */
    static void register(MeterProvider<?> meters, Set<? extends Enum<?>> kinds) {
        kinds.forEach(kind -> meters.withTag("outcome", LockOutcome.label(kind)));
    }

    @Override
    public void acquire(Acquisition outcome, Duration elapsed) {
        acquires.withTag("outcome", outcome.label()).record(elapsed);
        if (outcome.kind() == Acquisition.Kind.ACQUIRED) {
            Lease lease = outcome.granted().orElseThrow();
            validity.record((double) lease.validity().toNanos() / lease.ttl().toNanos());
        }
    }

    @Override
    public void extend(Extension outcome, Duration elapsed) {
        extensions.withTag("outcome", outcome.label()).record(elapsed);
        if (outcome instanceof Extension.Extended extended) {
            extended.age().ifPresent(ages::record);
        }
    }

    @Override
    public void release(Release outcome, Duration elapsed) {
        releases.withTag("outcome", outcome.label()).record(elapsed);
    }

    @Override
    public void forceRelease(ForcedRelease outcome) {
        forcedReleases.withTag("outcome", outcome.label()).increment();
    }

    @Override
    public void splitVote() {
        splitVotes.increment();
    }
}
