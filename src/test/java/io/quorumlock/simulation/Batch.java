// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A batch of seeds, run on several threads, with the sum of their evidence. Each seed runs on one thread. */
final class Batch {
    private static final int MOST_FAILURES = 5;
    private static final int THREADS = 2;

    private final long[] seeds;
    private final boolean beyondTheModel;
    private final Progress progress;
    private final AtomicInteger next = new AtomicInteger();
    private final List<Run> failures = new ArrayList<>();
    private long done;
    private Evidence evidence = Evidence.NONE;

    Batch(LongStream seeds, boolean beyondTheModel, Progress progress) {
        this.seeds = seeds.toArray();
        this.beyondTheModel = beyondTheModel;
        this.progress = progress;
    }

    /** Runs all seeds, or until enough have failed. */
    Batch run(int failuresWanted) {
        return run(failuresWanted, run -> true);
    }

    /** Runs all seeds, or until enough have failed as wanted. */
    Batch run(int failuresWanted, Predicate<Run> wanted) {
        List<Thread> threads = Stream.generate(() -> new Thread(() -> work(failuresWanted, wanted), "simulation"))
                .limit(THREADS)
                .toList();
        List<Throwable> broken = new ArrayList<>();
        threads.forEach(thread -> thread.setUncaughtExceptionHandler((which, failure) -> addFailure(broken, failure)));
        threads.forEach(Thread::start);
        threads.forEach(Batch::join);
        if (!broken.isEmpty()) {
            throw new AssertionError("a run was aborted", broken.get(0));
        }
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
                add(Simulation.run(seed, beyondTheModel, false));
            } catch (RuntimeException e) {
                throw new IllegalStateException("seed " + seed, e);
            }
            i = next.getAndIncrement();
        }
    }

    private synchronized void add(Run run) {
        done++;
        evidence = evidence.plus(run.evidence());
        if (!run.violations().isEmpty()) {
            failures.add(run);
        }
        progress.at(done, seeds.length);
    }

    private synchronized long failed(Predicate<Run> wanted) {
        return failures.stream().filter(wanted).count();
    }

    private synchronized void addFailure(List<Throwable> broken, Throwable failure) {
        broken.add(failure);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    long done() {
        return done;
    }

    Evidence evidence() {
        return evidence;
    }

    List<Run> failures() {
        return failures;
    }

    /** Returns the evidence that occurred too rarely for a conclusion; empty if there was enough. */
    List<String> missingEvidence() {
        List<String> missingEvidence = new ArrayList<>();
        if (evidence.grants() < done * 10) {
            missingEvidence.add("grants");
        }
        if (evidence.contended() < evidence.grants() / 10) {
            missingEvidence.add("contention");
        }
        if (evidence.tooShort() < done / 10) {
            missingEvidence.add("leases with too little validity");
        }
        if (!isBeyondTheModel() && evidence.foundings() < done / 20) {
            missingEvidence.add("new fleets");
        }
        if (evidence.stepsSeen() < done / 10) {
            missingEvidence.add("detected clock steps");
        }
        for (Fault fault : faults()) {
            if (evidence.faults().getOrDefault(fault, 0) < done / 10) {
                missingEvidence.add(fault.name());
            }
        }
        for (Use use : Use.values()) {
            if (evidence.uses().getOrDefault(use, 0) < done / 10) {
                missingEvidence.add(use.name());
            }
        }
        return done == 0 ? List.of("seeds") : missingEvidence;
    }

    private boolean isBeyondTheModel() {
        return beyondTheModel;
    }

    /** Beyond the model, disasters replace some kinds of faults. */
    private Set<Fault> faults() {
        Set<Fault> kinds = EnumSet.allOf(Fault.class);
        if (isBeyondTheModel()) {
            kinds.removeAll(Fault.OF_CLOCKS);
        }
        return kinds;
    }

    @Override
    public String toString() {
        return done + " seeds, " + evidence.calls() + " calls, " + evidence.grants() + " grants, "
                + evidence.contended() + " met another holder, " + evidence.tooShort() + " too short, "
                + evidence.foundings() + " masters founded, " + evidence.stepsSeen() + " clock steps detected, uses "
                + evidence.uses() + ", faults "
                + evidence.faults();
    }
}
