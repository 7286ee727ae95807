package io.quorumlock.redlock;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;

/**
 * Is what one attempt asks each node to write.
 *
 * @param attempt never used before by any attempt of any replica (R3)
 * @param candidate the fencing token to be, where the node's counter is not beyond it already (R10)
 */
public record AcquireCommand(
        ResourceName resource, LeaseToken token, String attempt, FencingToken candidate, AcquireTerms terms) {

    /** Ends the name of an attempt whose lease, once released, is for the next waiter of the same replica. */
    public static final String IN_TURN = "~";

    /** Names what only this attempt wrote. */
    DeleteCondition condition() {
        return DeleteCondition.ofAttempt(resource, token, attempt);
    }

    /** Names what this attempt wrote, where that was no majority. */
    DeleteCondition votes() {
        return DeleteCondition.ofVotes(resource, token, attempt);
    }

    /** Names what this attempt adopted on one node, unless somebody extended or adopted it since. */
    DeleteCondition adopted(NodeReply.Adopted vote) {
        return DeleteCondition.ofAdoption(resource, token, attempt, vote.extensionsUsed());
    }
}
