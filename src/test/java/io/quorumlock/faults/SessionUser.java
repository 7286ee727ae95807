// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.faults.LockCaller.Wish;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** A client that holds a lock by a session. It disconnects, releases, or moves to the other replica. */
final class SessionUser {
    private static final int SHORTEST_TTL_MS = 600;
    private static final int MOST_EVENTS = 3;

    private final LockCaller caller;
    private final FaultChance chance;
    private final IntSupplier replica;

    SessionUser(LockCaller caller, FaultChance chance, IntSupplier replica) {
        this.caller = caller;
        this.chance = chance;
        this.replica = replica;
    }

    /** @param work what the client does with its lease after each event */
    void hold(Wish wish, Consumer<Call> work) {
        Wish longer =
                new Wish(wish.resource(), wish.lease(), Math.max(SHORTEST_TTL_MS, wish.ttlMs()), wish.waitMs(), 0);
        try (LockSession session = caller.open(replica.getAsInt(), longer)) {
            if (!session.last().isGrant()) {
                return;
            }
            work.accept(session.last());
            for (int i = chance.between(0, MOST_EVENTS); i > 0 && session.next().isPresent(); i--) {
                work.accept(session.last());
            }
            if (chance.percent(20)) {
                caller.release(replica.getAsInt(), longer);
                session.next();
            } else if (chance.percent(50)) {
                move(longer, session);
            }
        }
    }

    /** Continues the same lease on another connection. */
    private void move(Wish wish, LockSession before) {
        int other = Setup.REPLICAS + 1 - before.last().replica();
        try (LockSession after = caller.open(other, wish.waiting(0))) {
            before.close();
            if (after.last().isGrant()) {
                after.next();
            }
        }
    }
}
