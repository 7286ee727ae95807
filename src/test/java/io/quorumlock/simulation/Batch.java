// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.CallKind;
import io.quorumlock.simulation.Coverage.Measure;
import io.quorumlock.testing.Background;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A batch of seeds, run on several threads, with the sum of their coverage. Each seed runs on one thread. */
final class Batch {
    private static final int MOST_FAILURES = 5;
    private static final int THREADS = 2;
    private static final int SEEDS_PER_LINE = 5_000;

    private final long[] seeds;
    private final Scenario scenario;
    private final AtomicInteger next = new AtomicInteger();
    private final List<Run> failures = new ArrayList<>();
    private final Coverage coverage = new Coverage();
    private long done;

    Batch(LongStream seeds, Scenario scenario) {
        this.seeds = seeds.toArray();
        this.scenario = scenario;
    }

    /** Runs all seeds, or until enough have failed. */
    Batch run(int failuresWanted) {
        return run(failuresWanted, run -> true);
    }

    /** Runs all seeds, or until enough have failed as wanted. */
    Batch run(int failuresWanted, Predicate<Run> wanted) {
        CompletableFuture.allOf(Stream.generate(() -> Background.run(() -> work(failuresWanted, wanted)))
                        .limit(THREADS)
                        .toArray(CompletableFuture[]::new))
                .join();
        return this;
    }

    Batch run() {
        return run(MOST_FAILURES);
    }

    private void work(int failuresWanted, Predicate<Run> wanted) {
        int i = next.getAndIncrement();
        while (i < seeds.length && failed(wanted) < failuresWanted) {
            long seed = seeds[i];
            try {
                add(Simulation.run(seed, scenario, false));
            } catch (RuntimeException e) {
                throw new IllegalStateException("seed " + seed, e);
            }
            i = next.getAndIncrement();
        }
    }

    private synchronized void add(Run run) {
        done++;
        coverage.addAll(run.coverage());
        if (!run.violations().isEmpty()) {
            failures.add(run);
        }
        if (done % SEEDS_PER_LINE == 0) {
            System.out.println("simulation: " + done + " of " + seeds.length + " seeds");
        }
    }

    private synchronized long failed(Predicate<Run> wanted) {
        return failures.stream().filter(wanted).count();
    }

    Coverage coverage() {
        return coverage;
    }

    List<Run> failures() {
        return failures;
    }

    /** Returns what occurred too rarely for a conclusion; empty if everything occurred often enough. */
    List<String> missingCoverage() {
        List<String> missing = new ArrayList<>();
        require(Measure.GRANTS, Math.max(1, done * 10), missing);
        require(Measure.CONTENDED, coverage.of(Measure.GRANTS) / 10, missing);
        if (scenario != Scenario.CONSENSUS) {
            require(Measure.STEP_DETECTED, done / 10, missing);
        }
        if (scenario == Scenario.REDLOCK) {
            require(Measure.FOUNDED, done / 20, missing);
            require(Measure.COPIED, done / 10, missing);
            require(Measure.RESTORED, done / 10, missing);
        }
        faults().forEach(fault -> require(fault, done / 10, missing));
        for (CallKind kind : CallKind.values()) {
            require(kind, done / 50, missing);
        }
        for (Feature feature : Feature.values()) {
            require(feature, done / 50, missing);
        }
        return missing;
    }

    private void require(Enum<?> kind, long least, List<String> missing) {
        if (coverage.of(kind) < least) {
            missing.add(kind.name());
        }
    }

    /** Beyond the model, faults of a majority replace some kinds of faults. */
    private Set<? extends Enum<?>> faults() {
        Set<SimulatedFault> kinds = EnumSet.allOf(SimulatedFault.class);
        if (scenario == Scenario.REDLOCK_BEYOND_THE_MODEL) {
            kinds.removeAll(SimulatedFault.OF_CLOCKS);
        }
        return scenario == Scenario.CONSENSUS ? EnumSet.allOf(StoreFault.class) : kinds;
    }

    @Override
    public String toString() {
        return done + " seeds, " + coverage;
    }
}
