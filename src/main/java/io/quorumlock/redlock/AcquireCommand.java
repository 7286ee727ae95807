// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceNames;

/**
 * The values that one attempt writes to each master.
 *
 * @param attempt unique among all attempts of all replicas (R3)
 * @param candidate the proposed fencing token; a master with a larger counter increments its counter instead (R10)
 */
public record AcquireCommand(
        ResourceNames resources, LeaseToken token, String attempt, FencingToken candidate, AcquireTerms terms) {

    /** Matches the value of this attempt. */
    DeleteCondition condition() {
        return DeleteCondition.ofAttempt(resources, token, attempt);
    }

    /** Matches the value of this attempt, which has no majority. */
    DeleteCondition votes() {
        return DeleteCondition.ofVotes(resources, token, attempt);
    }

    /** Matches the value that this attempt adopted on one master, unless it was extended or adopted again since. */
    DeleteCondition adopted(MasterReply.Adopted vote) {
        return DeleteCondition.ofAdoption(resources, token, attempt, vote.extensionsUsed());
    }
}
