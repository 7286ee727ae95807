// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;
import io.quorumlock.testing.Background;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The execution of a fault plan. Each worker injects its faults one after the other, and waits for the recovery of each
 * victim.
 */
final class FaultInjector {
    static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(20);

    private final FaultPlan plan;
    private final SystemUnderTest system;
    private final Consumer<HistoryLine> history;
    private final Map<PlannedFault, CompletableFuture<Void>> over;

    FaultInjector(FaultPlan plan, SystemUnderTest system, Consumer<HistoryLine> history) {
        this.plan = plan;
        this.system = system;
        this.history = history;
        this.over = plan.workers().stream()
                .flatMap(List::stream)
                .collect(Collectors.toMap(Function.identity(), fault -> new CompletableFuture<>()));
    }

    /** Returns when all faults are over. Fails if a fault could not be injected. */
    void run(long begun) {
        List<CompletableFuture<Void>> workers = plan.workers().stream()
                .map(faults -> Background.run(() -> injectAll(faults, begun)))
                .toList();
        workers.forEach(CompletableFuture::join);
    }

    private void injectAll(List<PlannedFault> faults, long begun) {
        try {
            faults.forEach(fault -> injectInOrder(fault, begun));
        } finally {
            // A failure ends this worker. The others must not wait for its faults.
            faults.forEach(fault -> over.get(fault).complete(null));
        }
    }

    /** Waits for the faults that should be over by then: a busy machine may be late, and the victims may be the same. */
    private void injectInOrder(PlannedFault fault, long begun) {
        Pause.until(begun + Duration.ofMillis(fault.startMs()).toNanos());
        over.forEach((earlier, end) -> {
            if (earlier.recoveredMs() <= fault.startMs()) {
                end.join();
            }
        });
        inject(fault);
        over.get(fault).complete(null);
    }

    private void inject(PlannedFault fault) {
        FaultAction action = FaultAction.of(fault, system);
        long from = System.nanoTime();
        action.begin().run();
        Pause.of(Duration.ofMillis(fault.lengthMs()));
        action.end().run();
        long until = System.nanoTime();
        boolean recovered = recovers(action, from, until);
        String evidence = action.evidence().apply(from);
        history.accept(new FaultRecord(
                fault.number(),
                fault.kind(),
                fault.victim(),
                fault.command(),
                fault.amount(),
                from,
                until,
                System.nanoTime(),
                evidence));
        if (!recovered) {
            String what = "victims not recovered in time, for example after " + fault;
            history.accept(new Observation(Promise.L, what, 1, 0));
        }
    }

    /** Waits for evidence and recovery. Missing evidence is not awaited for long. */
    private static boolean recovers(FaultAction action, long from, long until) {
        long latest = until + Duration.ofSeconds(2).toNanos();
        while (action.evidence().apply(from).isEmpty() && System.nanoTime() < latest) {
            Pause.of(POLL);
        }
        while (!action.isOver().getAsBoolean() && System.nanoTime() - until < LONGEST_RECOVERY.toNanos()) {
            Pause.of(POLL);
        }
        return action.isOver().getAsBoolean();
    }
}
