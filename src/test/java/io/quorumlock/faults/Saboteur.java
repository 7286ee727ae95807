// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The execution of a fault plan. Each crew inflicts its faults one after the other, and waits for the recovery of each
 * victim.
 */
final class Saboteur {
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final FaultPlan plan;
    private final Field field;
    private final Consumer<HistoryLine> history;

    Saboteur(FaultPlan plan, Field field, Consumer<HistoryLine> history) {
        this.plan = plan;
        this.field = field;
        this.history = history;
    }

    /** Returns when all faults are over. Fails if a fault could not be inflicted. */
    void run(long begun) {
        List<CompletableFuture<Void>> crews = plan.crews().stream()
                .map(faults -> CompletableFuture.runAsync(
                        () -> faults.forEach(fault -> inflict(fault, begun)), work -> new Thread(work, "crew").start()))
                .toList();
        crews.forEach(CompletableFuture::join);
    }

    private void inflict(PlannedFault fault, long begun) {
        Pause.until(begun + Duration.ofMillis(fault.startMs()).toNanos());
        Injury injury = field.injury(fault);
        long from = System.nanoTime();
        injury.begin();
        Pause.of(Duration.ofMillis(fault.lengthMs()));
        injury.end();
        long until = System.nanoTime();
        boolean well = recovers(injury, until);
        String evidence = injury.evidence().orElse("");
        history.accept(new InflictedFault(
                fault.number(),
                fault.kind(),
                fault.victim(),
                fault.command(),
                fault.amount(),
                from,
                until,
                System.nanoTime(),
                evidence,
                !evidence.isEmpty()));
        if (!well) {
            history.accept(
                    new Observation(Promise.L, "victims not recovered in time, for example after " + fault, 1, 0));
        }
    }

    /** Waits for evidence and recovery. Missing evidence is not awaited for long. */
    private static boolean recovers(Injury injury, long until) {
        long look = until + Duration.ofSeconds(2).toNanos();
        while (injury.evidence().isEmpty() && System.nanoTime() < look) {
            Pause.of(LOOK);
        }
        while (!injury.isOver() && System.nanoTime() - until < LONGEST_RECOVERY.toNanos()) {
            Pause.of(LOOK);
        }
        return injury.isOver();
    }
}
