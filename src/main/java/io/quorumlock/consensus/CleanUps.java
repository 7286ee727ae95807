// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordOperation.OperationContext;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** The deletes in the background, whose number is bounded (R14). A record that is not deleted ends with its TTL. */
final class CleanUps {
    private static final int MOST = 2_048;

    private int pending;

    /** @param longest after this time a failed delete is not repeated */
    void delete(ResourceName resource, Predicate<Sighting> condition, Duration longest, OperationContext context) {
        if (pending < MOST) {
            pending++;
            CompletableFuture<Void> end = new CompletableFuture<>();
            end.whenComplete((done, bug) -> pending--);
            new CleanUpOperation(resource, condition, longest, context, end).run();
        }
    }

    int pending() {
        return pending;
    }
}
