// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceNames;
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
    /** Returns whether further attempts with the same token may follow a failed one. */
    boolean mayBeTriedAgain() {
        return slot.isPresent() || terms.mayBeTriedAgain();
    }

    /** Returns how long the attempt keeps others out if it is refused, in ms, and for whom on its replica. */
    public String reservation() {
        return terms.reservation(resources).toMillis() + terms.overtaken();
    }

    /** Matches the value of this attempt. */
    DeleteCondition condition(DeleteCondition.Reason reason) {
        return DeleteCondition.ofAttempt(resources, token, attempt, reason);
    }
}
