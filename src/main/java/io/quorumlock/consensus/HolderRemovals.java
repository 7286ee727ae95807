// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.engine.UniqueIds;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Set;

/**
 * The removals of holders in the background, whose number is bounded (R14). Each is repeated until the store answers, or until the
 * lease must be over. A record that is not deleted ends with its TTL.
 */
final class HolderRemovals {
    private static final int MOST = 2_048;
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final OperationQueues queues;
    private final UniqueIds writeIds;
    private final Duration storeTimeout;
    private final EngineContext engineContext;
    private int pending;

    HolderRemovals(OperationQueues queues, UniqueIds writeIds, Duration storeTimeout, EngineContext engineContext) {
        this.queues = queues;
        this.writeIds = writeIds;
        this.storeTimeout = storeTimeout;
        this.engineContext = engineContext;
    }

    void start(HolderRemoval removal) {
        if (pending < MOST) {
            pending++;
            new Repetition(removal).run();
        }
    }

    int pending() {
        return pending;
    }

    /** The end of one try. */
    private enum End {
        CHANGED,
        NOTHING_FOUND,
        FAILED
    }

    /** The tries of one removal. */
    private final class Repetition {
        private final HolderRemoval removal;
        private final MonotonicTime due;
        private final Backoff backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY, engineContext.random());
        private boolean isLast;

        Repetition(HolderRemoval removal) {
            this.removal = removal;
            this.due = engineContext.clock().now().plus(removal.longest());
        }

        void run() {
            queues.run(new Try(removal, writeIds.next()))
                    .whenComplete((end, bug) -> ended(bug == null ? end.outcome() : End.FAILED));
        }

        private void ended(End end) {
            switch (end) {
                case CHANGED -> {
                    // Several records are read at different moments, so that there may be more.
                    if (removal.resources().count() == 1) {
                        pending--;
                    } else {
                        run();
                    }
                }
                case NOTHING_FOUND -> {
                    // A write without a reply can take effect later.
                    if (isLast) {
                        pending--;
                    } else {
                        isLast = true;
                        runAfter(storeTimeout);
                    }
                }
                case FAILED -> {
                    if (engineContext.clock().now().isBefore(due)) {
                        runAfter(backoff.next());
                    } else {
                        pending--;
                    }
                }
            }
        }

        private void runAfter(Duration delay) {
            engineContext.scheduler().after(delay, this::run);
        }
    }

    /** One try. */
    private record Try(HolderRemoval removal, String write) implements Operation<End> {
        @Override
        public ResourceNames resources() {
            return removal.resources();
        }

        @Override
        public Set<LeaseToken> tokens() {
            return removal.tokens();
        }

        @Override
        public Step<End> decide(Snapshot seen) {
            return seen.leases(removal.condition()).isEmpty()
                    ? Step.end(seen, Conclusion.of(End.NOTHING_FOUND))
                    : Step.write(seen.released(removal.condition(), removal.keep(), write));
        }

        @Override
        public Conclusion<End> written(Snapshot after, Duration elapsed) {
            return Conclusion.of(End.CHANGED);
        }

        @Override
        public Conclusion<End> failed(Effect effect) {
            return Conclusion.of(End.FAILED);
        }
    }
}
