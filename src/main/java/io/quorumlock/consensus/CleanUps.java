// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordOperation.OperationContext;
import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** The clean-ups in the background, whose number is bounded (R14). A record that is not deleted ends with its TTL. */
final class CleanUps {
    private static final int MOST = 2_048;

    private int pending;

    /**
     * Changes the records that meet the condition.
     *
     * @param longest after this time a failed change is not repeated
     */
    void start(
            ResourceNames resources,
            Predicate<Sighting> condition,
            Function<Sighting, Change> change,
            Duration longest,
            OperationContext context) {
        if (pending < MOST) {
            pending++;
            CompletableFuture<Void> end = new CompletableFuture<>();
            end.whenComplete((done, bug) -> pending--);
            new CleanUpOperation(resources, condition, change, longest, context, end).run();
        }
    }

    int pending() {
        return pending;
    }
}
