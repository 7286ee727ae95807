// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.PendingDeletes;
import io.quorumlock.core.loop.PendingDeletes.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The deletion of values of failed attempts (R5) and of released leases, with retries on masters that did not answer.
 */
final class CleanUp {
    private final Map<LockMaster, PendingDeletes<DeleteCondition, MasterReply>> deletes;

    CleanUp(List<LockMaster> masters, EngineSettings settings, EngineContext engineContext) {
        this.deletes = masters.stream()
                .collect(Collectors.toMap(
                        Function.identity(),
                        master -> new PendingDeletes<>(master::release, CleanUp::result, settings, engineContext)));
    }

    static Result result(MasterReply reply) {
        if (reply instanceof MasterReply.Failed) {
            return Result.UNFINISHED;
        }
        return reply instanceof MasterReply.Deleted ? Result.DELETED : Result.NOTHING_FOUND;
    }

    /**
     * Deletes the matching value from a master now. Retries until the master acknowledges it or the TTL is over.
     *
     * @param ttl time after which the value has expired
     * @param reply receives the first reply of the master
     */
    void delete(LockMaster master, DeleteCondition condition, Duration ttl, Consumer<MasterReply> reply) {
        deletes.get(master).delete(condition, ttl, false, reply);
    }

    /**
     * Deletes a lease that is over from a master, like {@link #delete}. If the master does not have it, deletes again after
     * the timeout of a command: an acquire through another replica may be slower than the release.
     */
    void deleteLease(LockMaster master, DeleteCondition condition, Duration ttl, Consumer<MasterReply> reply) {
        deletes.get(master).delete(condition, ttl, true, reply);
    }

    /** Returns the number of deletes that have not ended. */
    int pending() {
        return deletes.values().stream().mapToInt(PendingDeletes::pending).sum();
    }
}
