// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The condition under which a master deletes a lock (R6).
 *
 * @param attempt if present, only a value that this attempt wrote and no later one adopted
 * @param mostExtensions if present, only a lease that was not extended more often
 * @param reason determines the announcement of the release, not what is deleted
 * @param keep how long the resources stay taken, which may be longer than the lease; zero if they are free at once
 */
public record DeleteCondition(
        ResourceNames resources,
        LeaseToken token,
        Optional<String> attempt,
        OptionalInt mostExtensions,
        Reason reason,
        Duration keep) {
    /** The name of the attempt in the value of a resource that is kept after its release. */
    public static final String KEPT = "kept";

    /** The reason for a delete. */
    public enum Reason {
        RELEASED,
        /** An operator broke the lock. */
        BROKEN,
        /** An attempt without a majority withdraws its votes. This is not announced to waiters. */
        WITHDRAWN
    }

    /**
     * Marks the value of a lease that was adopted or extended. A clean-up looks for the unmarked name and does not
     * match.
     */
    private static final String ADOPTED = "+";

    /** Matches any value of the token. */
    public static DeleteCondition ofLease(ResourceNames resources, LeaseToken token) {
        return ofLease(resources, token, Duration.ZERO);
    }

    /** Matches any value of the token, and keeps the resource. */
    public static DeleteCondition ofLease(ResourceNames resources, LeaseToken token, Duration keep) {
        return new DeleteCondition(resources, token, Optional.empty(), OptionalInt.empty(), Reason.RELEASED, keep);
    }

    /** Matches the value of one attempt, unless a later one adopted it or the lease was extended. */
    public static DeleteCondition ofAttempt(ResourceNames resources, LeaseToken token, String attempt, Reason reason) {
        return new DeleteCondition(resources, token, Optional.of(attempt), OptionalInt.empty(), reason, Duration.ZERO);
    }

    /** Matches the value of an attempt, unless the lease was extended more often. */
    public static DeleteCondition ofValue(
            ResourceNames resources, LeaseToken token, String attempt, int extensions, Reason reason) {
        return new DeleteCondition(
                resources, token, Optional.of(attempt), OptionalInt.of(extensions), reason, Duration.ZERO);
    }

    /**
     * Matches the value of an attempt, adopted or not, unless it was extended since. A later attempt with the same token has
     * another name: it is a client's repetition that does not know that the lease was broken.
     *
     * @param extensions the largest number of extensions on any master
     */
    static List<DeleteCondition> ofBroken(ResourceNames resources, LeaseToken token, String attempt, int extensions) {
        String name = attempt.endsWith(ADOPTED) ? attempt.substring(0, attempt.length() - 1) : attempt;
        return Stream.of(name, name + ADOPTED)
                .map(value -> ofValue(resources, token, value, extensions, Reason.BROKEN))
                .toList();
    }

    /** Returns whether the waiters for the lock get an announcement. */
    public boolean isAnnounced() {
        return reason != Reason.WITHDRAWN;
    }

    /** Returns whether it is about one resource, which is free at once, with any number of extensions. */
    public boolean isPlain() {
        return resources.count() == 1 && mostExtensions.isEmpty() && keep.isZero();
    }
}
