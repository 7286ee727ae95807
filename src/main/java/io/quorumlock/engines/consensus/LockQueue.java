// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LeaseToken;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The operations of this replica on one lock, in order of arrival, and its pauses for those of other replicas. */
final class LockQueue {
    /** Limits the size of a write. */
    private static final int MOST_TOGETHER = 64;

    /** After that many groups without a write of another replica, this one stops to pause. */
    private static final int GROUPS_WITH_PAUSE = 8;

    private final Deque<PendingOperation<?>> operations = new ArrayDeque<>();
    private Duration pause = Duration.ZERO;
    private int pausesLeft;

    void add(PendingOperation<?> operation) {
        operations.add(operation);
    }

    boolean isEmpty() {
        return operations.isEmpty();
    }

    PendingOperation<?> first() {
        return operations.getFirst();
    }

    /** Returns the first operations, to write them together: none of them sees what another one wrote for its token. */
    List<PendingOperation<?>> group() {
        List<PendingOperation<?>> group = new ArrayList<>();
        Set<LeaseToken> tokens = new HashSet<>();
        for (PendingOperation<?> next : operations) {
            if (!group.isEmpty() && !canJoin(next, tokens) || group.size() == MOST_TOGETHER) {
                break;
            }
            group.add(next);
            tokens.addAll(next.tokens());
        }
        return group;
    }

    private boolean canJoin(PendingOperation<?> next, Set<LeaseToken> tokens) {
        return first().resources().count() == 1
                && next.resources().count() == 1
                && Collections.disjoint(tokens, next.tokens());
    }

    /** Removes the first operations after their end. */
    void remove(int number) {
        for (int i = 0; i < number; i++) {
            operations.removeFirst();
        }
    }

    /**
     * Returns the pause after a group of operations. Without it, a busy replica would write one group after the other, and
     * another one, which must read the record after each conflict, would hardly ever write it.
     *
     * @param needed the time that it takes to read and to write the lock; zero if this is not known
     * @param conflict whether another replica wrote the lock meanwhile
     */
    Duration pauseFor(Duration needed, boolean conflict) {
        boolean contended = conflict || pausesLeft > 0;
        if (contended && !needed.isZero()) {
            pause = needed;
            pausesLeft = GROUPS_WITH_PAUSE;
        } else if (pausesLeft > 0) {
            pausesLeft--;
        } else {
            pause = Duration.ZERO;
        }
        return pause;
    }
}
