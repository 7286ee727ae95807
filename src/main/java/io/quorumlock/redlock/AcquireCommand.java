// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The values that one attempt writes to each master.
 *
 * @param attempt unique among all attempts of all replicas (R3); begins with the name of the replica and a dot
 * @param candidate the proposed fencing token; a master with a larger counter increments its counter instead (R10)
 * @param slot of a semaphore; empty for other kinds of locks
 */
public record AcquireCommand(
        ResourceNames resources,
        LeaseToken token,
        String attempt,
        FencingToken candidate,
        AcquireTerms terms,
        OptionalInt slot) {
    static final Duration LONGEST_RESERVATION = Duration.ofSeconds(2);

    /** Returns whether further attempts with the same token may follow a failed one. */
    boolean mayBeTriedAgain() {
        return slot.isPresent() || terms.mayBeTriedAgain();
    }

    /**
     * Returns how long an exclusive attempt that shared holders refuse keeps others out: until the next attempt of its replica,
     * and no longer than it waits. An attempt for several resources keeps nobody out, because others may hold them for long.
     */
    public Duration reservation() {
        Duration patience = resources.count() == 1 ? terms.patience() : Duration.ZERO;
        return patience.compareTo(LONGEST_RESERVATION) < 0 ? patience : LONGEST_RESERVATION;
    }

    /** Matches the value of this attempt. */
    DeleteCondition condition(DeleteCondition.Reason reason) {
        return DeleteCondition.ofAttempt(resources, token, attempt, reason);
    }

    /** Matches the value that this attempt adopted on one master, unless it was extended or adopted again since. */
    DeleteCondition adopted(MasterReply.Adopted vote) {
        return DeleteCondition.ofAdoption(resources, token, attempt, vote.extensionsUsed());
    }
}
