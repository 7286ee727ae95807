// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A change in the background, normally a delete (R5). It is repeated until the store answers, or until the lease must be
 * over. If there is no such record, it looks once more: a write without a reply can take effect later.
 */
final class CleanUpOperation extends RecordOperation<Void> {
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final Predicate<Sighting> condition;
    private final Function<Sighting, Change> change;
    private final MonotonicTime end;
    private final Backoff backoff;
    private boolean last;

    CleanUpOperation(
            ResourceNames resources,
            Predicate<Sighting> condition,
            Function<Sighting, Change> change,
            Duration longest,
            OperationContext context,
            CompletableFuture<Void> answer) {
        super(resources, context, answer, (outcome, elapsed) -> {});
        this.condition = condition;
        this.change = change;
        this.end = now().plus(longest);
        this.backoff =
                new Backoff(FIRST_DELAY, LONGEST_DELAY, context.engineContext().random());
    }

    @Override
    List<Change> changes(Sightings seen) {
        return seen.changes(condition, change);
    }

    /** Several records are read at different moments, so that there may be more. */
    @Override
    void written(List<Sighting> written) {
        if (resources.count() == 1) {
            finish(null);
        } else {
            read();
        }
    }

    @Override
    void refused(Sightings seen) {
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
