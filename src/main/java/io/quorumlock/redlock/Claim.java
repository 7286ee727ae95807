package io.quorumlock.redlock;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;

/**
 * Is what one attempt asks each node to write.
 *
 * @param attempt never used before by any attempt of any replica (R3)
 */
public record Claim(ResourceName resource, LeaseToken token, String attempt, AcquireTerms terms) {

    /** Names what only this attempt wrote. */
    Stake stake() {
        return Stake.ofAttempt(this);
    }
}
