// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redlock.AcquireAttempt.AttemptContext;
import io.quorumlock.engines.redlock.AcquireAttempt.Outcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * An acquire of a semaphore: one attempt for each slot at most, the first for any. If another client has the slot, the
 * masters name those that are free. As a majority grants each slot to one client, there are never more holders than
 * slots. A second attempt for a slot could adopt what a slow master wrote for the first one.
 */
final class SlotSearch {
    private static final int MOST_ATTEMPTS = 8;

    private final Attempts attempts;
    private final AttemptContext context;
    private final RandomGenerator random;
    private final Predicate<Outcome> callback;
    private final MonotonicTime started;
    private final Set<Integer> tried = new HashSet<>();

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
        Duration before = context.clock().now().since(started);
        Duration waited = Duration.ofNanos(
                (long) (before.toNanos() * (1 - context.settings().drift().factor())));
        int slot = slots.get(random.nextInt(slots.size()));
        tried.add(slot);
        attempts.begin(OptionalInt.of(slot), outcome -> {
            List<Integer> untried = outcome.slots().stream()
                    .filter(free -> !tried.contains(free))
                    .toList();
            if (untried.isEmpty() || tried.size() == MOST_ATTEMPTS) {
                Acquisition end = withEarlierAttempts(outcome.acquisition().waited(waited));
                return callback.test(new Outcome(end, outcome.elapsed(), List.of()));
            }
            tryOneOf(untried);
            return true;
        });
    }

    /** R15: an attempt before the last one may have changed masters. */
    private Acquisition withEarlierAttempts(Acquisition end) {
        return tried.size() > 1 && end instanceof Acquisition.NoQuorum last
                ? new Acquisition.NoQuorum(last.why().with(Effect.UNKNOWN))
                : end;
    }
}
