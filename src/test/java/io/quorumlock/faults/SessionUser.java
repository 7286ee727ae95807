// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import io.quorumlock.history.Terms;
import io.quorumlock.testing.SeededRandom;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** A client that holds a lock by a session. It disconnects, releases, or moves to the other replica. */
final class SessionUser {
    private static final Duration SHORTEST_TTL = Duration.ofMillis(600);
    private static final int MOST_EVENTS = 3;

    private final RecordingClient caller;
    private final SeededRandom random;
    private final IntSupplier replica;

    SessionUser(RecordingClient caller, SeededRandom random, IntSupplier replica) {
        this.caller = caller;
        this.random = random;
        this.replica = replica;
    }

    /** @param work what the client does with its lease after each event */
    void hold(Terms terms, Consumer<Call> work) {
        long ttl = Math.max(SHORTEST_TTL.toNanos(), terms.ttl());
        Terms longer = new Terms(terms.names(), terms.token(), ttl, terms.longestWait(), 0, terms.kind());
        try (LockSession session = caller.open(replica.getAsInt(), longer)) {
            if (!session.last().gotLease()) {
                return;
            }
            work.accept(session.last());
            for (int i = random.between(0, MOST_EVENTS); i > 0 && session.next().isPresent(); i--) {
                work.accept(session.last());
            }
            if (random.percent(20)) {
                caller.release(replica.getAsInt(), longer);
                session.next();
            } else if (random.percent(50)) {
                move(longer, session);
            }
        }
    }

    /** Continues the same lease on another connection. */
    private void move(Terms terms, LockSession before) {
        int other = Setup.REPLICAS + 1 - before.last().replica();
        try (LockSession after = caller.open(other, terms.waiting(Duration.ZERO))) {
            before.close();
            if (after.last().gotLease()) {
                after.next();
            }
        }
    }
}
