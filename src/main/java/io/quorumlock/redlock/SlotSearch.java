// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.redlock.AcquireAttempt.AttemptContext;
import io.quorumlock.redlock.AcquireAttempt.Outcome;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * An acquire of a semaphore: attempts for one slot each, the first for any. If another client has the slot, the masters name
 * those that are free. As a majority grants each slot to one client, there are never more holders than slots.
 */
final class SlotSearch {
    private static final int MOST_ATTEMPTS = 8;

    private final Attempts attempts;
    private final AttemptContext context;
    private final RandomGenerator random;
    private final Predicate<Outcome> callback;
    private final MonotonicTime started;
    private int begun;

    /** Begins attempts of one acquire. */
    interface Attempts {
        /** @param callback as that of {@link AcquireAttempt} */
        void begin(OptionalInt slot, Predicate<Outcome> callback);
    }

    SlotSearch(Attempts attempts, AttemptContext context, RandomGenerator random, Predicate<Outcome> callback) {
        this.attempts = attempts;
        this.context = context;
        this.random = random;
        this.callback = callback;
        this.started = context.clock().now();
    }

    void run(int slots) {
        tryOneOf(IntStream.range(0, slots).boxed().toList());
    }

    private void tryOneOf(List<Integer> slots) {
        begun++;
        Duration before = context.clock().now().since(started);
        Duration waited = Duration.ofNanos(
                (long) (before.toNanos() * (1 - context.settings().drift().factor())));
        int slot = slots.get(random.nextInt(slots.size()));
        attempts.begin(OptionalInt.of(slot), outcome -> {
            if (outcome.slots().isEmpty() || begun == MOST_ATTEMPTS) {
                Acquisition end = withEarlierAttempts(outcome.acquisition().waited(waited));
                return callback.test(new Outcome(end, outcome.elapsed(), List.of()));
            }
            tryOneOf(outcome.slots());
            return true;
        });
    }

    /** R15: an attempt before the last one may have changed masters. */
    private Acquisition withEarlierAttempts(Acquisition end) {
        return begun > 1 && end instanceof Acquisition.NoQuorum last
                ? new Acquisition.NoQuorum(last.why().with(Effect.UNKNOWN))
                : end;
    }
}
