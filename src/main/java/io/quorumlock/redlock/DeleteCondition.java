package io.quorumlock.redlock;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Is what a node must find in the lock's value before it deletes it (R6).
 *
 * @param attempt empty: whatever the token holds; else only what that attempt wrote and no later one adopted
 * @param extensionsUsed empty: however often it was extended; else only what was not extended since
 * @param end why it is deleted, which decides who is told; makes no difference to what is deleted
 */
public record DeleteCondition(
        ResourceName resource, LeaseToken token, Optional<String> attempt, OptionalInt extensionsUsed, End end) {
    /** Is why something is deleted. */
    public enum End {
        RELEASED,
        /** Its replica gives it to the next one who waits there. */
        PASSED_ON,
        /** An operator broke it. */
        BROKEN,
        /** It was the minority of votes of an attempt that lost: nobody waits for the end of that. */
        WITHDRAWN
    }

    /** Marks an attempt whose value a lease stands on: a clean-up, which looks for the bare name, leaves it alone. */
    private static final String ADOPTED = "+";

    /** Names whatever the token holds. */
    public static DeleteCondition ofLease(ResourceName resource, LeaseToken token) {
        return new DeleteCondition(resource, token, Optional.empty(), OptionalInt.empty(), End.RELEASED);
    }

    /** Names whatever the token holds, which somebody who waits at this replica is to have next. */
    public static DeleteCondition ofPassedOn(ResourceName resource, LeaseToken token) {
        return new DeleteCondition(resource, token, Optional.empty(), OptionalInt.empty(), End.PASSED_ON);
    }

    /** Names what one attempt wrote. */
    public static DeleteCondition ofAttempt(ResourceName resource, LeaseToken token, String attempt) {
        return new DeleteCondition(resource, token, Optional.of(attempt), OptionalInt.empty(), End.RELEASED);
    }

    /** Names the votes that one attempt won in vain. */
    public static DeleteCondition ofVotes(ResourceName resource, LeaseToken token, String attempt) {
        return new DeleteCondition(resource, token, Optional.of(attempt), OptionalInt.empty(), End.WITHDRAWN);
    }

    /** Names what an attempt adopted, as it found it. */
    public static DeleteCondition ofAdoption(
            ResourceName resource, LeaseToken token, String attempt, int extensionsUsed) {
        return new DeleteCondition(
                resource, token, Optional.of(attempt + ADOPTED), OptionalInt.of(extensionsUsed), End.RELEASED);
    }

    /** Returns whether the node announces it as the lease says: passed on, if it was granted in a turn. */
    public boolean isAnnouncedAsGranted() {
        return end == End.RELEASED && attempt.isEmpty() && extensionsUsed.isEmpty();
    }

    /** Says whether those who wait for the lock are told of its end. */
    public boolean isAnnounced() {
        return end != End.WITHDRAWN;
    }

    /** Names what an extension left behind. */
    public static DeleteCondition ofExtension(ResourceName resource, LeaseToken token, int extensionsUsed) {
        return new DeleteCondition(resource, token, Optional.empty(), OptionalInt.of(extensionsUsed), End.RELEASED);
    }
}
