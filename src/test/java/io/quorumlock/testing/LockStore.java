// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode.ScanStep;
import io.quorumlock.redlock.NodeReply;
import java.time.Duration;

/** The locks of one simulated master. */
public interface LockStore {

    NodeReply acquire(AcquireCommand claim);

    NodeReply extend(ResourceName resource, LeaseToken token, Duration ttl);

    NodeReply raise(ResourceName resource, LeaseToken token, FencingToken fence);

    NodeReply release(DeleteCondition condition);

    NodeReply inspect(ResourceName resource);

    NodeReply scan(ScanStep step);

    void clear();

    /** Returns whether there is no lock. Fencing counters do not count. */
    boolean isEmpty();

    /** Saves the present content. Running the result restores it, as a restart from an old snapshot does. */
    Runnable snapshot();

    /**
     * Returns the condition that the node announces. For a lease that was granted in a turn, its reason is
     * {@code PASSED_ON}.
     */
    default DeleteCondition announced(DeleteCondition condition) {
        boolean inTurn = inspect(condition.resource()) instanceof NodeReply.Holding holding
                && holding.attempt()
                        .filter(attempt -> attempt.replace("+", "").endsWith(AcquireCommand.IN_TURN))
                        .isPresent();
        return inTurn && condition.isAnnouncedAsGranted()
                ? DeleteCondition.ofPassedOn(condition.resource(), condition.token())
                : condition;
    }
}
