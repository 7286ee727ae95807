package io.quorumlock.redlock;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.Optional;

/**
 * Is what a node must find in the lock's value before it deletes it (R6).
 *
 * @param attempt empty: whatever the token holds; else only what that attempt wrote and no later one adopted
 */
public record Stake(ResourceName resource, LeaseToken token, Optional<String> attempt) {

    /** Names whatever the token holds. */
    public static Stake ofLease(ResourceName resource, LeaseToken token) {
        return new Stake(resource, token, Optional.empty());
    }

    static Stake ofAttempt(Claim claim) {
        return new Stake(claim.resource(), claim.token(), Optional.of(claim.attempt()));
    }
}
