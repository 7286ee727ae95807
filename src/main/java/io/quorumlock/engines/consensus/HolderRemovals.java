// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.PendingDeletes;
import io.quorumlock.core.loop.PendingDeletes.Result;
import io.quorumlock.core.loop.UniqueIds;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The removals of holders in the background. A record that is not deleted ends with its TTL. */
final class HolderRemovals {
    private final OperationQueues queues;
    private final UniqueIds writeIds;
    private final PendingDeletes<HolderRemoval, Result> removals;

    HolderRemovals(OperationQueues queues, UniqueIds writeIds, EngineSettings settings, EngineContext engineContext) {
        this.queues = queues;
        this.writeIds = writeIds;
        this.removals = new PendingDeletes<>(this::attempt, Function.identity(), settings, engineContext);
    }

    /** Removes the holders now, and once more if there are none: a write without a reply can take effect later. */
    void start(HolderRemoval removal) {
        removals.delete(removal, removal.longest(), true, first -> {});
    }

    int pending() {
        return removals.pending();
    }

    private void attempt(HolderRemoval removal, Consumer<Result> result) {
        queues.run(new Try(removal, writeIds.next()))
                .whenComplete((end, bug) -> result.accept(bug == null ? end.outcome() : Result.UNFINISHED));
    }

    /** One try. */
    private record Try(HolderRemoval removal, String write) implements Operation<Result> {
        @Override
        public ResourceNames resources() {
            return removal.resources();
        }

        @Override
        public Set<LeaseToken> tokens() {
            return removal.tokens();
        }

        @Override
        public Step<Result> decide(Snapshot seen) {
            return seen.leases(removal.condition()).isEmpty()
                    ? Step.end(seen, Conclusion.of(Result.NOTHING_FOUND))
                    : Step.write(seen.released(removal.condition(), removal.keep(), write));
        }

        /** Several records are read at different moments, so that there may be more. */
        @Override
        public Conclusion<Result> written(Snapshot after, Duration elapsed) {
            return Conclusion.of(removal.resources().count() == 1 ? Result.DELETED : Result.UNFINISHED);
        }

        @Override
        public Conclusion<Result> failed(Effect effect) {
            return Conclusion.of(Result.UNFINISHED);
        }
    }
}
