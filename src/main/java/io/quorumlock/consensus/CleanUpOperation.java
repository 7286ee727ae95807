// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * A delete in the background (R5). It is repeated until the store answers, or until the lease must be over. If there
 * is no such record, it looks once more: a write without a reply can take effect later.
 */
final class CleanUpOperation extends RecordOperation<Void> {
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final Predicate<Sighting> condition;
    private final MonotonicTime end;
    private final Backoff backoff;
    private boolean last;

    CleanUpOperation(
            ResourceName resource,
            Predicate<Sighting> condition,
            Duration longest,
            OperationContext context,
            CompletableFuture<Void> answer) {
        super(resource, context, answer, (outcome, elapsed) -> {});
        this.condition = condition;
        this.end = now().plus(longest);
        this.backoff =
                new Backoff(FIRST_DELAY, LONGEST_DELAY, context.engineContext().random());
    }

    @Override
    Optional<Change> change(Optional<Sighting> seen) {
        return seen.filter(condition).map(record -> new Change.Delete(record.stored()));
    }

    @Override
    void written(Optional<Sighting> written) {
        finish(null);
    }

    @Override
    void refused(Optional<Sighting> seen) {
        if (last) {
            finish(null);
        } else {
            last = true;
            runAfter(context.settings().storeTimeout());
        }
    }

    @Override
    void failed(Effect effect) {
        if (now().isBefore(end)) {
            runAfter(backoff.next());
        } else {
            finish(null);
        }
    }

    private void runAfter(Duration delay) {
        context.engineContext().scheduler().after(delay, this::run);
    }
}
